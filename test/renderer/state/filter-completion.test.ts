import { describe, expect, test } from 'vitest';
import { completionsOf } from '../../../src-renderer/state/filter-completion.ts';

const words = (line: string, cursor = line.length): string[] =>
  completionsOf(line, cursor, { streams: ['order-1', 'a b'], types: ['Paid'] }).map(({ word }) => word);

describe('the completion of a filter', () => {
  test('offers the keys where a word begins, and those that fit what is typed', () => {
    expect(words('')).toContain('stream:');
    expect(words('kind:prepare p')).toEqual(['pos>', 'pos<']);
    expect(words('-st')).toEqual(['-stream:']);
  });

  test('offers the values of kinds and flags, and names in sight, quoted where they hold a blank', () => {
    expect(words('kind:')).toEqual(['kind:prepare', 'kind:commit', 'kind:system']);
    expect(words('flag:isj')).toEqual(['flag:isJson']);
    expect(words('stream:')).toEqual(['stream:order-1', 'stream:"a b"']);
    expect(words('type:P')).toEqual(['type:Paid']);
    expect(words('kind:prepare ')).toContain('flag:');
    expect(words('pos>12')).toEqual([]);
  });

  test('replaces the word at the cursor and leaves the others', () => {
    const [first] = completionsOf('ki stream:a', 2);
    expect(first).toEqual({ word: 'kind:', line: 'kind: stream:a', cursor: 5 });
    const [value] = completionsOf('kind:pre stream:a', 8);
    expect(value).toEqual({ word: 'kind:prepare', line: 'kind:prepare stream:a', cursor: 13 });
  });
});
