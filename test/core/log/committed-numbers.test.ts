/** Numbers that commits give, looked for forward and once: in walks, single look-ups and within a bound. */
import { expect, it } from 'vitest';
import {
  CommittedNumbers,
  type CommittedNumbersParts,
  type TransactionMember
} from '../../../src-core/log/committed-numbers.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';

interface Item {
  kind: 'prepare' | 'commit';
  position: number;
  transactionPosition: number;
  eventNumber: number;
}

const SPACING = 10;

/** A log of records 10 bytes apart; counts the records that were read. */
function logOf(items: readonly Omit<Item, 'position'>[]) {
  const log = {
    read: 0,
    end: items.length * SPACING,
    cursor: (from: number, to: number) => {
      let at = Math.ceil(from / SPACING) - 1;
      return {
        get record() {
          return { ...items[at]!, position: at * SPACING };
        },
        next() {
          at++;
          if (at >= items.length || at * SPACING >= to) return false;
          log.read++;
          return true;
        },
        close: () => undefined
      };
    }
  };
  return log;
}

const prepare = (transactionPosition: number) => ({
  kind: 'prepare' as const,
  transactionPosition,
  eventNumber: -1
});
const commit = (transactionPosition: number, eventNumber: number) => ({
  kind: 'commit' as const,
  transactionPosition,
  eventNumber
});
const member = (position: number, transactionPosition: number, offset: number): TransactionMember => ({
  position,
  transactionPosition,
  transactionOffset: offset,
  isTombstone: false,
  hasData: true
});

function numbersOf(log: ReturnType<typeof logOf>, parts: Partial<CommittedNumbersParts> = {}) {
  return new CommittedNumbers({
    log: log as unknown as CommittedNumbersParts['log'],
    breathe: () => Promise.resolve(),
    ...parts
  });
}

it('adds the offset of a member to the first number of its commit, transactions interleaved', async () => {
  const log = logOf([prepare(0), prepare(10), prepare(0), commit(10, 7), prepare(0), commit(0, 100)]);
  const numbers = numbersOf(log);
  expect(await numbers.of(member(0, 0, 0))).toBe(100);
  expect(await numbers.of(member(10, 10, 0))).toBe(7);
  expect(await numbers.of(member(20, 0, 1))).toBe(101);
  expect(await numbers.of({ ...member(40, 0, 2), isTombstone: true })).toBe(DELETED_STREAM_EVENT_NUMBER);
});

it('tells members that are never committed and those that are no events', async () => {
  const numbers = numbersOf(logOf([prepare(0), prepare(10), commit(10, 3)]));
  expect(await numbers.of(member(0, 0, 0))).toBeNull();
  expect(await numbers.of({ ...member(10, 10, -1), hasData: false })).toBeUndefined();
});

it('reads the log once more at most for a walk over many open transactions', async () => {
  const open = Array.from({ length: 2000 }, (_, i) => prepare(i * SPACING));
  const log = logOf([...open, commit(10, 3)]);
  const numbers = numbersOf(log);
  for (let i = 0; i < 2000; i++) await numbers.of(member(i * SPACING, i * SPACING, 0));
  expect(log.read).toBeLessThan((2 * log.end) / SPACING);
});

it('says nothing of what lies behind its bound', async () => {
  const log = logOf([prepare(0), ...Array.from({ length: 50 }, () => prepare(10)), commit(0, 5)]);
  const bound = numbersOf(log, { mostBytes: 100 });
  expect(await bound.of(member(0, 0, 0))).toBeUndefined();
  const { read } = log;
  expect(await bound.of(member(0, 0, 0))).toBeUndefined();
  expect(log.read).toBe(read);
  expect(await numbersOf(log, { mostBytes: 1000 }).of(member(0, 0, 0))).toBe(5);
});

it('keeps few commits in memory and finds all numbers all the same, forward and back', async () => {
  const items = Array.from({ length: 100 }, (_, i) => prepare(i * SPACING));
  const commits = Array.from({ length: 100 }, (_, i) => commit(i * SPACING, i));
  const numbers = numbersOf(logOf([...items, ...commits]), { mostCommits: 8 });
  for (const i of [0, 1, 50, 99, 98, 3, 0])
    expect(await numbers.of(member(i * SPACING, i * SPACING, 0))).toBe(i);
});
