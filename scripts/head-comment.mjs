import { readFileSync } from 'node:fs';

/** The lines of the comment at the head of a script: what it does, and its options. */
export function headComment(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, ''));
}
