import { expect, it } from 'vitest';
import {
  MOST_CHARACTERS,
  MOST_DEPTH,
  MOST_VALUES,
  parseDocument,
  refuseUnbounded
} from '../../../src-main/contract/document-bounds.ts';

function nested(depth: number): unknown {
  let document: unknown = 1;
  for (let level = 0; level < depth; level++) document = level % 2 === 0 ? [document] : { a: document };
  return document;
}

it('takes what is as deep and as large as the bounds, and nothing beyond', () => {
  expect(() => refuseUnbounded(nested(MOST_DEPTH))).not.toThrow();
  expect(() => refuseUnbounded(nested(MOST_DEPTH + 1))).toThrow(`more than ${MOST_DEPTH} deep`);
  expect(() => refuseUnbounded(nested(200_000))).toThrow('deep');
  expect(() => refuseUnbounded(Array(MOST_VALUES - 1).fill(0))).not.toThrow();
  expect(() => refuseUnbounded(Array(MOST_VALUES).fill(0))).toThrow('values');
  expect(() => refuseUnbounded('x'.repeat(MOST_CHARACTERS + 1))).toThrow('too long');
  expect(() => refuseUnbounded({ ['x'.repeat(MOST_CHARACTERS + 1)]: 1 })).toThrow('too long');
});

it('ends for a document that contains itself', () => {
  const round: Record<string, unknown> = {};
  round['again'] = round;
  expect(() => refuseUnbounded(round)).toThrow('deep');
});

it.each([new Map([['a', 1]]), new Set([1]), new Date(0), new Uint8Array(4), /x/])(
  'takes no %s, which no request has',
  (value) => expect(() => refuseUnbounded({ value })).toThrow('contains a value that no request has')
);

it('reads JSON of hundreds of thousands of brackets without going down them', () => {
  expect(() => parseDocument('['.repeat(500_000) + ']'.repeat(500_000))).toThrow('deep');
  expect(() => parseDocument('{"a":')).toThrow('not valid JSON');
  expect(parseDocument('{"a":[1,"x",null]}')).toEqual({ a: [1, 'x', null] });
});
