/** The metrics of what was verified: a number where it is known, absent where it is not. */
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { NodeScavenges } from '../../../src-main/cluster/node-scavenges.ts';
import type { LogCoverageReport } from '../../../src-main/contract/operations/coverage-reports.ts';
import { createMetrics } from '../../../src-main/http/metrics.ts';

const NOW = Date.parse('2026-03-11T00:00:00Z');
const HALF: LogCoverageReport = {
  files: 2,
  bytes: 2000,
  verifiedFiles: 1,
  verifiedBytes: 1000,
  damagedFiles: 1,
  unknownFiles: 0,
  oldest: '2026-03-10T23:00:00.0000000Z',
  withinMs: 1,
  isWhole: false
};

function metricsOf(coverage: () => Promise<LogCoverageReport | undefined>) {
  const time = { nowMs: NOW };
  const scavenges = { events: new EventEmitter(), current: undefined as string | undefined };
  const node = {
    scavenges: scavenges as unknown as NodeScavenges,
    haveStatisticsPiledUp: () => Promise.resolve(false),
    growth: () => Promise.reject(new Error('not asked for here')),
    lastComparison: () => undefined,
    replacedBytes: () => Promise.resolve(1234),
    standing: () => Promise.reject(new Error('not asked for here')),
    coverage
  };
  const registry = createMetrics({ node }, () => time.nowMs);
  const read = async () => {
    const text = await registry.metrics();
    const values = [...text.matchAll(/^winnow_(log_verified|verification)(\S*) (\S+)$/gm)];
    return Object.fromEntries(values.map(([, name, rest, value]) => [`${name}${rest}`, Number(value)]));
  };
  return { read, time, scavenges, registry };
}

describe('the metric of replaced files', () => {
  it('tells the bytes that are kept', async () => {
    const { registry } = metricsOf(() => Promise.resolve(undefined));
    expect(await registry.metrics()).toContain('winnow_replaced_files_bytes 1234');
  });
});

describe('metrics of verification', () => {
  it('tell the share, the age of the oldest result and damaged chunks', async () => {
    let known = HALF;
    let asked = 0;
    const { read, time, scavenges } = metricsOf(() => {
      asked++;
      return Promise.resolve(known);
    });
    const half = {
      log_verified_ratio: 0.5,
      verification_oldest_age_seconds: 3600,
      verification_damaged_chunks: 1
    };
    expect(await read()).toEqual(half);
    known = { ...HALF, verifiedFiles: 2, verifiedBytes: 2000, damagedFiles: 0, isWhole: true };
    time.nowMs += 10_000;
    expect(await read()).toEqual({ ...half, verification_oldest_age_seconds: 3610 });
    expect(asked).toBe(1);
    time.nowMs += 60_000;
    // A scavenge has the engine.
    scavenges.current = 'a run';
    expect((await read())['log_verified_ratio']).toBe(0.5);
    scavenges.current = undefined;
    expect(await read()).toEqual({
      log_verified_ratio: 1,
      verification_oldest_age_seconds: 3670,
      verification_damaged_chunks: 0
    });
    known = { ...HALF, bytes: 10 ** 15, verifiedBytes: 10 ** 15 - 1 };
    time.nowMs += 60_000;
    expect((await read())['log_verified_ratio']).toBeLessThan(1);
  });

  it('are absent where it is not known', async () => {
    expect(await metricsOf(() => Promise.resolve(undefined)).read()).toEqual({});
    expect(await metricsOf(() => Promise.reject(new Error('in use'))).read()).toEqual({});
    const none = await metricsOf(() => Promise.resolve({ ...HALF, oldest: null, verifiedBytes: 0 })).read();
    expect(none).toEqual({ log_verified_ratio: 0, verification_damaged_chunks: 1 });
  });
});
