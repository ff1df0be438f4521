/** The nights of a cluster in a maintenance window: member after member, each by its own log, against the plans of the single ones. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { membersPlan } from '../../../src-main/contract/operations/window-reports.ts';
import { planCluster } from '../../../src-main/operations/scavenge/plan-cluster.ts';
import { planScavenge } from '../../../src-main/operations/scavenge/plan-scavenge.ts';
import { ScavengeRecords } from '../../../src-main/settings/scavenge-records.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(os.tmpdir(), 'winnow-cluster-plan-'));
});
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

const NOW = new Date(2026, 10, 23, 20).getTime();
const WINDOW = '02:00-02:30';

function contextFor(dataDirectory: string, signal = new AbortController().signal) {
  return testingContext('planCluster', { dataDirectory, signal, clock: () => NOW });
}

/** A member whose last scavenge took so long. */
function memberOf(minutes: number): string {
  const directory = unpackDatabase({ name: 'rules', folder: 'before' });
  const records = new ScavengeRecords(home, directory);
  const scavengeId = '26a383a4-04b3-4120-9aa3-22745c8b3e19';
  const start = { hostName: 'here', placement: 'detached' as const, number: 0, position: 1, threshold: 0 };
  records.appendStart({ scavengeId, at: '2026-11-01T00:00:00.0000000Z', resumed: false, ...start });
  const endAt = new Date(Date.UTC(2026, 10, 1) + minutes * 60_000).toISOString();
  records.appendEnd({
    scavengeId,
    at: endAt.replace('Z', '0000Z'),
    result: 'success',
    error: null,
    spaceSavedBytes: 0
  });
  return directory;
}

async function plan(members: string[], signal?: AbortSignal) {
  const [first = '', ...others] = members;
  const request = requests.planCluster.parse({
    dataDirectory: first,
    others: others.map((dataDirectory) => ({ dataDirectory })),
    window: WINDOW,
    winnowHome: home
  });
  return membersPlan.parse(await planCluster(request, contextFor(first, signal)));
}

it('no night has two members, each begins after the one before, and all together free what the single plans free', async () => {
  const members = [memberOf(90), memberOf(40), memberOf(60)];
  const report = await plan(members);
  expect(report.members.map(({ node }) => node)).toEqual(members);
  const nights = report.members.flatMap((member) => member.nights!);
  const begins = nights.map(({ from }) => Date.parse(from));
  expect(new Set(begins).size).toBe(begins.length);
  expect(begins).toEqual(begins.toSorted((a, b) => a - b));
  expect(nights.map(({ member }) => member)).toEqual(
    report.members.flatMap((member, at) => member.nights!.map(() => at + 1))
  );
  for (const [at, directory] of members.entries()) {
    const alone = await planScavenge(
      requests.planScavenge.parse({
        dataDirectory: directory,
        scavengePoint: 'detached',
        singleNode: false,
        window: WINDOW,
        winnowHome: home
      }),
      contextFor(directory)
    );
    const { bytesFreed, nights: own } = report.members[at]!;
    expect(bytesFreed).toBe(alone.spaceSavedBytes);
    expect(own!.map(({ chunks, chunksRead }) => [chunks, chunksRead])).toEqual(
      alone.window!.nights.map(({ chunks, chunksRead }) => [chunks, chunksRead])
    );
  }
  expect(report.bytesFreed).toBe(report.members.reduce((sum, { bytesFreed }) => sum + bytesFreed!, 0));
  expect(report.throughAt).toBe(nights.at(-1)!.endsAt);
});

it('a member that cannot be planned is not known, and neither is when those after it are through', async () => {
  const members = [memberOf(40), join(home, 'none'), memberOf(40)];
  const report = await plan(members);
  const [first, missing, last] = report.members;
  expect(first!.throughAt).not.toBeNull();
  expect(missing).toMatchObject({ bytesFreed: null, nights: null, why: expect.any(String) as string });
  expect(last).toMatchObject({
    nights: null,
    throughAt: null,
    why: 'It is not known when the members before it are through.'
  });
  expect(last!.bytesFreed).toBe(first!.bytesFreed);
  expect([report.bytesFreed, report.throughAt]).toEqual([null, null]);
});

it('is refused for what is no window, and stopped as a whole', async () => {
  const directory = memberOf(40);
  const request = requests.planCluster.parse({ dataDirectory: directory, window: '02:00' });
  await expect(planCluster(request, contextFor(directory))).rejects.toMatchObject({ code: 'InvalidRequest' });
  await expect(plan([directory], AbortSignal.abort())).rejects.toMatchObject({ name: 'OperationStopped' });
});
