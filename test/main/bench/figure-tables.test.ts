/** The tables of docs/performance.md from given figures. */
import { describe, expect, test } from 'vitest';
import { shareOfOneThread, tablesOf } from '../../../scripts/bench/figure-tables.mjs';
import { growthPoints, growthTable } from '../../../scripts/bench/growth.mjs';
import { done, failed, growthFigures, runOf, scavengeFigures, threadFigures } from './figures-of-a-run.ts';

const GIB = 2 ** 30;

function rowOf(table: string | undefined, title: string): string[] {
  const line = (table ?? '').split('\n').find((one) => one.startsWith(`| ${title} |`));
  return (line ?? '')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe('the tables of a run', () => {
  test('show a phase with its floor, its target and the server', () => {
    const { scavenge } = tablesOf(runOf({ scavenge: done(scavengeFigures) }));
    expect(rowOf(scavenge, 'Phase')).toEqual([
      ...['Phase', 'Time', 'Floor', 'Of the floor', 'Target', 'Server', 'Times as fast', 'Peak memory']
    ]);
    expect(rowOf(scavenge, 'accumulation')).toEqual([
      ...['accumulation', '1.00 s', '250 ms', '0.25', '0.40', '2.5 to 3.5 s', '3.00', '200 MiB']
    ]);
    expect(rowOf(scavenge, 'throttled to 50 %').slice(0, 5)).toEqual([
      ...['throttled to 50 %', '50.4 % at work', '', '', '45 to 55 %']
    ]);
    expect(scavenge).toContain('1,742,157 records, 100,000 streams; 1 thread, medians of 3 runs.');
  });

  test('compare with the server by the hashing of each machine', () => {
    const { server } = tablesOf(runOf({ threads: done(threadFigures) }));
    // 13.4 s are 5.83 times 2.3 s, 67 s are 14.57 times 4.6 s.
    expect(rowOf(server, 'whole scavenge, one thread')).toEqual([
      ...['whole scavenge, one thread', '13.40 s', '5.83', '67.00 s', '14.57', '0.40', '0.20', '300 MiB']
    ]);
    expect(rowOf(server, 'index rebuild')[5]).toBe('0.20');
  });

  test('say what a second thread gains and what sixteen would take', () => {
    const { threads } = tablesOf(runOf({ threads: done(threadFigures) }));
    expect(rowOf(threads, 'first reading: usage, nothing known').slice(1, 7)).toEqual([
      ...['8.00 s', '4.00 s', '1.00', '0 %', '500 ms', '16.00']
    ]);
    expect(rowOf(threads, 'usage from digests').slice(1, 7)).toEqual([
      ...['400 ms', '400 ms', '0.00', '100 %', '400 ms', '1.00']
    ]);
    expect(rowOf(threads, 'accumulation').slice(1, 5)).toEqual(['2.00 s', '1.10 s', '0.82', '10 %']);
  });

  test('leave the place of a part alone that failed or was not measured', () => {
    const tables = tablesOf(runOf({ scavenge: failed('scavenge ended with 1.') }));
    expect(tables['scavenge']).toBeUndefined();
    expect(tables['answers']).toBeUndefined();
    expect(tables['machine']).toContain('2 processors (Some 9000), 24.0 GiB of memory');
  });

  test('say so if they come from small databases or from several commits', () => {
    const { machine } = tablesOf(runOf({ scavenge: done(scavengeFigures, 'def7654321') }, true));
    expect(machine).toContain('these figures say nothing');
    expect(machine?.replaceAll('\n', ' ')).toContain(
      'at commit abc1234567 (of an earlier one: scavenge def7654321)'
    );
  });

  test('count all work as one thread’s where a second one makes it slower', () => {
    expect(shareOfOneThread(1000, 1200)).toBe(1);
    expect(shareOfOneThread(1000, 450)).toBe(0);
  });
});

describe('the growth', () => {
  const parts = {
    'streams:10000000': done(growthFigures(3 * GIB, 10_000_000, 20, null)),
    'streams:10000': done(growthFigures(GIB, 10_000, 1)),
    'streams:1000000': failed('no room'),
    'size:2GiB': done(growthFigures(2 * GIB, 100_000, 2))
  };

  test('is in the order of the streams, without what failed', () => {
    expect(growthPoints(parts, 'streams').map(({ x }) => x)).toEqual([10_000, 10_000_000]);
    expect(growthPoints(parts, 'size').map(({ x }) => x)).toEqual([2 * GIB]);
  });

  test('has a column for each point, and says what was not answered', () => {
    const table = growthTable(growthPoints(parts, 'streams'), 'streams');
    expect(rowOf(table, 'Streams')).toEqual(['Streams', '10,000', '10,000,000']);
    expect(rowOf(table, 'log')).toEqual(['log', '1.0 GiB', '3.0 GiB']);
    expect(rowOf(table, 'plan')).toEqual(['plan', '300 ms, 100 MiB', 'not in its time']);
    expect(rowOf(table, 'accumulation, records a second').slice(1)).toEqual(['2,000,000', '2,000,000']);
  });
});
