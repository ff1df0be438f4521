/** The metrics of growth: dates and rates where they are known, absent where they are not. */
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { NodeScavenges } from '../../../src-main/cluster/node-scavenges.ts';
import type { GrowthReport } from '../../../src-main/contract/operations/usage-reports.ts';
import { createMetrics } from '../../../src-main/http/metrics.ts';

const NOW = Date.parse('2026-03-11T00:00:00Z');
const FULL = { days: 10, at: '2026-03-21T00:00:00.0000000Z' };
const NONE: GrowthReport = {
  unknown: 'notRead',
  freeBytes: 1,
  indexFreeBytes: null,
  growth: null,
  freedNowBytes: null,
  full: { withoutScavenges: null, withScavenges: null },
  curve: [],
  warnings: []
};
const KNOWN: GrowthReport = {
  ...NONE,
  unknown: null,
  growth: { writtenPerDay: 5000, lastingPerDay: 1200 } as GrowthReport['growth'],
  full: { withoutScavenges: FULL, withScavenges: null }
};

it('tell what is known once an hour, and nothing that is not', async () => {
  const time = { nowMs: NOW };
  let answer: GrowthReport | Error = KNOWN;
  let asked = 0;
  const scavenges = { events: new EventEmitter(), current: undefined };
  const registry = createMetrics(
    {
      node: {
        scavenges: scavenges as unknown as NodeScavenges,
        haveStatisticsPiledUp: () => Promise.resolve(false),
        coverage: () => Promise.resolve(undefined),
        lastComparison: () => undefined,
        replacedBytes: () => Promise.resolve(0),
        standing: () => Promise.reject(new Error('not asked for here')),
        growth: () => {
          asked++;
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
        }
      }
    },
    () => time.nowMs
  );
  const read = async () =>
    [...(await registry.metrics()).matchAll(/^winnow_(?:disk_full|log_growth).*$/gm)].map(([line]) => line);
  const known = [
    `winnow_disk_full_timestamp_seconds{scavenges="none"} ${Date.parse(FULL.at) / 1000}`,
    'winnow_log_growth_known{reason=""} 1',
    'winnow_log_growth_bytes_per_day{kind="written"} 5000',
    'winnow_log_growth_bytes_per_day{kind="lasting"} 1200'
  ];
  expect(await read()).toEqual(known);
  answer = NONE;
  time.nowMs += 30 * 60_000;
  expect(await read()).toEqual(known);
  expect(asked).toBe(1);
  time.nowMs += 31 * 60_000;
  expect(await read()).toEqual(['winnow_log_growth_known{reason="notRead"} 0']);
  answer = new Error('the directory is gone');
  time.nowMs += 3_600_000;
  expect(await read()).toEqual([]);
  answer = { ...KNOWN, full: { withoutScavenges: FULL, withScavenges: FULL } };
  scavenges.events.emit('ended', 'a run', 'success');
  expect(await read()).toHaveLength(5);
});
