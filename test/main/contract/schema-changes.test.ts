/** A published schema takes nothing away from those who read by it, unless its version says so. */
import { expect, test } from 'vitest';
import { losses, versionOf } from '../../../scripts/schema-changes.mjs';

const text = { type: 'string' };
const answer = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });

test.each([
  ['a new member', answer({ a: text }), answer({ a: text, b: text }, ['b']), []],
  ['a new value', { enum: ['x'] }, { enum: ['x', 'y'] }, []],
  [
    'a new form',
    { anyOf: [text, { type: 'null' }] },
    { anyOf: [{ type: 'object' }, text, { type: 'null' }] },
    []
  ],
  ['a form beside the only one', text, { anyOf: [text, answer({})] }, []],
  ['a member that is gone', answer({ a: text }), answer({}), ['the answer.a is gone']],
  [
    'a member that may be missing',
    answer({ a: text }, ['a']),
    answer({ a: text }),
    ['the answer.a may be missing']
  ],
  [
    'another type, deep in a list',
    { type: 'array', items: answer({ a: text }) },
    { type: 'array', items: answer({ a: { type: 'integer' } }) },
    ['the answer[].a: "string" has become "integer"']
  ],
  ['a value that is gone', { enum: ['x', 'y'] }, { enum: ['x'] }, ['the answer: the value "y" is gone']],
  [
    'a form that is gone',
    { anyOf: [text, { type: 'null' }] },
    { anyOf: [text] },
    ['the answer: the form "null" is gone']
  ]
])('%s', (_what, earlier, later, lost) => {
  expect(losses(earlier, later)).toEqual(lost);
});

test('the version stands at the end of the id', () => {
  expect([versionOf({ $id: 'urn:winnow:schema:verify:12' }), versionOf({})]).toEqual([12, 0]);
});
