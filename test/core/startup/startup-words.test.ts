/** How long the next start takes, in a sentence: what takes longest is named first. */
import { expect, it } from 'vitest';
import type { StartPart } from '../../../src-core/insight/doctor/start-estimate.ts';
import type { StartupForecast } from '../../../src-core/startup/forecast-startup.ts';
import { startupWords } from '../../../src-core/startup/startup-words.ts';

type Parts = [what: StartPart, ms: number, isInBackground?: boolean][];

function words(parts: Parts, { preparedMs = 0, steps = 1, refusal = '' } = {}): string {
  const shown = parts.map(([what, ms, isInBackground = false]) => ({ what, ms, isInBackground }));
  const estimatedMs = shown.reduce((sum, part) => sum + (part.isInBackground ? 0 : part.ms), 0);
  return startupWords({
    estimatedMs,
    preparedMs,
    parts: shown,
    preparation: { steps: Array.from({ length: steps }, () => ({})) },
    examination: { prediction: { starts: refusal === '', words: refusal } }
  } as unknown as StartupForecast);
}

it('says no more than that of a short one', () => {
  expect(words([['openChunks', 300]])).toBe('The next start takes less than a second.');
  expect(words([])).toBe('The next start takes less than a second.');
});

it('names what takes a second or longer, the longest first, and not what runs in the background', () => {
  const parts: Parts = [
    ['openChunks', 2000],
    ['readLogIntoIndex', 600_000],
    ['loadFilter', 900],
    ['hashChunks', 9_000_000, true]
  ];
  expect(words(parts, { preparedMs: 3000 })).toBe(
    'The next start takes about 10 minutes: reading the log into the index 10 minutes, opening the chunk files 2 seconds. ' +
      'Prepared beforehand, it takes about 3 seconds.'
  );
});

it('gives a single cause without its time, which is that of the whole', () => {
  expect(words([['hashTables', 5000]], { preparedMs: 999 })).toBe(
    'The next start takes about 5 seconds, for hashing the index tables. Prepared beforehand, it takes less than a second.'
  );
});

it('names no cause where each is short, and no preparation where there is none', () => {
  const parts: Parts = [
    ['openChunks', 700],
    ['loadFilter', 800]
  ];
  expect(words(parts, { steps: 0 })).toBe('The next start takes about 2 seconds.');
});

it('says why a start fails in place of how long it takes', () => {
  expect(words([['openChunks', 2000]], { refusal: 'This node will not start: chunk 3 is missing.' })).toBe(
    'This node will not start: chunk 3 is missing.'
  );
});
