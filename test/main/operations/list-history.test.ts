/** The history of a database as one list: what its log tells, and what was recorded in WINNOW_HOME. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { historyReport, type HistoryRun } from '../../../src-main/contract/operations/reports.ts';
import { ScavengeRecords, type ScavengeStartLine } from '../../../src-main/settings/scavenge-records.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runOperation } from '../../support/testing-context.ts';

let winnowHome: string;
let nowMs: number;
let warnings: string[];

beforeEach(() => {
  winnowHome = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-history-'));
  nowMs = Date.UTC(2026, 11, 1);
  warnings = [];
});
afterEach(() => {
  fs.rmSync(winnowHome, { recursive: true, force: true });
  removeUnpacked();
});

/** Each operation takes place a second after the one before. */
function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, {
    clock: () => (nowMs += 1000),
    onLog: ({ level, message }) => {
      if (level === 'warning') warnings.push(message);
    }
  });
}

async function historyOf(dataDirectory: string): Promise<HistoryRun[]> {
  const report = await run('listHistory', { dataDirectory, winnowHome });
  return historyReport.parse(report).runs;
}

function start(change: Partial<ScavengeStartLine>): ScavengeStartLine {
  return {
    scavengeId: 'a',
    at: '2026-12-01T00:00:00.0000000Z',
    hostName: 'db-1',
    placement: 'detached',
    number: 3,
    position: 65_536,
    threshold: 5,
    resumed: false,
    ...change
  };
}

function recordsFile(): string {
  const directory = path.join(winnowHome, 'scavenge-history');
  return path.join(directory, fs.readdirSync(directory)[0]!);
}

