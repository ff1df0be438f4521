// What the window needs with a large database open: memory of the page at rest, and how it draws while a person
// scrolls through a thousand chunks and a million streams and searches in them. Frames are those of the page's own
// clock, tasks those of the browser's tracing. Run it under electron-runtime.mjs: it brings the display.
//   npm run bench -- window [--chunks 1000] [--streams 1000000] [--database DIR] [--seconds 5]
import '../answer-help.mjs';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { NodeFileSystem, ticksFromIso, uncontrolled, writeSampleDatabase } from '../../src-core/index.ts';
import { launchWindow } from '../../test/e2e/electron-window.ts';
import { FRAME_LIMIT_MS, recordFrames, recordedFrames, summaryOf } from '../../test/e2e/frame-recorder.ts';
import { buildStale } from '../build.mjs';
import { withScratchDirectory } from './measure.mjs';
import { endTrace, startTrace } from './page-trace.mjs';

const { values: options } = parseArgs({
  options: {
    chunks: { type: 'string', default: '1000' },
    streams: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '5' },
    database: { type: 'string' }
  }
});
const CHUNK_BYTES = 512 * 1024;
const MEMORY_LIMIT_MB = 150;
const LONG_MS = 10 * 60_000;
const REST_MS = 10_000;
const COLLECTED_MS = 2000;
/** A person turns the wheel so far in one step, so many times a second. */
const WHEEL_PIXELS = 400;
const WHEEL_MS = 30;

/**
 * Memory of the page's process in MB with all chunks and streams open and nothing going on, in a window that is not
 * traced, since the tracing keeps what it notes in the same process.
 */
async function measureMemory(dataDirectory) {
  const window = await launchWindow({ words: [dataDirectory] });
  const { app, page, show } = window;
  try {
    await page.getByRole('heading', { level: 1, name: /chunks/ }).waitFor({ timeout: LONG_MS });
    for (const view of ['Chunks', 'Streams']) {
      await show(view);
      await page.getByRole('grid', { name: view }).getByRole('row').first().waitFor({ timeout: LONG_MS });
      await page.waitForTimeout(3000);
    }
    await page.waitForTimeout(REST_MS);
    const pid = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0].webContents.getOSProcessId()
    );
    const heap = await page.evaluate(() => performance.memory.usedJSHeapSize);
    const atRest = kernelFiguresOf(pid);
    // When the browser last collected garbage is chance; what is left after it is not.
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(COLLECTED_MS);
    return { ...atRest, heapMb: heap / 1024 / 1024, collected: kernelFiguresOf(pid) };
  } finally {
    await window.close();
  }
}

/** Memory that no other process shares, and the same with a fair part of what is shared, as the kernel counts. */
function kernelFiguresOf(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const sum = (pattern) =>
    [...text.matchAll(pattern)].reduce((total, [, kilobytes]) => total + Number(kilobytes), 0) / 1024;
  return { privateMb: sum(/^Private_\w+:\s+(\d+) kB/gm), shareMb: sum(/^Pss:\s+(\d+) kB/gm) };
}

async function scroll(page, locator) {
  const box = await locator.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const end = performance.now() + Number(options.seconds) * 1000;
  while (performance.now() < end) {
    await page.mouse.wheel(0, WHEEL_PIXELS);
    await page.waitForTimeout(WHEEL_MS);
  }
}

async function measure(dataDirectory) {
  const window = await launchWindow({ words: [dataDirectory] });
  const { app, page, show } = window;
  const parts = [];
  const record = async (title, work) => {
    await startTrace(app);
    await recordFrames(page);
    await work();
    const frames = summaryOf(await recordedFrames(page));
    parts.push({ title, frames, tasks: await endTrace(app) });
  };
  try {
    await page.getByRole('heading', { level: 1, name: /chunks/ }).waitFor({ timeout: LONG_MS });
    await show('Chunks');
    const chunks = page.getByRole('grid', { name: 'Chunks' });
    await chunks.getByRole('row').first().waitFor({ timeout: LONG_MS });
    await page.waitForTimeout(2000);
    await record('chunks, scrolling', () => scroll(page, chunks));
    await show('Streams');
    const streams = page.getByRole('grid', { name: 'Streams' });
    const startedAt = performance.now();
    await record('streams, first time', async () => {
      await streams.getByRole('row').first().waitFor({ timeout: LONG_MS });
    });
    const streamsMs = performance.now() - startedAt;
    await record('streams, scrolling', () => scroll(page, streams));
    await record('streams, searching', async () => {
      await page.getByRole('searchbox').pressSequentially('orders-99', { delay: 120 });
      await page.waitForTimeout(2000);
    });
    return { parts, streamsMs, problems: window.problems };
  } finally {
    await window.close();
  }
}

function print({ parts, streamsMs, memory, problems }) {
  const line = ([title, ...cells]) =>
    console.log(String(title).padEnd(22) + cells.map((cell) => String(cell).padStart(11)).join(''));
  const limit = `> ${FRAME_LIMIT_MS} ms`;
  line(['', 'frames', 'median ms', 'p99 ms', 'max ms', limit, 'tasks', 'longest ms', 'of cpu ms']);
  for (const { title, frames, tasks } of parts) {
    const figures = [frames.medianMs, frames.p99Ms, frames.maxMs].map((value) => value.toFixed(1));
    const busiest = Math.max(...tasks.map(({ processorMs }) => processorMs ?? 0));
    const longest = [tasks[0]?.ms ?? 0, busiest].map((value) => value.toFixed(1));
    line([title, frames.frames, ...figures, frames.slowFrames, tasks.length, ...longest]);
  }
  console.log(`streams on the screen after ${(streamsMs / 1000).toFixed(1)} s`);
  console.log(
    `memory of the page at rest: ${memory.privateMb.toFixed(0)} MB its own, ${memory.shareMb.toFixed(0)} MB with ` +
      `its part of what is shared; ${memory.heapMb.toFixed(0)} MB of it objects of the page; after a collection of garbage ` +
      `${memory.collected.privateMb.toFixed(0)} and ${memory.collected.shareMb.toFixed(0)} MB`
  );
  const load = os.loadavg()[0].toFixed(1);
  console.log(
    `load ${load} on ${os.availableParallelism()} processors: above their number frames wait for others.`
  );
  for (const problem of problems) console.log(`the page complained: ${problem}`);
}

buildStale('all', { quiet: true });
await withScratchDirectory(async (scratch) => {
  const dataDirectory = options.database ?? path.join(scratch, 'database');
  if (options.database === undefined) {
    const written = await writeSampleDatabase({
      fileSystem: new NodeFileSystem(),
      dataDirectory,
      sizeBytes: Number(options.chunks) * CHUNK_BYTES,
      chunkSizeBytes: CHUNK_BYTES,
      seed: 1,
      streamCount: Number(options.streams),
      now: ticksFromIso('2026-01-01T00:00:00Z'),
      control: uncontrolled()
    });
    console.log(`${written.chunks} chunks, ${written.streams} streams, ${written.records} records`);
  }
  const memory = await measureMemory(dataDirectory);
  const measured = { ...(await measure(dataDirectory)), memory };
  print(measured);
  const worst = Math.max(...measured.parts.map(({ frames }) => frames.maxMs));
  if (worst > FRAME_LIMIT_MS || memory.shareMb > MEMORY_LIMIT_MB) process.exitCode = 1;
});
