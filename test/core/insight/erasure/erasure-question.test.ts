/** What an erasure report can be asked about, and what it refuses before it reads a byte. */
import { expect, test } from 'vitest';
import { EngineError } from '../../../../src-core/errors.ts';
import {
  patternsOf,
  subjectsOf,
  type ErasureQuestion
} from '../../../../src-core/insight/erasure/erasure-question.ts';

const NOTHING: ErasureQuestion = { streams: [], categories: [], eventIds: [] };

test.each([
  ['nothing at all', {}, 'streams', 'names nothing to search for'],
  ['an empty stream', { streams: [''] }, 'stream', 'An empty name was given'],
  ['an empty category', { categories: [''] }, 'category', 'An empty name was given'],
  ['a category that is only its hyphen', { categories: ['-'] }, 'category', 'An empty name was given'],
  ['an id that is none', { eventIds: ['4711'] }, 'eventIds', '"4711" is not an event id'],
  [
    'an id with more behind it',
    { eventIds: ['aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee0'] },
    'eventIds',
    'is not an event id'
  ]
])('%s is refused, with the field and a remedy', (_name, asked, field, message) => {
  let refusal: unknown;
  try {
    subjectsOf({ ...NOTHING, ...asked });
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(EngineError);
  expect(refusal).toMatchObject({ code: 'InvalidRequest', details: { field } });
  expect(refusal).toHaveProperty('message', expect.stringContaining(message));
  expect(refusal).toHaveProperty('remedy', expect.stringMatching(/\.$/));
});

test('what is asked for twice is one subject', () => {
  const id = 'AAAAAAAA-bbbb-4ccc-8ddd-eeeeeeeeeeee';
  const subjects = subjectsOf({
    streams: ['order', 'order'],
    categories: ['order', 'order-'],
    eventIds: [id, id.toLowerCase()]
  });
  expect(subjects).toEqual([
    { asked: 'stream', name: 'order' },
    { asked: 'category', name: 'order' },
    { asked: 'event', name: id.toLowerCase() }
  ]);
});

test.each([
  ['of digits only', '11111111-2222-4333-8444-555555555555'],
  ['that reads the same in both byte orders', '11111111-2222-3333-8444-555555555555'],
  ['with letters', 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee']
])('an id %s is looked for once in each of its spellings', (_name, id) => {
  const spellings = patternsOf([{ asked: 'event', name: id }]).map(({ bytes }) => bytes.toString('hex'));
  expect(new Set(spellings).size).toBe(spellings.length);
});
