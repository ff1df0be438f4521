/** Every text with a count, with the count one: no "1 files", no "1 file are". */
import { expect, test } from 'vitest';
import { texts } from '../../src-renderer/texts.ts';

type Text = (...values: unknown[]) => unknown;

/** Words that end like a plural and are none. */
const SINGULAR =
  /^(is|was|has|as|its|this|less|does|goes|lies|holds|stays|needs|leads|differs|becomes|belongs)$/;

/** Of one among more, or in one, something else may be many. */
const ONE = String.raw`(?<![\d.,]|of |in )1`;
const PLURAL = new RegExp(String.raw`${ONE} (?!of )((?:[a-z]+ )?[a-z]+s)\b`, 'g');
const VERB = new RegExp(
  String.raw`${ONE}(?: thing)?(?: more)? (?:are|were|have|need|lead|belong|lie|hold|do|go|stay|differ)\b`
);

function faultsOf(text: string): string[] {
  const plural = [...text.matchAll(PLURAL)]
    .map(([, words]) => words!)
    .filter((words) => !words.split(' ').some((word) => SINGULAR.test(word)));
  const verb = VERB.exec(text);
  return [...plural, ...(verb ? [verb[0]] : [])];
}

/** Functions of the tree with their paths. */
function functionsIn(value: unknown, path: string): [string, Text][] {
  if (typeof value === 'function') return [[path, value as Text]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => functionsIn(inner, `${path}.${name}`));
}

const functions = functionsIn(texts, 'texts');

test('there are texts to look at', () => {
  expect(functions.length).toBeGreaterThan(150);
});

test.each(functions)('%s speaks of one as of one', (_path, text) => {
  // What has one form for one and another for more takes a number.
  const knowsItsNumber = wordsOf(text, 1)?.replaceAll('1', '2') !== wordsOf(text, 2);
  for (const value of knowsItsNumber ? [1] : [1, '1', '1 thing']) {
    const words = wordsOf(text, value);
    if (words !== undefined) expect(faultsOf(words), words).toEqual([]);
  }
});

/** undefined: it wants another kind of value. */
function wordsOf(text: Text, value: number | string): string | undefined {
  try {
    const words = text(...Array.from({ length: 8 }, () => value));
    return typeof words === 'string' ? words : undefined;
  } catch {
    return undefined;
  }
}
