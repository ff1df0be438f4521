/** What `inspect` says of the next scavenge is what the next scavenge does: one decision, asked from several places. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineError, NodeFileSystem, openDatabase } from '../../../src-core/index.ts';
import { refuseUnreadyMember } from '../../../src-main/operations/scavenge/member-readiness.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runOperation } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
afterEach(removeUnpacked);

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { fileSystem, clock: () => Date.UTC(2026, 10, 21, 12) });
}

function change(dataDirectory: string, sql: string): void {
  const state = new DatabaseSync(path.join(dataDirectory, 'index/scavenging/scavenging.db'));
  state.exec(sql);
  state.close();
}

const cases: [string, string, string, string | undefined, { singleNode?: boolean }, object][] = [
  ['a killed scavenge', 'killed-scavenge', 'at-kill', undefined, {}, { kind: 'resume', point: 0 }],
  [
    'a finished one of a single node',
    'rules',
    'after-t0',
    undefined,
    { singleNode: true },
    { kind: 'new', point: 1 }
  ],
  [
    'a finished one of nobody knows what',
    'rules',
    'after-t0',
    undefined,
    {},
    { kind: 'refused', point: null }
  ],
  [
    'a state without a checkpoint',
    'rules',
    'after-t0',
    'DELETE FROM Checkpoint',
    { singleNode: true },
    { kind: 'existing', point: 0 }
  ],
  [
    'a state with a checkpoint that cannot be read',
    'rules',
    'after-t0',
    `UPDATE Checkpoint SET value = '{"half'`,
    {},
    { kind: 'existing', point: 0 }
  ],
  [
    'a state that cannot be used',
    'rules',
    'after-t0',
    'CREATE VIEW more AS SELECT 1',
    { singleNode: true },
    { kind: 'refused', point: null }
  ]
];

describe.each(cases)('after %s', (_what, name, folder, sql, membership, expected) => {
  it('inspection foretells what the scavenge does', async () => {
    const dataDirectory = unpackDatabase({ name, folder });
    if (sql !== undefined) change(dataDirectory, sql);
    const { nextScavenge } = await run('inspectDatabase', { dataDirectory, ...membership });
    expect(nextScavenge).toMatchObject(expected);
    expect(nextScavenge.because).toMatch(/\.$/);

    const scavenge = run('runScavenge', { dataDirectory, ...membership, alwaysKeepScavenged: true });
    if (nextScavenge.kind === 'refused') {
      await expect(scavenge).rejects.toThrow(EngineError);
      return;
    }
    const { resumed, scavengePoint } = await scavenge;
    expect(resumed).toBe(nextScavenge.kind === 'resume');
    expect(scavengePoint?.number).toBe(nextScavenge.point);
    expect(scavengePoint?.placement).toBe(nextScavenge.kind === 'new' ? 'new' : 'existing');
  });
});

it('a member whose state has no checkpoint to go by is ready for a scavenge point', () => {
  const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  change(dataDirectory, `UPDATE Checkpoint SET value = '{"half'`);
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    expect(() => refuseUnreadyMember(database, false)).not.toThrow();
  } finally {
    database.close();
  }
});

it('a server that holds the database is in the way of a run, and not of a plan', async () => {
  const dataDirectory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
  const release = fileSystem.tryLock(path.join(dataDirectory, 'writer.chk'))!;
  try {
    const { nextScavenge } = await run('inspectDatabase', { dataDirectory });
    expect(nextScavenge).toMatchObject({ kind: 'refused', point: null });
    const toPlan = await run('inspectDatabase', { dataDirectory, forPlan: true });
    expect(toPlan.nextScavenge).toMatchObject({ kind: 'resume', point: 0 });
    const { resumed, scavengePoint } = await run('planScavenge', { dataDirectory });
    expect([resumed, scavengePoint?.number]).toEqual([true, 0]);
  } finally {
    release();
  }
});
