/**
 * What repair makes of the damaged golden databases: findings before, actions, findings after, and what readers then
 * get, held against the sound base stream by stream. Where damage cannot be repaired the table says what stays, and
 * the second half repairs the same with the base as backup.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { openDirectoryDonor } from '../../src-core/repair/directory-donor.ts';
import { rebuildIndex } from '../../src-core/repair/rebuild-index.ts';
import { runRepair, type RepairOutcome, type RunRepair } from '../../src-core/repair/run-repair.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import {
  damageOf,
  goldenFolders,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase
} from '../support/golden.ts';
import { filesOf } from '../support/database-content.ts';
import { differenceOf, streamContentOf } from '../support/stream-content.ts';
import { expectTrueChanges } from '../support/told-changes.ts';

const fileSystem = new NodeFileSystem();
const control = uncontrolled();
afterEach(removeUnpacked);

function repair(dataDirectory: string, change: Partial<RunRepair> = {}): Promise<RepairOutcome> {
  return runRepair({
    place: { fileSystem, dataDirectory },
    verify: (database) => verifyDatabase({ database, quick: false, control }),
    rebuildIndex: async (place) => {
      await rebuildIndex({ ...place, control, newGuid: randomUUID });
    },
    acceptLoss: false,
    only: [],
    dryRun: false,
    assumeStopped: false,
    stamp: '20261121T050000Z',
    newGuid: randomUUID,
    control,
    ...change
  });
}

const TABLE = 'ef4c908d-5089-4556-91c3-2f9342c1aef4';
const CHUNK = 'chunk-000005.000000';

interface Expected {
  /** `code file` of what was done; the findings before are those that these actions answer. */
  done?: string[];
  /** `code` of what cannot be repaired without a backup. */
  stays?: string[];
  /** Lines of the base that readers do not get afterwards, and lines they get instead. */
  differs?: { missing: number; surplus: number };
}

