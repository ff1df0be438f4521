/** The metrics of registered clusters: what the page of all nodes shows of them, bounded, escaped, and never waited for long. */
import { describe, expect, it } from 'vitest';
import type { FleetCluster, FleetReport } from '../../../src-main/contract/operations/fleet-reports.ts';
import { createMetrics } from '../../../src-main/http/metrics.ts';
import { clusterReport } from '../../support/cluster-report.ts';

const NOW = Date.parse('2026-03-11T00:00:00Z');
const SECOND = (time: string): number => Date.parse(time) / 1000;

function metricsOf(clusters: () => Promise<FleetReport>) {
  const time = { nowMs: NOW };
  const registry = createMetrics({ node: undefined, clusters }, () => time.nowMs);
  const read = async (): Promise<string[]> =>
    [...(await registry.metrics()).matchAll(/^winnow_cluster.*$/gm)].map(([line]) => line);
  return { read, time };
}

const changed = (edit: Partial<FleetCluster>): FleetReport => {
  const [local, live] = clusterReport().clusters;
  return clusterReport({ clusters: [local!, { ...live!, ...edit }] });
};

describe('metrics of clusters', () => {
  it('tell members, what they are behind, health, last and next scavenge', async () => {
    const { read } = metricsOf(() => Promise.resolve(clusterReport()));
    const lines = await read();
    expect(lines).toEqual(
      expect.arrayContaining([
        'winnow_clusters 2',
        'winnow_cluster_answers{cluster="local"} 1',
        'winnow_cluster_answers{cluster="live"} 1',
        `winnow_cluster_next_scavenge_timestamp_seconds{cluster="live"} ${SECOND('2026-03-12T06:00:00Z')}`,
        // Two directories of one name.
        'winnow_cluster_member_up{cluster="local",member="data"} 1',
        'winnow_cluster_member_up{cluster="local",member="data (2)"} 1',
        'winnow_cluster_member_up{cluster="live",member="10.0.0.1:2113"} 1',
        'winnow_cluster_member_up{cluster="live",member="10.0.0.2:2113"} 0',
        'winnow_cluster_member_behind_bytes{cluster="local",member="data"} 0',
        'winnow_cluster_member_behind_bytes{cluster="local",member="data (2)"} 1000',
        'winnow_cluster_member_state{cluster="live",member="10.0.0.1:2113",state="Leader"} 1',
        'winnow_cluster_member_health{cluster="local",member="data",state="sound"} 1',
        'winnow_cluster_member_health{cluster="local",member="data",state="willNotStart"} 0',
        `winnow_cluster_member_last_scavenge_timestamp_seconds{cluster="local",member="data"} ${SECOND('2026-03-09T00:00:00Z')}`
      ])
    );
    // Not known is absent.
    const about = (name: string, member: string) =>
      lines.filter(
        (line) => line.startsWith(`winnow_cluster_${name}{`) && line.includes(`member="${member}"`)
      );
    expect(about('member_behind_bytes', '10.0.0.2:2113')).toEqual([]);
    expect(about('member_health', 'data (2)')).toEqual([]);
    expect(about('member_last_scavenge_timestamp_seconds', 'data (2)')).toEqual([]);
    expect(lines.some((line) => line.startsWith('winnow_cluster_next') && line.includes('local'))).toBe(
      false
    );
  });

  it('say of a cluster that cannot be asked only that', async () => {
    const error = { code: 'RemoteNodeFailed', message: 'No answer.', remedy: 'Check the address.' };
    const { read } = metricsOf(() => Promise.resolve(changed({ error, members: [], nextScavenge: null })));
    const lines = (await read()).filter((line) => line.includes('live'));
    expect(lines).toEqual(['winnow_cluster_answers{cluster="live"} 0']);
  });

  it('have bounded and escaped labels, whatever members say of themselves', async () => {
    const members = Array.from({ length: 1000 }, (_, i) => ({
      ...{ node: `${'x'.repeat(500)}"\n\\\u0000${i}`, state: `state "${i}"\n`, isAlive: true },
      ...{ writerCheckpoint: i, error: null }
    }));
    const many = Array.from({ length: 500 }, (_, i) => ({ ...clusterReport().clusters[1]!, name: `c${i}` }));
    const { read } = metricsOf(() =>
      Promise.resolve(clusterReport({ clusters: [{ ...many[0]!, members }, ...many] }))
    );
    const lines = await read();
    expect(lines).toContain('winnow_clusters 501');
    expect(
      lines.every((line) => /^\w+(?:\{(?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? [\d.e+-]+$/.test(line))
    ).toBe(true);
    expect(lines.every((line) => line.length < 400)).toBe(true);
    expect(lines.length).toBeLessThan(50 * 25 * 6);
    const states = new Set(lines.flatMap((line) => /state="([^"]*)"/.exec(line)?.[1] ?? []));
    expect([...states].sort()).toEqual(['Follower', 'Leader', 'Other']);
  });

  it('ask again after minutes, hold no scrape up for a cluster that is slow, and forget what is no longer known', async () => {
    let asked = 0;
    let answer = (): Promise<FleetReport> => Promise.resolve(clusterReport());
    const { read, time } = metricsOf(() => {
      asked++;
      return answer();
    });
    await read();
    expect(await read()).toContain('winnow_clusters 2');
    expect(asked).toBe(1);
    time.nowMs += 10 * 60_000;
    let end: (report: FleetReport) => void = () => undefined;
    answer = () => new Promise((resolve) => (end = resolve));
    // The last answer, while the next one is waited for.
    expect(await read()).toContain('winnow_clusters 2');
    expect(asked).toBe(2);
    end(clusterReport({ clusters: [] }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await read()).toEqual(['winnow_clusters 0']);
    time.nowMs += 10 * 60_000;
    answer = () => Promise.reject(new Error('the list cannot be read'));
    expect(await read()).toEqual([]);
  }, 30_000);
});
