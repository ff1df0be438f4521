// A setup file of vitest: keeps which functions of src-core the test file called.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { MARKS } from './reach.mjs';

const job = JSON.parse(readFileSync(process.env.WINNOW_MUTANT_JOB, 'utf8'));
globalThis.winnowMarks ??= new Uint8Array(MARKS);

afterAll(() => {
  const marks = [];
  for (const [mark, isSet] of globalThis.winnowMarks.entries()) if (isSet) marks.push(mark);
  const test = path.relative(process.cwd(), expect.getState().testPath).split(path.sep).join('/');
  writeFileSync(path.join(job.marks, `${randomUUID()}.json`), JSON.stringify({ test, marks }));
});