const REPAIRED: Record<string, Expected> = {
  // A payload of the chunk being written: no hash covers it, so nobody can notice, the server included.
  'damaged-a-in-last-ongoing-chunk': { differs: { missing: 1, surplus: 1 } },
  'damaged-a-padding-after-data': { done: [`chunkHashMismatch ${CHUNK}`] },
  'damaged-a-record-data-byte': { stays: ['chunkHashMismatch'], differs: { missing: 1, surplus: 1 } },
  'damaged-a-record-length-prefix': { done: [`chunkHashMismatch ${CHUNK}`] },
  'damaged-a-record-length-prefix-skipverify': { done: [`chunkHashMismatch ${CHUNK}`] },
  'damaged-b-footer-completed-flag': { done: [`chunkNotCompleted ${CHUNK}`] },
  'damaged-b-footer-md5': { done: [`chunkHashMismatch ${CHUNK}`] },
  'damaged-b-footer-physical-size-skipverify': { done: [`chunkHashMismatch ${CHUNK}`] },
  'damaged-b-footer-unused-byte': { done: [`chunkHashMismatch ${CHUNK}`] },
  'damaged-c-missing-last-chunk': { stays: ['chunkMissing'] },
  'damaged-c-missing-middle-chunk': { stays: ['chunkMissing'] },
  'damaged-d-last-chunk-truncated-above-writer': {},
  'damaged-d-last-chunk-truncated-file-below-writer': { stays: ['chunkTruncated', 'recordInvalid'] },
  'damaged-e-bloomfilter-byte': { done: [`filterInvalid ${TABLE}.bloomfilter`] },
  'damaged-e-bloomfilter-missing': { done: [`filterMissing ${TABLE}.bloomfilter`] },
  'damaged-e-ptable-entry-byte-skipindexverify': { done: [`tableHashMismatch ${TABLE}`] },
  'damaged-e-ptable-header-byte': { done: [`tableInvalid ${TABLE}`] },
  'damaged-e-ptable-version-byte': { done: [`tableInvalid ${TABLE}`] },
  'damaged-f-extra-unknown-file-in-index': { done: ['orphanFile 11111111-2222-3333-4444-555555555555'] },
  'damaged-f-indexmap-missing': { done: ['indexMapMissing indexmap'] },
  'damaged-f-ptable-missing': { done: ['tableMissing 4b177c80-0026-43e0-a13e-1e2d6e7be6c2'] },
  'damaged-g-extra-newer-bogus-version': { done: ['chunkHeaderInvalid chunk-000002.000001'] },
  'damaged-g-extra-old-version': { done: ['supersededChunk chunk-000002.000000'] },
  'damaged-h-all-chk-missing': {
    done: ['truncate.chk', 'writer.chk', 'chaser.chk', 'epoch.chk', 'proposal.chk'].map(
      (file) => `checkpointMissing ${file}`
    )
  },
  'damaged-h-chaser-behind': {},
  'damaged-h-epoch-chk-missing': { done: ['checkpointMissing epoch.chk'] },
  'damaged-h-epoch-minus-1': {},
  'damaged-h-truncate-and-proposal-missing': {
    done: ['checkpointMissing truncate.chk', 'checkpointMissing proposal.chk']
  },
  // Somebody may mean it: it is named, not cleared.
  'damaged-h-truncate-set': {},
  'damaged-h-writer-behind-chaser': { done: ['chaserBeyondWriter writer.chk'] },
  'damaged-h-writer-beyond-10-chunks': { done: ['chunkNotCompleted writer.chk'] },
  'damaged-h-writer-chk-missing': { done: ['checkpointMissing writer.chk'] },
  'damaged-h-writer-mid-record': { done: ['writerCheckpointInsideRecord writer.chk'] },
  'damaged-h-writer-plus-100': { done: ['writerCheckpointBeyondEnd writer.chk'] },
  'damaged-i-header-chunk-number': { done: [`chunkHeaderInvalid ${CHUNK}`] },
  'damaged-i-header-magic': { done: [`chunkHeaderInvalid ${CHUNK}`] },
  'damaged-i-header-version': { done: [`chunkHeaderInvalid ${CHUNK}`] },
  'damaged-j-posmap-byte-scavenged-skipverify': { done: ['chunkHashMismatch chunk-000002.000001'] },
  'damaged-k-index-ahead-after-truncation': {},
  'damaged-l-index-dir-missing': {},
  'damaged-l-read-only-chunk-files': {},
  'damaged-l-stream-existence-missing': {}
};

/** With records that may be cut off: what the damage itself took, and no more. */
const CUT: Record<string, { missing: number; surplus: number }> = {
  'damaged-c-missing-last-chunk': { missing: 163, surplus: 0 },
  'damaged-d-last-chunk-truncated-file-below-writer': { missing: 4, surplus: 0 }
};

/** Damage that only a backup heals. */
const FROM_BACKUP = Object.entries(REPAIRED)
  .filter(([, { stays }]) => stays !== undefined)
  .map(([name]) => name);

async function differenceFromBase(name: string, dataDirectory: string) {
  const base = await streamContentOf(fileSystem, unpackDatabase(damageOf(name).base));
  return differenceOf(base, await streamContentOf(fileSystem, dataDirectory));
}

const NOTHING = { missing: 0, surplus: 0 };

