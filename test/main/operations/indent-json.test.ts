import { describe, expect, it } from 'vitest';
import { indentJson } from '../../../src-main/operations/records/indent-json.ts';

describe('JSON with indents', () => {
  it.each([
    '{}',
    '[]',
    '"a \\" {b} [c], d: e"',
    'null',
    '{"a":1,"b":[true,null,{"c":"d"}],"e":{},"f":[]}',
    ' [ 1 , [ ] , { "a" : { } } ] '
  ])('of %s is what everybody else writes', (text) => {
    expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  it('keeps the digits of numbers that no double holds, and names that occur twice', () => {
    expect(indentJson('{"n":9007199254740993,"n":1.00}')).toBe('{\n  "n": 9007199254740993,\n  "n": 1.00\n}');
  });

  it.each(['', '{', 'abc', '{"a":1}x'])('is not made of %j', (text) => {
    expect(indentJson(text)).toBeNull();
  });

  it('is not made of what is nested deeper than anybody reads: its indents would fill the memory', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(indentJson(nested(256))).toBe(JSON.stringify(JSON.parse(nested(256)), null, 2));
    expect(indentJson(nested(100_000))).toBeNull();
  });
});
