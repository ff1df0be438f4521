/** Marks of records: asked together and after a rest, never guessed. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type {
  ExplainedRecordRow,
  RecordsExplanation
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { AskedTogether } from '../../../src-renderer/state/asked-together.svelte.ts';
import { marksOf } from '../../../src-renderer/state/records/record-marks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const scavenge: RecordsExplanation['scavenge'] = {
  placement: 'detached',
  resumed: false,
  point: { number: 0, position: 1000, effectiveNow: '2026-01-01T00:00:00.0000000Z', threshold: 0 }
};
const answerTo = (positions: number[]): RecordsExplanation => ({
  kind: 'records',
  known: true,
  records: positions.map((position) => ({ position, verdict: 'keep', rule: 'noRule', until: null })),
  scavenge
});

it('asks for all rows on screen at once, and only for what it does not know', async () => {
  const asked: number[][] = [];
  const marks = new AskedTogether<number, ExplainedRecordRow>();
  marks.restart((positions) => {
    asked.push(positions);
    return Promise.resolve(marksOf(answerTo(positions)));
  });
  for (const position of [0, 10, 20]) expect(marks.of(position)).toBe('asked');
  expect(asked).toEqual([]);
  await vi.runAllTimersAsync();
  expect(asked).toEqual([[0, 10, 20]]);
  expect(marks.of(10)).toMatchObject({ verdict: 'keep' });
  marks.of(30);
  await vi.runAllTimersAsync();
  expect(asked).toEqual([[0, 10, 20], [30]]);
});

it.each<[string, () => Promise<RecordsExplanation>]>([
  ['nothing is known', () => Promise.resolve({ kind: 'records', known: false, records: [], scavenge: null })],
  ['there is no point', () => Promise.resolve({ ...answerTo([0]), scavenge: { ...scavenge, point: null } })],
  ['the question fails', () => Promise.reject(new Error('damaged'))]
])('says "not known" where %s, and asks again only after a restart', async (_, ask) => {
  let count = 0;
  const marks = new AskedTogether<number, ExplainedRecordRow>();
  const counted = () => {
    count++;
    return ask().then(marksOf);
  };
  marks.restart(counted);
  marks.of(0);
  await vi.runAllTimersAsync();
  expect(marks.of(0)).toBe('unknown');
  expect(marks.of(10)).toBe('unknown');
  await vi.runAllTimersAsync();
  expect(count).toBe(1);
  marks.restart((positions) => Promise.resolve(marksOf(answerTo(positions))));
  expect(marks.of(0)).toBe('asked');
  await vi.runAllTimersAsync();
  expect(marks.of(0)).toMatchObject({ verdict: 'keep' });
});

it('drops an answer about another log', async () => {
  const marks = new AskedTogether<number, ExplainedRecordRow>();
  let answer: (report: RecordsExplanation) => void = () => undefined;
  marks.restart(() => new Promise<RecordsExplanation>((resolve) => (answer = resolve)).then(marksOf));
  marks.of(0);
  await vi.advanceTimersByTimeAsync(200);
  marks.restart((positions) => Promise.resolve(marksOf(answerTo(positions))));
  answer(answerTo([0]));
  await Promise.resolve();
  expect(marks.known(0)).toBeUndefined();
});
