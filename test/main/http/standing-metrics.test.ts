/** The metrics of how a node stands: what the page of all nodes shows of it, absent where it is not known. */
import { EventEmitter } from 'node:events';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { NodeScavenges } from '../../../src-main/cluster/node-scavenges.ts';
import type { FleetNode } from '../../../src-main/contract/operations/fleet-reports.ts';
import { addStandingMetrics } from '../../../src-main/http/standing-metrics.ts';
import { fleetNode } from '../../support/fleet-node.ts';

const NOW = Date.parse('2026-03-11T00:00:00Z');
const at = (time: string): number => Date.parse(time) / 1000;

function metricsOf(standing: () => Promise<FleetNode>) {
  const time = { nowMs: NOW };
  const scavenges = { events: new EventEmitter(), current: undefined as string | undefined };
  const registry = new Registry();
  addStandingMetrics(
    registry,
    { standing, scavenges: scavenges as unknown as NodeScavenges },
    () => time.nowMs
  );
  const read = async (): Promise<Record<string, number>> => {
    const values = [...(await registry.metrics()).matchAll(/^winnow_(\S+) (\S+)$/gm)];
    return Object.fromEntries(values.map(([, name, value]): [string, number] => [name ?? '', Number(value)]));
  };
  return { read, time, scavenges };
}

describe('metrics of how the node stands', () => {
  it('tell each column, and of states and notes which one it is', async () => {
    const { read } = metricsOf(() => Promise.resolve(fleetNode({ notes: ['notVerified'] })));
    expect(await read()).toEqual({
      log_bytes: 6000,
      index_bytes: 700,
      disk_free_bytes: 80_000,
      removable_bytes: 900,
      last_scavenge_timestamp_seconds: at('2026-03-09T00:00:00Z'),
      last_backup_timestamp_seconds: at('2026-03-10T01:00:00Z'),
      last_backup_rehearsed_timestamp_seconds: at('2026-03-10T02:00:00Z'),
      next_backup_timestamp_seconds: at('2026-03-12T01:00:00Z'),
      'node_health{state="notChecked"}': 0,
      'node_health{state="sound"}': 1,
      'node_health{state="findings"}': 0,
      'node_health{state="willNotStart"}': 0,
      'node_health{state="unclean"}': 0,
      'node_note{note="unreadable"}': 0,
      'node_note{note="damaged"}': 0,
      'node_note{note="diskFullSoon"}': 0,
      'node_note{note="neverScavenged"}': 0,
      'node_note{note="noBackup"}': 0,
      'node_note{note="backupNotRehearsed"}': 0,
      'node_note{note="backupFailed"}': 0,
      'node_note{note="notVerified"}': 1
    });
  });

  it('leave out what is not known, and a rehearsal that went wrong', async () => {
    const { read } = metricsOf(() =>
      Promise.resolve(
        fleetNode({
          removableBytes: null,
          lastScavenged: null,
          nextBackup: null,
          lastBackup: { ...fleetNode().lastBackup!, isRehearsedWell: false }
        })
      )
    );
    const told = await read();
    expect(told).toHaveProperty('last_backup_timestamp_seconds');
    for (const name of [
      'removable_bytes',
      'last_scavenge_timestamp_seconds',
      'next_backup_timestamp_seconds'
    ])
      expect(told).not.toHaveProperty(name);
    expect(told).not.toHaveProperty('last_backup_rehearsed_timestamp_seconds');
  });

  it('are asked for every ten minutes and after a scavenge, never while one runs, and gone when nothing answers', async () => {
    let asked = 0;
    let answer: FleetNode | Error = fleetNode();
    const { read, time, scavenges } = metricsOf(() => {
      asked++;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    });
    await read();
    time.nowMs += 9 * 60_000;
    await read();
    expect(asked).toBe(1);
    scavenges.current = 'a run';
    time.nowMs += 2 * 60_000;
    expect((await read())['log_bytes']).toBe(6000);
    expect(asked).toBe(1);
    scavenges.current = undefined;
    scavenges.events.emit('ended', 'a run', 'success');
    answer = new Error('the directory is gone');
    expect(await read()).toEqual({});
    expect(asked).toBe(2);
  });
});
