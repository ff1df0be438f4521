import { describe, expect, test } from 'vitest';
import { removedByRuleInWords } from '../../../src-renderer/state/usage/rule-words.ts';

const item = {
  name: 'order',
  streams: 2,
  records: 3,
  bytes: 3072,
  byRule: [
    { rule: 'maxAge' as const, records: 2, bytes: 2048 },
    { rule: 'maxCount' as const, records: 1, bytes: 1024 }
  ]
};
const removed = (itemCount: number) => ({
  byCategory: { items: [item], itemCount },
  byStream: { items: [], itemCount: 0 }
});

describe('by which rules bytes of a field of the map would go', () => {
  test('a category has what the plan counted', () => {
    expect(removedByRuleInWords('category', 'order', removed(1))).toBe(
      'Maximum age 2.00 KiB, Maximum count 1.00 KiB'
    );
  });

  test('what the plan does not name is nothing only where it names all', () => {
    expect(removedByRuleInWords('category', 'cart', removed(1))).toBe('nothing');
    expect(removedByRuleInWords('category', 'cart', removed(2))).toBe('not among the largest in the plan');
  });

  test('without a plan, and of an event type, it is said what is missing', () => {
    expect(removedByRuleInWords('category', 'order', undefined)).toMatch(/compute the plan/);
    expect(removedByRuleInWords('type', 'Placed', removed(1))).toMatch(/rules belong to streams/);
  });
});