describe('repair', () => {
  const names = goldenNames().filter((name) => name.startsWith('damaged-'));

  it('has a line for each damaged database', () => expect(Object.keys(REPAIRED).sort()).toEqual(names));

  it.each(names)('of %s', async (name) => {
    const { done = [], stays = [], differs = NOTHING } = REPAIRED[name]!;
    const dataDirectory = unpackDamaged(name);
    const before = filesOf(path.dirname(dataDirectory));
    const plan = await repair(dataDirectory, { dryRun: true });
    expect(filesOf(path.dirname(dataDirectory)), 'a dry run changes nothing').toEqual(before);
    const outcome = await repair(dataDirectory);
    expect(outcome.actions.map(({ code, file }) => `${code} ${file}`)).toEqual(done);
    expect(outcome.actions.every((action) => action.done && action.why !== '')).toBe(true);
    expect(plan.actions).toEqual(outcome.actions.map((action) => ({ ...action, done: false })));
    expectTrueChanges(outcome, dataDirectory);
    expect(outcome.unrepaired.map(({ code }) => code)).toEqual(stays);
    expect(outcome.unrepaired.every(({ lost }) => lost !== null)).toBe(true);
    expect(outcome.ok).toBe(stays.length === 0);
    // Where the log has a hole there is nothing to read stream by stream.
    if (stays.length === 0 || stays.includes('chunkHashMismatch'))
      expect(await differenceFromBase(name, dataDirectory)).toEqual(differs);
    const again = await repair(dataDirectory);
    expect(again.actions, 'a second repair has nothing to do').toEqual([]);
    expect(keptSomewhere(before, path.dirname(dataDirectory)), 'nothing is deleted').toEqual([]);
  });

  it.each(FROM_BACKUP)('of %s with a backup', async (name) => {
    const donor = openDirectoryDonor(fileSystem, unpackDatabase(damageOf(name).base));
    const dataDirectory = unpackDamaged(name);
    const outcome = await repair(dataDirectory, { donor });
    expect(outcome).toMatchObject({ ok: true, unrepaired: [], actions: [{ done: true }] });
    expectTrueChanges(outcome, dataDirectory);
    expect(await differenceFromBase(name, dataDirectory)).toEqual(NOTHING);
  });

  it.each(Object.keys(CUT))('of %s with loss accepted', async (name) => {
    const dataDirectory = unpackDamaged(name);
    const outcome = await repair(dataDirectory, { acceptLoss: true });
    expect(outcome).toMatchObject({
      ok: true,
      unrepaired: [],
      actions: [{ file: 'writer.chk', done: true }]
    });
    expect(outcome.actions[0]?.why).toContain('this loses what follows');
    expectTrueChanges(outcome, dataDirectory);
    expect(await differenceFromBase(name, dataDirectory)).toEqual(CUT[name]);
  });

  it('does not take a chunk of another database', async () => {
    const donor = openDirectoryDonor(fileSystem, unpackDatabase({ name: 'rules', folder: 'before' }));
    const dataDirectory = unpackDamaged('damaged-a-record-data-byte');
    const outcome = await repair(dataDirectory, { donor });
    expect(outcome.ok).toBe(false);
    expect(outcome.actions).toMatchObject([
      { done: false, why: expect.stringContaining('does not match') as string }
    ]);
    expect(outcome.unrepaired).toMatchObject([{ code: 'chunkHashMismatch' }]);
    expect(fs.readdirSync(dataDirectory).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });

  it('does only what was asked for', async () => {
    const dataDirectory = unpackDamaged('damaged-h-all-chk-missing');
    const outcome = await repair(dataDirectory, { only: ['chunkMissing'] });
    expect(outcome).toMatchObject({ ok: false, actions: [] });
  });
});

describe('a database without damage', () => {
  const sound = goldenNames()
    .filter((name) => !/^(damaged|truncate|old-ptables|scavdb)/.test(name))
    .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })));
  const HARMLESS =
    /^(supersededChunk|temporaryFile|orphanFile|filterMissing|filterInvalid|checkpointMissing)$/;

  it.each(sound)('$name/$folder is left as it is but for leftovers', async ({ name, folder }) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const before = filesOf(path.dirname(dataDirectory));
    const { ok, actions, unrepaired } = await repair(dataDirectory);
    expect(actions.filter(({ code, done }) => !done || !HARMLESS.test(code))).toEqual([]);
    expect(unrepaired).toEqual([]);
    expect(ok).toBe(true);
    if (actions.length === 0) expect(filesOf(path.dirname(dataDirectory))).toEqual(before);
  });
});

/** Files of before whose bytes are nowhere any more; checkpoints keep their old value in the list of moves. */
function keptSomewhere(before: Record<string, string>, directory: string): string[] {
  const now = new Set(Object.values(filesOf(directory)));
  return Object.keys(before).filter((name) => !name.endsWith('.chk') && !now.has(before[name]!));
}
