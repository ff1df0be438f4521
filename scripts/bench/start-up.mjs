// Time from starting the window to its first content, and to a database of 1,000 chunks on the screen: the packaged window
// of release/linux-unpacked (npm run package), or with `--built` that of out/, which the Electron of node_modules starts.
// And the memory of all its processes at rest. `--json FILE` writes the figures. Run it under electron-runtime.mjs: it brings the display.
import '../answer-help.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  NodeFileSystem,
  openDatabase,
  ticksFromIso,
  uncontrolled,
  writeSampleDatabase
} from '../../src-core/index.ts';
import { buildStale, root } from '../build.mjs';
import { extraArgs } from '../electron-runtime.mjs';
import { openDevtoolsPage } from './devtools-page.mjs';
import { median, medianMs, withScratchDirectory } from './measure.mjs';
import { processesBelow, proportionalBytes } from './process-tree.mjs';

const { values } = parseArgs({
  options: { built: { type: 'boolean', default: false }, json: { type: 'string' } }
});
const [executable, ...application] = values.built
  ? [createRequire(import.meta.url)('electron'), root]
  : [path.join(root, 'release/linux-unpacked/winnow-window')];
const CHUNKS = 1000;
const CHUNK_BYTES = 64 * 1024;
const OPEN_LIMIT_MS = 2000;
const ROUNDS = 5;
/** After so long with a database on the screen the window is at rest. */
const REST_MS = 10_000;

/** An expression for the page: a promise that resolves once the condition holds, looked at in each frame. */
const becomes = (condition) =>
  `new Promise((done) => { const look = () => (${condition}) ? done(true) : requestAnimationFrame(look); look(); })`;

/** Starts the window; ms from the start of the process to the page's mark `first-content`. */
async function startWindow(home, args, look) {
  mkdirSync(home, { recursive: true });
  const startedAt = Date.now();
  const switches = [...extraArgs(), '--log-level=3', '--remote-debugging-port=0'];
  const child = spawn(executable, [...switches, ...application, ...args], {
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
    const page = await openDevtoolsPage(address);
    await page.evaluate(becomes("document.documentElement?.dataset.ready === 'true'"));
    const shownAt = await page.evaluate(
      "performance.timeOrigin + performance.getEntriesByName('first-content')[0].startTime"
    );
    const result = { firstContentMs: shownAt - startedAt, ...(await look?.(page, startedAt, child.pid)) };
    page.close();
    return result;
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

if (values.built) buildStale('all', { quiet: true });
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
  const { shownMs, firstContentMs, restBytes } = await startWindow(
    path.join(scratch, 'home-database'),
    [dataDirectory],
    async (page, startedAt, pid) => {
      const text = JSON.stringify(written.chunks.toLocaleString('en'));
      await page.evaluate(becomes(`document.body.innerText.includes(${text})`));
      const shownMs = (await page.evaluate('Date.now()')) - startedAt;
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      return { shownMs, restBytes: proportionalBytes([pid, ...processesBelow(pid)]) };
    }
  );
  const extraMs = shownMs - firstContentMs;
  console.log(
    `window, these chunks on the screen   ${extraMs.toFixed(0).padStart(6)} ms after first content`
  );
  console.log(`memory of all its processes at rest ${(restBytes / 2 ** 20).toFixed(0).padStart(6)} MiB`);
  if (values.json) {
    const figures = {
      isPackaged: !values.built,
      firstContentMs: median(starts),
      chunks: written.chunks,
      openMs,
      extraMs,
      restBytes
    };
    writeFileSync(values.json, JSON.stringify(figures, null, 2));
  }
  if (extraMs > OPEN_LIMIT_MS) {
    console.error(`Opening ${written.chunks} chunks took more than ${OPEN_LIMIT_MS} ms.`);
    process.exitCode = 1;
  }
});
