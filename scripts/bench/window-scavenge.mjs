// How smoothly the window draws while a scavenge runs: the built application in a real Electron, a database of 2 GiB,
// its plan made, run, stopped, resumed and finished with the window's buttons. Every gap between two frames
// is recorded all the time; pictures are taken while the recording pauses. Run it under electron-runtime.mjs: it
// brings the display.
//   npm run bench -- window-scavenge [--size 2GiB] [--streams 100000] [--threads 1] [--pictures DIR]
//                                    [--database DIR] [--application DIR]
// --database takes (and changes) a database that is there; --application starts another build than that of this
// checkout.
import '../answer-help.mjs';
import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseByteSize } from '../../src-main/cli/byte-size.ts';
import { launchWindow } from '../../test/e2e/electron-window.ts';
import {
  FRAME_LIMIT_MS,
  recordFrames,
  recordedFrames,
  summaryOf,
  withoutRecording
} from '../../test/e2e/frame-recorder.ts';
import { buildStale } from '../build.mjs';
import { withScratchDirectory } from './measure.mjs';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '2GiB' },
    streams: { type: 'string', default: '100000' },
    threads: { type: 'string', default: '1' },
    pictures: { type: 'string' },
    database: { type: 'string' },
    application: { type: 'string' }
  }
});

const LONG_MS = 30 * 60_000;
const STOP_AFTER_CHUNKS = 2;

async function measure(dataDirectory) {
  const window = await launchWindow({
    words: [dataDirectory],
    ...(options.application === undefined ? {} : { application: options.application })
  });
  const { page, show } = window;
  const picture = async (name) => {
    if (options.pictures === undefined) return;
    mkdirSync(options.pictures, { recursive: true });
    const file = path.join(options.pictures, `window-scavenge-${name}.png`);
    await withoutRecording(page, () => page.screenshot({ path: file }));
  };
  const parts = [];
  /** Records while `work` runs; `slow` says what the window showed when a frame was late. */
  const record = async (title, work) => {
    await recordFrames(page);
    const startedAt = performance.now();
    await work();
    const seconds = (performance.now() - startedAt) / 1000;
    const frames = await recordedFrames(page);
    parts.push({ title, seconds, frames });
  };
  try {
    await show('Scavenge');
    await page.getByRole('button', { name: 'A single node' }).click();
    await page.getByLabel('Threads').fill(options.threads);
    await record('at rest', () => page.waitForTimeout(5000));
    await record('plan', async () => {
      await page.getByRole('button', { name: 'Make the plan' }).click();
      await page.getByRole('button', { name: /^Remove/ }).waitFor({ timeout: LONG_MS });
      await page.waitForTimeout(500);
    });
    await picture('1-plan');
    await record('run', async () => {
      await page.getByRole('button', { name: /^Remove/ }).click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Remove/ })
        .click();
      const chunks = page.getByText(new RegExp(`^([${STOP_AFTER_CHUNKS}-9]|\\d\\d+) / \\d+ chunks$`));
      const execution = page.locator('li[aria-current=step]', { hasText: 'Chunk execution' });
      await execution.waitFor({ timeout: LONG_MS });
      await chunks.waitFor({ timeout: LONG_MS });
      await picture('2-run');
      await page.getByRole('region', { name: 'Run' }).getByRole('button', { name: 'Stop' }).click();
      await page.getByText('The scavenge was stopped.').waitFor({ timeout: LONG_MS });
      await page.waitForTimeout(500);
    });
    await picture('3-stopped');
    await record('resumed', async () => {
      await page.getByRole('button', { name: 'Resume scavenge' }).click();
      await page.getByRole('region', { name: 'Run' }).waitFor();
      await page.getByText('The scavenge is complete.').waitFor({ timeout: LONG_MS });
      await page.waitForTimeout(500);
    });
    await picture('4-done');
  } finally {
    await window.close();
  }
  return { parts, problems: window.problems };
}

function print({ parts, problems }) {
  const line = (row) =>
    console.log(
      row.map((cell, at) => (at === 0 ? String(cell).padEnd(10) : String(cell).padStart(11))).join('')
    );
  line(['', 'seconds', 'frames', 'median ms', 'p99 ms', 'max ms', `> ${FRAME_LIMIT_MS} ms`, 'own ms']);
  for (const { title, seconds, frames } of parts) {
    const { frames: count, medianMs, p99Ms, maxMs, slowFrames, ownWorkMs } = summaryOf(frames);
    const figures = [medianMs, p99Ms, maxMs].map((value) => value.toFixed(1));
    line([title, seconds.toFixed(1), count, ...figures, slowFrames, ownWorkMs.toFixed(1)]);
  }
  for (const { title, frames } of parts) {
    for (const { gapMs, phase } of frames.slow) {
      console.log(`late frame: ${title}${phase === '' ? '' : `, ${phase}`}: ${gapMs.toFixed(0)} ms`);
    }
    for (const { scripts } of frames.ownWork) {
      for (const script of scripts) console.log(`script in a late frame: ${title}: ${script}`);
    }
  }
  console.log('own ms: most that scripts, style and layout of the page took in any late frame.');
  const load = os.loadavg()[0].toFixed(1);
  console.log(
    `load ${load} on ${os.availableParallelism()} processors: above their number frames wait for others.`
  );
  for (const problem of problems) console.log(`the page complained: ${problem}`);
}

if (options.application === undefined) buildStale('all', { quiet: true });
await withScratchDirectory(async (scratch) => {
  const dataDirectory = options.database ?? path.join(scratch, 'database');
  if (options.database === undefined) {
    const { writeBenchDatabase } = await import('./scavenge-database.mjs');
    const sizeBytes = parseByteSize(options.size);
    await writeBenchDatabase({ dataDirectory, sizeBytes, streams: Number(options.streams) });
  }
  const measured = await measure(dataDirectory);
  print(measured);
  const worst = Math.max(...measured.parts.map(({ frames }) => summaryOf(frames).maxMs));
  if (worst > FRAME_LIMIT_MS) process.exitCode = 1;
});
