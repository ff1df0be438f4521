// Which tests call which functions of src-core. Each body of a function leaves a mark when it begins; what each test has marked is
// kept, with the time it took.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build.mjs';
import { bodiesOf, parsed } from './mutants-of.mjs';

/** A file has no more bodies than this; the first number of its own is that it was loaded. */
const BODIES = 1024;

/** Files of src-core, by their order the numbers of the marks. */
export const sources = readdirSync(path.join(root, 'src-core'), { recursive: true })
  .map((file) => `src-core/${file.split(path.sep).join('/')}`)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .sort();

export const MARKS = sources.length * BODIES;
const firstMark = (file) => sources.indexOf(file) * BODIES;

const digests = new Map();
/** The digest of a file of the tree, read once. */
export function digestOf(file) {
  if (!digests.has(file)) {
    const text = readFileSync(path.join(root, file));
    digests.set(file, createHash('sha256').update(text).digest('hex').slice(0, 16));
  }
  return digests.get(file);
}

/** The source of a file with a mark at the begin of each body; lines stay as they are. */
export function marked(file, text) {
  const first = firstMark(file);
  const bodies = bodiesOf(parsed(file, text));
  if (bodies.length >= BODIES) throw new Error(`${file} has more than ${BODIES} functions.`);
  const places = bodies.map((body, index) => [body.getStart() + 1, first + 1 + index]);
  let rest = text.length;
  const parts = [];
  for (const [place, mark] of places.sort(([one], [other]) => other - one)) {
    parts.unshift(`globalThis.winnowMarks[${mark}]=1;`, text.slice(place, rest));
    rest = place;
  }
  return `globalThis.winnowMarks[${first}]=1;${text.slice(0, rest)}${parts.join('')}`;
}

/** Marks of a run as each file's bodies; -1 for the file itself. */
export function bodiesByFile(marks) {
  const byFile = {};
  for (const mark of marks) {
    const file = sources[Math.floor(mark / BODIES)];
    (byFile[file] ??= []).push((mark % BODIES) - 1);
  }
  return byFile;
}

/** What a mutant's own folder and file test first: `core/restore/…` before another, `run-restore.test.ts` before that. */
function nearness(test, file) {
  const folder = file.split('/')[1];
  if (path.basename(test) === path.basename(file).replace(/\.ts$/, '.test.ts')) return 16;
  return test.split('/').some((part) => part.startsWith(folder)) ? 4 : 1;
}

/**
 * The tests that reach a mutant, by test file: those first that are near and quick. Quick by processor time, which is the same on a
 * machine with much to do; `ms` is what the clock said, for limits. Where a file calls a place outside of its tests, all of them
 * reach it. Of a source that has changed since it was measured, those tests do that call any of it.
 */
export function testsReaching({ file, body }, kept) {
  const found = [];
  for (const [test, measured] of Object.entries(kept.tests)) {
    if (measured.hasFailed || !(file in measured.sources)) continue;
    const isSame = measured.sources[file] === digestOf(file);
    const reaches = (bodies) =>
      bodies !== undefined && (isSame ? bodies.includes(body ?? -1) : bodies.some((one) => one >= 0));
    const isOutside = reaches(measured.outside[file]);
    const tests = Object.entries(measured.tests)
      .filter(([, { reached }]) => isOutside || reaches(reached[file]))
      .map(([name, { ms, cpuMs }]) => ({ name, ms, cpuMs }))
      .sort((one, other) => one.cpuMs - other.cpuMs);
    if (tests.length > 0) found.push({ test, tests });
  }
  const costOf = ({ test, tests }) => (LOAD_MS + tests[0].cpuMs) / nearness(test, file);
  return found.sort((one, other) => costOf(one) - costOf(other));
}

/** What loading a test file costs whose modules an earlier one of the same process has loaded. */
const LOAD_MS = 150;
/** The processor time of the first tests that run together, and how much more those after them may take. */
const FIRST_MS = 3000;
const MORE = 4;

/**
 * Of them, in their order, what together takes no more processor time than the seconds, at least one test; in batches that run
 * in one process each, small ones first: a change that never ends is known soon. `left`: the number of tests left out.
 */
export function affordable(found, seconds) {
  let rest = seconds * 1000;
  let left = 0;
  let limit = FIRST_MS;
  let batch = { files: [], cpuMs: 0, ms: 0 };
  const batches = [];
  for (const { test, tests } of found) {
    let cpuMs = LOAD_MS;
    let ms = LOAD_MS;
    const names = [];
    for (const { name, ms: own, cpuMs: ownCpu } of tests) {
      if (cpuMs + ownCpu > rest && (batches.length > 0 || names.length > 0)) break;
      cpuMs += ownCpu;
      ms += own;
      names.push(name);
    }
    left += tests.length - names.length;
    if (names.length === 0) continue;
    rest -= cpuMs;
    if (batch.files.length > 0 && batch.cpuMs + cpuMs > limit) {
      batch = { files: [], cpuMs: 0, ms: 0 };
      limit *= MORE;
    }
    if (batch.files.length === 0) batches.push(batch);
    batch.files.push({ test, names });
    batch.cpuMs += cpuMs;
    batch.ms += ms;
  }
  return { batches, left };
}