describe('history', () => {
  it('has a detached run that the log does not tell of, before the server’s own', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-twice' });
    const report = await run('runScavenge', { dataDirectory, winnowHome, scavengePoint: 'detached' });
    const runs = await historyOf(dataDirectory);
    expect(runs).toMatchObject([
      {
        scavengeId: report.scavengeId,
        result: 'success',
        placement: 'detached',
        threshold: 0,
        spaceSavedBytes: report.spaceSavedBytes,
        by: 'winnow',
        node: `winnow@${os.hostname()}`,
        recordedIn: 'winnowHome'
      },
      { result: 'success', placement: 'new', by: 'server', recordedIn: 'log' },
      { result: 'success', placement: 'new', by: 'server', recordedIn: 'log' }
    ]);
    expect(runs[0]!.startedAt < runs[0]!.endedAt!).toBe(true);
  });

  it('has a run on a single node once, from the log', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const report = await run('runScavenge', { dataDirectory, winnowHome, singleNode: true });
    expect(await historyOf(dataDirectory)).toMatchObject([
      { scavengeId: report.scavengeId, result: 'success', placement: 'new', by: 'winnow', recordedIn: 'log' }
    ]);
    expect(fs.existsSync(path.join(winnowHome, 'scavenge-history'))).toBe(false);
  });

  it('has the runs of members in WINNOW_HOME only', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    await run('runScavenge', { dataDirectory, winnowHome, scavengePoint: 'new', singleNode: false });
    expect(await historyOf(dataDirectory)).toMatchObject([{ placement: 'new', recordedIn: 'winnowHome' }]);
  });

  it('has neither plans nor runs that found nothing to do', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    await run('planScavenge', { dataDirectory, winnowHome, singleNode: true });
    await run('planScavenge', { dataDirectory, winnowHome, scavengePoint: 'detached' });
    await run('runScavenge', { dataDirectory, winnowHome, scavengePoint: 'existing' });
    expect(await historyOf(dataDirectory)).toEqual([]);
    expect(fs.readdirSync(winnowHome).filter((name) => name !== 'digests')).toEqual([]);
  });

  it('says of a stopped run what went on with it', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const detached = { dataDirectory, winnowHome, scavengePoint: 'detached' } as const;
    const stopped = await run('runScavenge', { ...detached, stopAfter: 'calculation' });
    await run('runScavenge', detached);
    expect(await historyOf(dataDirectory)).toMatchObject([
      { result: 'success', resumes: stopped.scavengeId },
      { result: 'stopped', resumes: null }
    ]);
  });

  it('calls a run without an end interrupted, and it is one line with what went on with it', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const records = new ScavengeRecords(winnowHome, dataDirectory);
    records.appendStart(start({ scavengeId: 'a' }));
    expect(await historyOf(dataDirectory)).toMatchObject([
      { scavengeId: 'a', scavengeIds: ['a'], result: 'interrupted', endedAt: null, spaceSavedBytes: 0 }
    ]);
    records.appendStart(start({ scavengeId: 'b', resumed: true, at: '2026-12-01T01:00:00.0000000Z' }));
    expect(await historyOf(dataDirectory)).toMatchObject([
      {
        scavengeId: 'b',
        scavengeIds: ['a', 'b'],
        startedAt: '2026-12-01T00:00:00.0000000Z',
        result: 'resumed',
        elapsedMs: null
      }
    ]);
    records.appendStart(start({ scavengeId: 'c', resumed: true, at: '2026-12-01T02:00:00.0000000Z' }));
    records.appendEnd({
      scavengeId: 'c',
      at: '2026-12-01T02:00:07.0000000Z',
      result: 'success',
      error: null,
      spaceSavedBytes: 9
    });
    expect(await historyOf(dataDirectory)).toMatchObject([
      { scavengeId: 'c', scavengeIds: ['a', 'b', 'c'], result: 'success', spaceSavedBytes: 9, resumes: null }
    ]);
  });

  it('has what a killed run of ours had freed until then', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const report = await run('runScavenge', { dataDirectory, winnowHome, scavengePoint: 'detached' });
    const lines = fs.readFileSync(recordsFile(), 'utf8').trimEnd().split('\n');
    const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect([kinds[0], kinds.at(-1)]).toEqual(['start', 'end']);
    expect(kinds.filter((kind) => kind === 'saved').length).toBeGreaterThan(0);
    fs.writeFileSync(recordsFile(), `${lines.slice(0, 2).join('\n')}\n`);
    const [killed] = await historyOf(dataDirectory);
    expect(killed).toMatchObject({ scavengeId: report.scavengeId, result: 'interrupted', endedAt: null });
    expect(killed!.spaceSavedBytes).toBeGreaterThan(0);
    expect(killed!.elapsedMs).toBeGreaterThan(0);
  });

  it('joins a run to no other point’s and to no finished one', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const records = new ScavengeRecords(winnowHome, dataDirectory);
    records.appendStart(start({ scavengeId: 'a', position: 1 }));
    records.appendStart(
      start({ scavengeId: 'b', placement: 'existing', at: '2026-12-01T01:00:00.0000000Z' })
    );
    records.appendStart(start({ scavengeId: 'c', resumed: true, at: '2026-12-01T02:00:00.0000000Z' }));
    expect((await historyOf(dataDirectory)).map(({ scavengeIds }) => scavengeIds)).toEqual([
      ['c'],
      ['b'],
      ['a']
    ]);
  });

  it('has the run that a server was killed in, and went on with, once', async () => {
    const dataDirectory = unpackDatabase({ name: 'killed-scavenge', folder: 'after-resume' });
    const runs = await historyOf(dataDirectory);
    expect(runs).toMatchObject([
      { result: 'success', placement: 'new', by: 'server', spaceSavedBytes: 94_208 + 360_448, resumes: null }
    ]);
    expect(runs[0]!.scavengeIds).toHaveLength(2);
    expect(runs[0]!.scavengeIds[1]).toBe(runs[0]!.scavengeId);
  });

  it('has the run of a killed server that ours went on with once', async () => {
    const dataDirectory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
    const [killed] = await historyOf(dataDirectory);
    const report = await run('runScavenge', { dataDirectory, winnowHome });
    expect(await historyOf(dataDirectory)).toMatchObject([
      {
        scavengeId: report.scavengeId,
        scavengeIds: [killed!.scavengeId, report.scavengeId],
        startedAt: killed!.startedAt,
        result: 'success',
        placement: 'new',
        by: 'winnow',
        spaceSavedBytes: killed!.spaceSavedBytes + report.spaceSavedBytes,
        recordedIn: 'winnowHome'
      }
    ]);
  });

  it('has the run that ours began, and a server finished, once', async () => {
    const dataDirectory = unpackDatabase({ name: 'killed-scavenge', folder: 'after-resume' });
    const [served] = await historyOf(dataDirectory);
    const { scavengePoints } = await run('inspectDatabase', { dataDirectory });
    // Killed after the server's own first attempt, before the one that came to the end.
    new ScavengeRecords(winnowHome, dataDirectory).appendStart(
      start({
        ...{ scavengeId: 'ours', placement: 'existing', resumed: true },
        at: served!.startedAt.replace(/\d{7}Z$/, '9999999Z'),
        position: scavengePoints.at(-1)!.position
      })
    );
    const runs = await historyOf(dataDirectory);
    expect(runs).toMatchObject([{ result: 'success', by: 'server', scavengeId: served!.scavengeId }]);
    expect(runs[0]!.scavengeIds).toEqual([served!.scavengeIds[0], 'ours', served!.scavengeId]);
  });

  it('passes over lines that are cut or no lines of ours', async () => {
    const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
    const records = new ScavengeRecords(winnowHome, dataDirectory);
    records.appendStart(start({ scavengeId: 'a' }));
    records.appendStart(start({ scavengeId: 'b', at: 'yesterday' }));
    fs.appendFileSync(recordsFile(), '{"kind":"note"}\n{"kind":"end","scavengeId":"a","at"');
    records.appendStart(start({ scavengeId: 'c', at: '2026-12-02T00:00:00.0000000Z' }));
    const runs = await historyOf(dataDirectory);
    expect(runs.map(({ scavengeId, result }) => `${scavengeId} ${result}`)).toEqual([
      'c interrupted',
      'a interrupted'
    ]);
  });

  it('that cannot be recorded is a warning, and the scavenge goes on', async () => {
    const dataDirectory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
    fs.writeFileSync(path.join(winnowHome, 'scavenge-history'), 'in the way');
    const report = await run('runScavenge', { dataDirectory, winnowHome });
    expect(report.result).toBe('success');
    expect(warnings.filter((message) => message.includes('missing in the history'))).toHaveLength(1);
  });
});
