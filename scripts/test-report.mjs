// What a run of tests wrote of itself, and its failures in words.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './build.mjs';

/** Lines of a failure's message that are repeated at the end. */
const MESSAGE_LINES = 6;

/** What a run of tests wrote of itself; undefined when it did not come as far. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export function shortened(message = '') {
  const lines = stripVTControlCharacters(message).trim().split('\n');
  return lines
    .slice(0, MESSAGE_LINES)
    .map((line) => `        ${line}`)
    .join('\n');
}

/** An error that came while no test waited for it, in words. */
export const outsideOf = (message) => `outside of every test\n${shortened(message)}`;

/** Those of a report of vitest. */
export function failuresIn({ testResults }) {
  return testResults.filter(({ status }) => status === 'failed').flatMap(failuresOf);
}

/** The failures of a file, in words. */
function failuresOf({ name, message, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  const inWords = failed.map(
    ({ fullName, failureMessages }) => `${fullName}\n${shortened(failureMessages[0])}`
  );
  return (inWords.length > 0 ? inWords : [`the file itself\n${shortened(message)}`]).map(
    (words) => `${path.relative(root, name)}: ${words}`
  );
}
