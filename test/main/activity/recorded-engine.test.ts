import { expect, test } from 'vitest';
import { EngineError, OperationStopped } from '../../../src-core/index.ts';
import type { ActivityEntry } from '../../../src-main/contract/operations/activity-reports.ts';
import { isRecorded } from '../../../src-main/activity/activity-record.ts';
import { recordedEngine } from '../../../src-main/activity/recorded-engine.ts';
import type { EngineHost } from '../../../src-main/engine/engine-host.ts';
import { requests, type ReportOperation } from '../../../src-main/contract/operations/operation-contract.ts';
import { OPERATION_TITLES } from '../../../src-main/contract/operations/operation-titles.ts';
import { fakeEngine, type FakeEngine } from '../verbs/fake-engine.ts';

const DATABASE = { dataDirectory: '/data/node-1' };

function recorded(): { fake: FakeEngine; engine: EngineHost; written: ActivityEntry[] } {
  const fake = fakeEngine();
  const written: ActivityEntry[] = [];
  let nowMs = 1_700_000_000_000;
  const engine = recordedEngine(fake, {
    log: { write: (entry) => void written.push(entry) },
    clock: () => (nowMs += 1500),
    door: 'http',
    pageDoor: 'browser'
  });
  return { fake, engine, written };
}

test('an operation is written down when it begins and when it ends, with its figures and its log', async () => {
  const { fake, engine, written } = recorded();
  fake.answers.verifyDatabase = (_request, options) => {
    options.onLog?.({ level: 'info', message: 'looking' });
    return { findings: [{}, {}], chunksRead: 7, verdict: 'sound' };
  };
  const heard: string[] = [];
  await engine.call('verifyDatabase', DATABASE, { onLog: (line) => void heard.push(line.message) });
  expect(heard).toEqual(['looking']);
  expect(written).toHaveLength(2);
  expect(written[0]).toMatchObject({ outcome: 'running', door: 'http', dataDirectory: '/data/node-1' });
  expect(written[1]).toMatchObject({
    id: written[0]!.id,
    outcome: 'done',
    elapsedMs: 1500,
    figures: { 'findings.count': 2, chunksRead: 7, verdict: 'sound' },
    log: ['looking']
  });
});

test('work of a page keeps the id it has there, and its door', async () => {
  const { engine, written } = recorded();
  await engine.call('verifyDatabase', DATABASE, { workId: 'work-1' });
  expect(written.at(-1)).toMatchObject({ id: 'work-1', door: 'browser' });
});

test.each([
  ['verifyDatabase', { ok: true, findings: [{ severity: 'hint' }] }, null],
  ['verifyDatabase', { ok: false, findings: [{ severity: 'damage' }] }, 'damage'],
  ['verifyAllBackups', { ok: false }, 'damage'],
  ['repairDatabase', { ok: false }, 'damage'],
  ['examineStart', { ok: false, prediction: { starts: false, deletes: [] } }, 'willNotStart'],
  ['examineStart', { ok: true, prediction: { starts: true, deletes: [{ file: 'x' }] } }, 'deletesLog'],
  ['examineStart', { ok: true, prediction: { starts: true, deletes: [] } }, null],
  ['planScavenge', { chunks: [] }, null]
] as const)('the record of %s that answers %j has the verdict %s', async (operation, reply, verdict) => {
  const { fake, engine, written } = recorded();
  fake.answers[operation] = () => reply;
  await engine.call(operation, DATABASE);
  expect(written.map((entry) => [entry.outcome, entry.verdict])).toEqual([
    ['running', null],
    ['done', verdict]
  ]);
});

test('questions leave no trace', async () => {
  const { fake, engine, written } = recorded();
  await engine.call('inspectDatabase', DATABASE);
  expect(fake.asked).toHaveLength(1);
  expect(written).toEqual([]);
});

test('what a window looks at by itself leaves no trace, the same asked by a person does', async () => {
  const { fake, engine, written } = recorded();
  await engine.call('examineStart', { ...DATABASE, unasked: true });
  expect(fake.asked).toHaveLength(1);
  expect(written).toEqual([]);
  await engine.call('examineStart', DATABASE);
  expect(written).toHaveLength(2);
});

test('names of streams asked for are counted, not kept', async () => {
  const { engine, written } = recorded();
  await engine.call('reportErasure', { ...DATABASE, streams: ['person-4711'], eventIds: [] });
  expect(JSON.stringify(written)).not.toContain('4711');
  expect(written[0]!.options).toMatchObject({ 'streams.count': 1 });
});

test('a failure is written down with its code and details, and thrown on', async () => {
  const { fake, engine, written } = recorded();
  fake.answers.runScavenge = () => {
    throw new EngineError({
      code: 'StorageFailed',
      message: 'The disk is full.',
      remedy: 'Free space.',
      details: { file: 'chunk-000001.000001' }
    });
  };
  await expect(engine.call('runScavenge', DATABASE)).rejects.toThrow('The disk is full.');
  expect(written.at(-1)).toMatchObject({
    outcome: 'failed',
    error: { code: 'StorageFailed', details: { file: 'chunk-000001.000001' } }
  });
});

test('a stop is an outcome, by report or by exception', async () => {
  const { fake, engine, written } = recorded();
  fake.answers.runScavenge = () => ({ result: 'stopped' });
  await engine.call('runScavenge', DATABASE);
  expect(written.at(-1)!.outcome).toBe('stopped');
  fake.answers.verifyDatabase = () => {
    throw new OperationStopped();
  };
  await expect(engine.call('verifyDatabase', DATABASE)).rejects.toThrow(OperationStopped);
  expect(written.at(-1)!.outcome).toBe('stopped');
});

test('every operation that is recorded has a title', () => {
  const streamed = new Set<string>(['listRecords', 'listStreams', 'readStream', 'listIndexEntries']);
  const recorded = Object.keys(requests).filter(
    (name) => !streamed.has(name) && isRecorded(name as ReportOperation)
  );
  expect(recorded.filter((name) => !(name in OPERATION_TITLES))).toEqual([]);
});
