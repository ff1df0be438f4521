/** The German catalogue says what the English one says: with the same values, and in German. */
import { expect, test } from 'vitest';
import { scheduleInGerman } from '../../../src-renderer/texts/german/schedule-words.ts';
import { german } from '../../../src-renderer/texts/german/german.ts';
import { english } from '../../../src-renderer/texts/english.ts';
import { OPERATION_TITLES } from '../../../src-main/contract/operations/operation-titles.ts';
import { titleInGerman } from '../../../src-main/contract/operations/german-titles.ts';

type Text = (...values: unknown[]) => unknown;

/** Texts of both catalogues by their place in the English one. */
function pairs(ours: unknown, theirs: unknown, place: string): [string, unknown, unknown][] {
  if (typeof ours !== 'object' || ours === null) return [[place, ours, theirs]];
  return Object.entries(ours).flatMap(([name, inner]) =>
    pairs(inner, (theirs as Record<string, unknown>)[name], `${place}.${name}`)
  );
}

const all = pairs(english, german, 'texts');
/** These put one text in place of another. */
const REWORDED = new Set(['texts.cron.whole', 'texts.activity.titled']);
const functions = all.filter(
  (pair): pair is [string, Text, Text] => typeof pair[1] === 'function' && !REWORDED.has(pair[0])
);
const sentences = all.filter((pair): pair is [string, string, string] => typeof pair[1] === 'string');

/** As text and as numbers: some texts count. No letters, which a text may write small. */
const VALUES: readonly (readonly unknown[])[] = [
  ['⟨1⟩', '⟨2⟩', '⟨3⟩', '⟨4⟩', '⟨5⟩', '⟨6⟩', '⟨7⟩', '⟨8⟩'],
  [101, 202, 303, 404, 505, 606, 707, 808],
  [1, 1, 1, 1, 1, 1, 1, 1]
];

/** The values that a text shows, each once; undefined: it wants another kind of value. */
function shownBy(text: Text, values: readonly unknown[]): string[] | undefined {
  try {
    const words = String(text(...values));
    return [...new Set(values.map(String))].filter((value) => words.includes(value));
  } catch {
    return undefined;
  }
}

test('there are texts to compare', () => {
  expect(functions.length).toBeGreaterThan(300);
  expect(sentences.length).toBeGreaterThan(1200);
});

test('each text has the values of the English one', () => {
  const wrong = functions.flatMap(([place, ours, theirs]) =>
    VALUES.slice(0, 2).flatMap((values) => {
      const shown = shownBy(ours, values);
      if (shown === undefined) return [];
      const other = shownBy(theirs, values);
      return JSON.stringify(shown) === JSON.stringify(other)
        ? []
        : [`${place}: ${shown.join()} ${other?.join()}`];
    })
  );
  expect(wrong).toEqual([]);
});

test('each sentence is translated', () => {
  const same = sentences
    .filter(([, ours, theirs]) => ours === theirs && /\p{Ll}/u.test(ours) && ours.split(/\s/).length > 3)
    .map(([place]) => place);
  expect(same).toEqual(['texts.records.filterHint']);
});

test('no text speaks of one as of many', () => {
  const many =
    /(?<![\d.,]|von |alle )1 (?:Bytes|Chunks|Events|Records|Streams|Dateien|Einträge|Zeilen|Backups|Nodes|Tage|Wochen)\b/;
  const wrong = functions
    .map(([, , theirs]) => {
      try {
        return String(theirs(...(VALUES[2] ?? [])));
      } catch {
        return '';
      }
    })
    .filter((words) => many.test(words));
  expect(wrong).toEqual([]);
});

test.each([
  ['0 6 * * 6', 'Um 06:00, nur jeden Samstag'],
  ['0 2 * * *', 'Um 02:00'],
  ['0 0,6,12,18 * * *', 'Zur vollen Stunde, alle 6 Stunden'],
  ['30 1 * * 1-5', 'Um 01:30, Montag bis Freitag'],
  ['not a schedule', 'as the engine says it']
])('the schedule %s is: %s', (expression, words) => {
  expect(scheduleInGerman(expression, 'as the engine says it')).toBe(words);
});

test('every operation has a German title, with its node', () => {
  for (const { title, before } of Object.values(OPERATION_TITLES)) {
    const named = [title, ...(before === null ? [] : [before]), 'node-a'].join(' ');
    expect(titleInGerman(named), named).toMatch(/, node-a$/);
    expect(titleInGerman(`Plan: ${named}`)).toBe(`Plan: ${titleInGerman(named)}`);
  }
  expect(titleInGerman('Verify')).toBe('Prüfung');
  expect(titleInGerman('Something of a later version')).toBe('Something of a later version');
});
