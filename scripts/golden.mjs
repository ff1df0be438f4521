// Shows that the tests of test/golden hold for the golden databases of a directory: the packed ones they use have
// the same files with the same bytes, story by story, and none is missing on either side.
//   npm run -s golden -- DIRECTORY
import './answer-help.mjs';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { goldenNames, removeUnpacked, unpackGolden } from '../test/support/golden.ts';

// These hold no database (scripts/make-fixtures.mjs leaves them out).
const LEFT_OUT = new Set(['http', 'locks']);

const source = process.argv[2] && path.resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2]);
if (!source || !existsSync(source)) {
  console.error('Usage: npm run -s golden -- DIRECTORY, a directory of golden databases.');
  process.exit(2);
}

const filesBelow = (directory) =>
  readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => statSync(path.join(directory, name)).isFile())
    .sort();

/** What differs between a story and its packed form; undefined when nothing does. */
function difference(name) {
  const directory = path.join(source, name);
  const unpacked = unpackGolden(name);
  const [theirs, ours] = [filesBelow(directory), filesBelow(unpacked)];
  const missing = theirs.find((file) => !ours.includes(file)) ?? ours.find((file) => !theirs.includes(file));
  if (missing !== undefined) return `${missing} is only on one side`;
  const changed = theirs.find(
    (file) => !readFileSync(path.join(directory, file)).equals(readFileSync(path.join(unpacked, file)))
  );
  return changed === undefined ? undefined : `${changed} differs`;
}

const stories = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !LEFT_OUT.has(entry.name))
  .map(({ name }) => name);
const packed = goldenNames();
const failures = [...new Set([...stories, ...packed])].sort().flatMap((name) => {
  if (!packed.includes(name)) return [`${name}: not packed`];
  if (!stories.includes(name)) return [`${name}: packed, but not in ${source}`];
  const what = difference(name);
  return what === undefined ? [] : [`${name}: ${what}`];
});
removeUnpacked();
for (const failure of failures) console.log(`FAIL ${failure}`);
console.log(
  `${stories.length - failures.length} golden stories equal the packed ones, ${failures.length} do not`
);
process.exitCode = failures.length === 0 ? 0 : 1;
