// Which tests call which functions of src-core. Each body of a function leaves a mark when it begins; what each test file has
// marked is kept, with the time it took.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

export const digestOf = (file) =>
  createHash('sha256')
    .update(readFileSync(path.join(root, file)))
    .digest('hex');

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

/** The tests that reach a mutant, the quickest first. Of a file that has changed since, those that call any of it. */
export function testsReaching({ file, body }, kept) {
  const isSame = kept.digests[file] === digestOf(file);
  const reaches = (bodies) =>
    bodies !== undefined && (isSame ? bodies.includes(body ?? -1) : bodies.some((one) => one >= 0));
  return Object.entries(kept.tests)
    .filter(([test, { reached }]) => reaches(reached[file]) && existsSync(path.join(root, test)))
    .map(([test, { ms }]) => ({ test, ms }))
    .sort((one, other) => one.ms - other.ms);
}
