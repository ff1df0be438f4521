// A setup file of vitest: keeps which functions of src-core each test called, and which were called outside of any.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { MARKS } from './reach.mjs';

globalThis.winnowMarks ??= new Uint8Array(MARKS);
let cpuBefore = 0;
const cpuMs = {};
const outside = new Set();
const tests = {};

/** Processor time of this process: unlike the clock it is the same whatever else the machine does. */
const cpuNow = () => process.cpuUsage().user / 1000;

function takeMarks() {
  const taken = [];
  for (const [mark, isSet] of globalThis.winnowMarks.entries()) if (isSet) taken.push(mark);
  globalThis.winnowMarks.fill(0);
  return taken;
}

beforeEach(() => {
  for (const mark of takeMarks()) outside.add(mark);
  cpuBefore = cpuNow();
});

afterEach(({ task }) => {
  cpuMs[task.fullTestName] = cpuNow() - cpuBefore;
  tests[task.fullTestName] = takeMarks();
});

afterAll(() => {
  for (const mark of takeMarks()) outside.add(mark);
  const test = path.relative(process.cwd(), expect.getState().testPath).split(path.sep).join('/');
  const kept = { test, outside: [...outside], tests, cpuMs };
  writeFileSync(path.join(process.env.WINNOW_MUTANT_MARKS, `${randomUUID()}.json`), JSON.stringify(kept));
});
