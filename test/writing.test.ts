/** What is written avoids the words on the left of the table in docs/writing.md, also where a line breaks within them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const GUIDE = 'docs/writing.md';
/** Sentences of the real server, which have to stay as they are. */
const OF_THE_SERVER = ['Ping request successfully handled'];
/** Data and databases, not our writing. */
const FIXTURES = 'test/fixtures';

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return name === FIXTURES ? [] : filesBelow(name, ending);
    return ending.test(name) ? [name] : [];
  });
}

/** The left column of the table: phrases, several in a cell separated by commas. */
function neverWritten(): string[] {
  const text = readFileSync(path.join(root, GUIDE), 'utf8');
  const rows = [...text.matchAll(/^\| (?!Not |---)([^|]+) \| [^|]+ \|$/gm)].map((match) => match[1] ?? '');
  return rows.flatMap((cell) => cell.split(',').map((phrase) => phrase.trim()));
}

const WORDS = neverWritten();
/** Between two words of a phrase there may be the end of a line and the start of the next line of a comment. */
const BETWEEN = String.raw`(?:\s|\*|//)+`;
const PATTERN = new RegExp(
  String.raw`\b(?:${WORDS.map((phrase) => phrase.split(' ').join(BETWEEN)).join('|')})\b`,
  'gi'
);

function offencesIn(text: string): { line: number; phrase: string }[] {
  // Blanks of the same length, so that the lines keep their numbers.
  const ours = OF_THE_SERVER.reduce((rest, said) => rest.replaceAll(said, ' '.repeat(said.length)), text);
  return [...ours.matchAll(PATTERN)].map(({ 0: phrase, index }) => ({
    line: ours.slice(0, index).split('\n').length,
    phrase: phrase.replaceAll(/[\s*/]+/g, ' ')
  }));
}

function offences(names: readonly string[]): string[] {
  return names.flatMap((name) =>
    offencesIn(readFileSync(path.join(root, name), 'utf8')).map(
      ({ line, phrase }) => `${name}:${line}: ${phrase}`
    )
  );
}

describe('the words that we do not write', () => {
  test('are listed', () => {
    expect(WORDS.length).toBeGreaterThan(20);
    expect(WORDS.every((phrase) => /^[a-z][a-z ]+$/.test(phrase))).toBe(true);
  });

  test('are found within a line and across two', () => {
    const [first = '', second = ''] = WORDS.filter((phrase) => phrase.includes(' '));
    expect(offencesIn(`a ${first} b\n * c ${second.replace(' ', '\n * ')} d`)).toEqual([
      { line: 1, phrase: first },
      { line: 2, phrase: second }
    ]);
  });

  test('are in no text of the window or the commands, and in no comment', () => {
    const sources = ['src-core', 'src-main', 'src-renderer'].flatMap((tree) =>
      filesBelow(tree, /\.(?:ts|svelte|html|css)$/)
    );
    expect(offences([...sources, ...filesBelow('scripts', /\.(?:mjs|ts)$/)])).toEqual([]);
  });

  test('are in no name of a test and in no comment of one', () => {
    expect(offences(filesBelow('test', /\.(?:ts|mjs)$/))).toEqual([]);
  });

  test('are in no document', () => {
    const atTheTop = readdirSync(root).filter((name) => name.endsWith('.md'));
    const documents = filesBelow('docs', /\.md$/).filter((name) => name !== GUIDE);
    expect(offences([...documents, ...atTheTop])).toEqual([]);
  });
});
