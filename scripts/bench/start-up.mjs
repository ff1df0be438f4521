// Time from starting the packaged window to its first content, and to a database of 1,000 chunks on the screen.
// Needs release/linux-unpacked (npm run package). Run it under electron-runtime.mjs: it brings the display.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import {
  NodeFileSystem,
  openDatabase,
  ticksFromIso,
  uncontrolled,
  writeSampleDatabase
} from '../../src-core/index.ts';
import { root } from '../build.mjs';
import { extraArgs } from '../electron-runtime.mjs';
import { median, medianMs, withScratchDirectory } from './measure.mjs';

const executable = path.join(root, 'release/linux-unpacked/winnow-window');
const CHUNKS = 1000;
const CHUNK_BYTES = 64 * 1024;
const OPEN_LIMIT_MS = 2000;
const ROUNDS = 5;

/** Starts the window; ms from the start of the process to the page's mark `first-content`. */
async function startWindow(home, args, look) {
  mkdirSync(home, { recursive: true });
  const startedAt = Date.now();
  const child = spawn(executable, [...extraArgs(), '--log-level=3', '--remote-debugging-port=0', ...args], {
    env: { ...process.env, WINNOW_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true
  });
  const ended = new Promise((done) => child.once('exit', done));
  try {
    const address = await new Promise((resolve, reject) => {
      let heard = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        heard += text;
        const match = /DevTools listening on (ws:\S+)/.exec(heard);
        if (match) resolve(match[1]);
      });
      child.once('exit', (code) => reject(new Error(`The window ended with ${code}: ${heard}`)));
    });
    const browser = await chromium.connectOverCDP(address);
    const [context] = browser.contexts();
    const page = context.pages()[0] ?? (await context.waitForEvent('page'));
    await page.waitForFunction(() => globalThis.document.documentElement.dataset.ready === 'true');
    const shownAt = await page.evaluate(
      () => performance.timeOrigin + performance.getEntriesByName('first-content')[0].startTime
    );
    const result = { firstContentMs: shownAt - startedAt, ...(await look?.(page, startedAt)) };
    await browser.close();
    return result;
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

await withScratchDirectory(async (scratch) => {
  const starts = [];
  for (let i = 0; i <= ROUNDS; i++) {
    const { firstContentMs } = await startWindow(path.join(scratch, `home-${i}`), []);
    if (i > 0) starts.push(firstContentMs); // the first one warms the disk cache
  }
  console.log(`window, start to first content       ${median(starts).toFixed(0).padStart(6)} ms`);

  const fileSystem = new NodeFileSystem();
  const dataDirectory = path.join(scratch, 'database');
  const written = await writeSampleDatabase({
    fileSystem,
    dataDirectory,
    sizeBytes: (CHUNKS - 1) * CHUNK_BYTES,
    chunkSizeBytes: CHUNK_BYTES,
    seed: 1,
    now: ticksFromIso('2026-01-01T00:00:00Z'),
    control: uncontrolled()
  });
  const openMs = await medianMs(() => openDatabase({ fileSystem, dataDirectory }).close());
  console.log(`engine, open ${written.chunks} chunks             ${openMs.toFixed(0).padStart(6)} ms`);
  const { shownMs, firstContentMs } = await startWindow(
    path.join(scratch, 'home-database'),
    [dataDirectory],
    async (page, startedAt) => {
      await page
        .getByText(new RegExp(`\\b${written.chunks.toLocaleString('en')}\\b`))
        .first()
        .waitFor();
      return { shownMs: (await page.evaluate(() => Date.now())) - startedAt };
    }
  );
  const extraMs = shownMs - firstContentMs;
  console.log(
    `window, these chunks on the screen   ${extraMs.toFixed(0).padStart(6)} ms after first content`
  );
  if (extraMs > OPEN_LIMIT_MS) {
    console.error(`Opening ${written.chunks} chunks took more than ${OPEN_LIMIT_MS} ms.`);
    process.exitCode = 1;
  }
});
