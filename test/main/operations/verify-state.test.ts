/** What `verify`, `doctor` and `repair` do about a scavenge state that the real server wrote and somebody changed. */
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChunkDigests, NodeFileSystem, openDatabase } from '../../../src-core/index.ts';
import {
  requests,
  type Replies,
  type RequestOf
} from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { findStateProblem } from '../../../src-main/operations/scavenge/stored-state.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

let dataDirectory: string;
let state: string;
beforeEach(() => {
  dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  state = path.join(dataDirectory, 'index', 'scavenging', 'scavenging.db');
});
afterEach(removeUnpacked);

function change(sql: string): void {
  const database = new DatabaseSync(state);
  database.exec(sql);
  database.close();
}

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runReportOperation(name, requests[name].parse(request), contextOf(name));
}

function contextOf(operation: string) {
  return testingContext(operation, { clock: () => Date.UTC(2026, 10, 21, 5) });
}

const UNKNOWN = `UPDATE Checkpoint SET value = replace(value, 'V0', 'V9')`;

it('tell a checkpoint that they do not understand, and leave the state where it is', async () => {
  change(UNKNOWN);
  const hint = { severity: 'hint', code: 'stateCheckpointUnknown', command: null };
  expect(await run('verifyDatabase', { dataDirectory })).toMatchObject({ ok: true, findings: [hint] });
  expect(await run('examineStart', { dataDirectory })).toMatchObject({ ok: true, findings: [hint] });
  const { actions, ok } = await run('repairDatabase', { dataDirectory });
  expect([actions, ok]).toEqual([[], true]);
  expect(fs.existsSync(state)).toBe(true);
});

it('find a name under a hash that is not its own, and times that the log contradicts', async () => {
  for (const sql of [
    `UPDATE HashUsers SET value = value || 'x' WHERE key = (SELECT max(key) FROM HashUsers)`,
    'UPDATE ChunkTimeStampRanges SET max = min WHERE key = 0'
  ]) {
    dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    state = path.join(dataDirectory, 'index', 'scavenging', 'scavenging.db');
    change(sql);
    const found = await run('verifyDatabase', { dataDirectory });
    const finding = { severity: 'damage', code: 'stateInvalid', command: 'winnow repair' };
    expect(found).toMatchObject({ ok: false, findings: [finding] });
    const repaired = await run('repairDatabase', { dataDirectory });
    expect(repaired).toMatchObject({ ok: true, actions: [{ code: 'stateInvalid', done: true }] });
    expect(fs.existsSync(state)).toBe(false);
  }
});

it('read the log for a state only where something is in the place of one', async () => {
  const fileSystem = new NodeFileSystem();
  const chunksReadFor = async (): Promise<number> => {
    const database = openDatabase({ fileSystem, dataDirectory });
    const digests = new ChunkDigests({ fileSystem, newGuid: () => '', threads: 1 });
    try {
      expect(await findStateProblem(database, contextOf('verifyDatabase'), { digests })).toBeUndefined();
      return digests.chunksRead;
    } finally {
      database.close();
    }
  };
  expect(await chunksReadFor()).toBeGreaterThan(0);
  fs.rmSync(path.dirname(state), { recursive: true });
  expect(await chunksReadFor()).toBe(0);
});
