// Mutants that make no difference to what anyone could see, each with the reason (no-difference.json). They are found again by their
// line, so that a list survives lines that move; a line that changes is judged again.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build.mjs';

const LIST = path.join(root, 'scripts/mutants/no-difference.json');

/** How the list names a mutant: its file, its line without the spaces around it, the place in it, and the change. */
export function entryOf({ file, start, was, replacement }, text) {
  const begin = text.lastIndexOf('\n', start - 1) + 1;
  const end = text.indexOf('\n', start);
  const line = text.slice(begin, end === -1 ? undefined : end);
  const at = start - begin - (line.length - line.trimStart().length);
  return { file, line: line.trim(), at, was, replacement };
}

const keyOf = ({ file, line, at, was, replacement }) => JSON.stringify([file, line, at, was, replacement]);

export const readList = () => JSON.parse(readFileSync(LIST, 'utf8'));

/** The mutants that the list does not name. `texts`: of each of their files. */
export function withoutListed(mutants, texts, list) {
  const keys = new Set(list.map(keyOf));
  return mutants.filter((mutant) => !keys.has(keyOf(entryOf(mutant, texts.get(mutant.file)))));
}
