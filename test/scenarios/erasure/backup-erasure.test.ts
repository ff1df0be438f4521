/**
 * Erasure inside backups: what was deleted is searched for in every byte of the target afterwards, what is left is
 * compared with the node itself scavenged in the same way, and every other backup must still be restored.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import { encodeProgress } from '../../../src-core/backup/progress-file.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { writeKeyFile } from '../../../src-main/backup/encodings/key-file.ts';
import { ERASURE_SCHEMAS } from '../../../src-main/contract/operations/erasure-reports.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { Prng } from '../../support/prng.ts';
import { useS3Credentials } from '../../support/s3-credentials.ts';
import { S3_BUCKET, startS3Server } from '../../support/s3-server.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { MarkedDatabase } from './marked-database.ts';
import { runOperation } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
const SCAVENGE = { kind: 'scavenge', scavengePoint: 'auto', threshold: 0 } as const;
let root: string;
let target: string;
let clockMs: number;
const cleanUps: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-erase-'));
  target = path.join(root, 'backups');
  clockMs = Date.UTC(2026, 1, 1);
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  vi.unstubAllEnvs();
  fs.rmSync(root, { recursive: true, force: true });
});

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { fileSystem, clock: () => (clockMs += 60_000) });
}

/** A node whose stream with the marker was deleted, and whose log went on far enough to complete those chunks. */
async function deletedNode(seed = 1): Promise<MarkedDatabase> {
  const database = markedNode(seed);
  database.write(150);
  await database.growIndex();
  database.hardDelete();
  database.write(200);
  await database.growIndex();
  return database;
}

/** The marker is in data only, not in the name of the stream, which a tombstone keeps. */
function markedNode(seed: number): MarkedDatabase {
  for (let next = seed; ; next += 100) {
    const directory = path.join(root, `node-${next}`);
    fs.mkdirSync(directory);
    const database = new MarkedDatabase(directory, new Prng(next));
    if (!database.stream.includes(database.marker)) return database;
    fs.rmSync(directory, { recursive: true });
  }
}

function holding(directory: string, text: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(directory, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(directory, name)).includes(text));
}

/** What is noted of a generation while it is stored: files that can never change. */
function progressOf({ files, node, rewrite, ...manifest }: Manifest): Uint8Array {
  const { id, mode, basedOn, generation, databaseTag } = manifest;
  const { address, dataDirectory, indexDirectory, checkpointFiles } = node;
  const { of, question, detachedPoints } = rewrite!;
  return encodeProgress({
    ...{ id, mode, basedOn, generation, databaseTag, address, dataDirectory, indexDirectory },
    checkpointFiles: checkpointFiles ?? null,
    encodings: [],
    files: files.filter(({ chunk, tableMd5 }) => chunk?.isCompleted === true || tableMd5 !== null),
    ...{ rewrites: of, question, asOf: detachedPoints![0]!.effectiveNow }
  });
}

/** Those that a scavenge wrote; the others are shared with the old generation. */
function chunksIn(backup: string | undefined): string[] {
  const folder = path.join(target, backup ?? '', 'data');
  if (backup === undefined || !fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => /^chunk-\d{6}\.0*[1-9]\d*(\.zst)?$/.test(name))
    .sort();
}

async function backUp(
  database: MarkedDatabase,
  more: Partial<RequestOf<'createBackup'>> = {}
): Promise<string> {
  const { dataDirectory } = database;
  const { backups } = await run('createBackup', { dataDirectory, target, ...more });
  return backups[0]!.id;
}

type Access = Pick<RequestOf<'verifyBackup'>, 'keyFile' | 's3Endpoint'>;

async function restored(id: string, access: Access = {}): Promise<string> {
  const dataDirectory = path.join(root, `restored-${id}-${clockMs}`);
  await run('runRestore', { dataDirectory, target, id, applyTruncation: true, ...access });
  return dataDirectory;
}

/** Every record with its bytes, in the order of the log. */
function recordsOf(dataDirectory: string): string[] {
  const database = openDatabase({ fileSystem, dataDirectory });
  const records: string[] = [];
  for (const cursor = database.log.cursor(); cursor.next();) {
    records.push(`${cursor.record.position} ${cursor.record.payload.toString('base64')}`);
  }
  database.close();
  return records;
}

/** The node itself, scavenged as the backup was. */
async function scavengedCopy({ dataDirectory }: MarkedDatabase): Promise<string> {
  const copy = path.join(root, 'scavenged');
  fs.cpSync(dataDirectory, copy, { recursive: true });
  const winnowHome = path.join(root, 'home');
  await runScavenge(
    scavengeRequest(copy, { scavengePoint: 'detached', threshold: 0, merge: false, winnowHome }),
    scavengeEnvironment({ now: () => (BigInt(clockMs) * 10_000n + 621_355_968_000_000_000n) as never })
  );
  return copy;
}

describe('a scavenge inside a backup', () => {
  it.each([1, 2, 3])(
    'leaves what a scavenge of the node leaves, and no byte of the rest (seed %d)',
    async (seed) => {
      const database = await deletedNode(seed);
      const id = await backUp(database);
      const before = recordsOf(await restored(id));
      const request = { target, id, erase: SCAVENGE };
      const plan = await run('planBackupErasure', request);
      expect(plan).toMatchObject({ result: 'planned', backup: id, stillHeldBy: [], oldRemoved: false });
      expect((await run('listBackups', { target })).backups).toHaveLength(1);

      const report = await run('eraseInBackup', {
        ...request,
        ...(plan.planId ? { plan: plan.planId } : {})
      });
      expect(() => ERASURE_SCHEMAS['backup-scavenge'].parse(report)).not.toThrow();
      expect(report).toMatchObject({ result: 'rewritten', verified: { ok: true }, oldRemoved: false });
      const made = report.newBackup!;
      expect(made).toMatchObject({ mode: 'full', rewrites: { of: id, work: 'scavenge' } });
      expect(made.startedAt).toBe(plan.old.startedAt);
      expect(holding(path.join(target, id), database.marker)).not.toEqual([]);
      expect(holding(path.join(target, made.id), database.marker)).toEqual([]);

      const now = await restored(made.id);
      expect(recordsOf(now)).toEqual(recordsOf(await scavengedCopy(database)));
      expect(recordsOf(await restored(id))).toEqual(before);
      expect(await run('verifyDatabase', { dataDirectory: now })).toMatchObject({ ok: true });

      // It lives on: a point is appended to it, and the next scavenge ends well.
      const next = await run('runScavenge', {
        ...{ dataDirectory: now, scavengePoint: 'new', singleNode: true, threshold: -1 },
        winnowHome: path.join(root, 'home-of-the-restored')
      });
      expect(next).toMatchObject({ result: 'success', scavengePoint: { placement: 'new' } });
      expect(await run('verifyDatabase', { dataDirectory: now })).toMatchObject({ ok: true });
      expect(holding(now, database.marker)).toEqual([]);
    }
  );

  it.each([{ compress: false }, { compress: true }])(
    'continues with the chunks that an unfinished one has whole, and stores the damaged again ($compress)',
    async ({ compress }) => {
      const id = await backUp(await deletedNode(), { compress });
      // A detached point: ages are judged as of the first attempt, or the chunks would be others.
      const erase = { kind: 'scavenge', scavengePoint: 'detached', threshold: -1 } as const;
      const first = await run('eraseInBackup', { target, id, erase });
      const begun = first.newBackup!.id;
      // As a cut leaves it that comes before the last chunk is stored.
      const folder = path.join(target, begun);
      const whole = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
      const chunks = chunksIn(begun);
      fs.rmSync(path.join(folder, 'data', chunks.pop()!));
      fs.writeFileSync(path.join(folder, 'progress.json'), progressOf(whole));
      fs.rmSync(path.join(folder, 'manifest.json'));
      const facts = (name: string) => {
        const { ino, mtimeNs } = fs.statSync(path.join(folder, 'data', name), { bigint: true });
        return `${ino} ${mtimeNs}`;
      };
      const stored = new Map(chunks.map((name) => [name, facts(name)]));
      const damaged = path.join(folder, 'data', chunks[0]!);
      const bytes = fs.readFileSync(damaged);
      bytes[200]! ^= 1;
      fs.writeFileSync(damaged, bytes);

      const report = await run('eraseInBackup', { target, id, erase });
      expect(report).toMatchObject({ result: 'rewritten', newBackup: { id: begun }, verified: { ok: true } });
      const kept = chunks.filter((name) => facts(name) === stored.get(name));
      expect(kept).toEqual(chunks.slice(1));
      const again = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
      const hashes = ({ files }: Manifest) =>
        files.map(({ area, name, sha256 }) => `${area}/${name} ${sha256}`);
      expect(hashes(again)).toEqual(hashes(whole));
    }
  );

  it('removes the old generation only when asked, also later, and the erasure report then is clear', async () => {
    const database = await deletedNode();
    const id = await backUp(database);
    const erased = await run('eraseInBackup', { target, id, erase: SCAVENGE });
    expect(await run('planBackupErasure', { target, id, erase: SCAVENGE })).toMatchObject({
      newBackup: { id: erased.newBackup!.id }
    });
    const another = { kind: 'scavenge', scavengePoint: 'detached', threshold: -1 } as const;
    await expect(run('planBackupErasure', { target, id, erase: another })).rejects.toThrow(
      /another generation already/
    );
    const again = await run('eraseInBackup', { target, id, erase: SCAVENGE, removeOld: true });
    expect(again).toMatchObject({
      result: 'exists',
      oldRemoved: true,
      newBackup: { id: erased.newBackup!.id }
    });
    expect(again.bytesFreed).toBeGreaterThan(0);
    expect(holding(target, database.marker)).toEqual([]);
    const { backups, unfinished } = await run('listBackups', { target });
    expect([backups.map((backup) => backup.id), unfinished]).toEqual([[erased.newBackup!.id], []]);

    const report = await run('reportErasure', {
      dataDirectory: await scavengedCopy(database),
      streams: [database.stream],
      backupTargets: [{ target }]
    });
    expect(report.streams[0]).toMatchObject({ dataErased: true });
    expect(report.notExamined).toEqual([]);
  });

  it('keeps differential chains whole, names those that hold the data, and lets the next backup build on', async () => {
    const database = await deletedNode();
    const first = await backUp(database);
    database.write(60);
    await database.growIndex();
    const second = await backUp(database, { mode: 'differential' });
    const content = recordsOf(await restored(second));

    const report = await run('eraseInBackup', { target, id: first, erase: SCAVENGE, removeOld: true });
    expect(report.stillHeldBy.map(({ id }) => id)).toEqual([second]);
    expect(recordsOf(await restored(second))).toEqual(content);
    expect(await run('verifyAllBackups', { target })).toMatchObject({ ok: true });
    // The one that was made last is not the newest: its log is that of the first.
    const newest = await run('verifyBackup', { target });
    expect(newest.backup).toBe(second);

    const other = await run('eraseInBackup', { target, id: second, erase: SCAVENGE, removeOld: true });
    expect(other.stillHeldBy).toEqual([]);
    expect(other.newBackup).toMatchObject({ mode: 'differential', basedOn: first });
    expect(holding(target, database.marker)).toEqual([]);

    // The node is scavenged too: its chunks have the names of those in the backup, and are others.
    await database.scavenge();
    database.write(40);
    const third = await backUp(database, { mode: 'differential' });
    expect(recordsOf(await restored(third))).toEqual(recordsOf(database.dataDirectory));
    expect(await run('verifyAllBackups', { target })).toMatchObject({ ok: true });
  });

  it('works to the scavenge point that the log of the backup holds', async () => {
    const database = await deletedNode();
    await database.scavenge();
    database.write(30);
    const id = await backUp(database);
    const { scavenge } = await run('eraseInBackup', { target, id, erase: SCAVENGE });
    expect(scavenge?.scavengePoint).toMatchObject({ placement: 'existing', number: 0 });
  });

  it('stores nothing when there is nothing to remove', async () => {
    const database = markedNode(7);
    database.write(3);
    const id = await backUp(database);
    const report = await run('eraseInBackup', { target, id, erase: SCAVENGE, removeOld: true });
    expect(report).toMatchObject({ result: 'unchanged', newBackup: null, oldRemoved: false });
    expect((await run('listBackups', { target })).backups.map((backup) => backup.id)).toEqual([id]);
  });

  it('is refused for another state than that of the plan, and writes nothing then', async () => {
    const database = await deletedNode();
    const id = await backUp(database);
    const { planId } = await run('planBackupErasure', { target, id, erase: SCAVENGE });
    await backUp(database, { mode: 'full' });
    await expect(run('eraseInBackup', { target, id, erase: SCAVENGE, plan: planId! })).rejects.toMatchObject({
      code: 'PlanStale'
    });
    expect((await run('listBackups', { target })).backups).toHaveLength(2);
  });

  it('leaves the old generation where the scratch directory cannot be made', async () => {
    const database = await deletedNode();
    const id = await backUp(database);
    const content = recordsOf(await restored(id));
    const file = path.join(root, 'no-directory');
    fs.writeFileSync(file, '');
    await expect(
      run('eraseInBackup', { target, id, erase: SCAVENGE, scratchDirectory: path.join(file, 'x') })
    ).rejects.toThrow();
    expect(recordsOf(await restored(id))).toEqual(content);
    expect((await run('listBackups', { target })).backups.map((backup) => backup.id)).toEqual([id]);
  });
});

describe('backups that are compressed and encrypted', () => {
  it.each(['directory', 'store'] as const)('stay so when they are scavenged (%s)', async (where) => {
    const keyFile = path.join(root, 'key');
    await writeKeyFile(keyFile, '2026-01-01T00:00:00Z');
    let access: Access = { keyFile };
    if (where === 'store') {
      useS3Credentials();
      const server = await startS3Server();
      cleanUps.push(() => server.remove());
      target = `s3://${S3_BUCKET}/erase/one`;
      access = { keyFile, s3Endpoint: server.endpoint };
    }
    const database = await deletedNode();
    const id = await backUp(database, { compress: true, ...access });
    const report = await run('eraseInBackup', { target, id, erase: SCAVENGE, removeOld: true, ...access });
    const { backups } = await run('listBackups', { target, s3Endpoint: access.s3Endpoint });
    expect(backups.map((backup) => backup.id)).toEqual([report.newBackup!.id]);
    expect(backups[0]!.encodings).toEqual(expect.arrayContaining(['zstd', expect.stringMatching(/^age:/)]));
    const now = await restored(report.newBackup!.id, access);
    expect(holding(now, database.marker)).toEqual([]);
    expect(recordsOf(now)).toEqual(recordsOf(await scavengedCopy(database)));
    await expect(
      run('eraseInBackup', {
        target,
        id: report.newBackup!.id,
        erase: SCAVENGE,
        s3Endpoint: access.s3Endpoint
      })
    ).rejects.toMatchObject({ code: 'UnsupportedFormat' });
  });
});

describe('backups that a password opens', () => {
  const password = 'correct horse battery';

  /** As the window and `backup key --in` do it: the secret key sealed in the target, the public one in a file. */
  async function sealedKey(name: string): Promise<string> {
    const { publicKey } = await run('sealBackupKey', { target, password });
    const keyFile = path.join(root, name);
    fs.writeFileSync(keyFile, `${publicKey}\n`);
    return keyFile;
  }

  it('stay encrypted for the same key, also where the password opens several', async () => {
    const keyFile = await sealedKey('first.txt');
    const database = await deletedNode();
    const id = await backUp(database, { compress: true, keyFile });
    const [before] = (await run('listBackups', { target })).backups;
    const request = { target, id, erase: SCAVENGE, removeOld: true };
    await expect(run('planBackupErasure', request)).rejects.toMatchObject({
      details: { reason: 'keyMissing' }
    });
    await expect(run('planBackupErasure', { ...request, password: 'another one' })).rejects.toMatchObject({
      details: { reason: 'wrongPassword' }
    });
    // The public key only encrypts.
    await expect(run('planBackupErasure', { ...request, keyFile })).rejects.toThrow();

    await sealedKey('second.txt');
    const { planId } = await run('planBackupErasure', { ...request, password });
    const report = await run('eraseInBackup', { ...request, password, plan: planId! });
    expect(report).toMatchObject({ result: 'rewritten', verified: { ok: true }, oldRemoved: true });
    const { backups } = await run('listBackups', { target });
    expect(backups.map((backup) => [backup.id, backup.encodings])).toEqual([
      [report.newBackup!.id, before!.encodings]
    ]);
    const dataDirectory = path.join(root, 'restored');
    await run('runRestore', {
      dataDirectory,
      target,
      id: report.newBackup!.id,
      applyTruncation: true,
      password
    });
    expect(recordsOf(dataDirectory)).toEqual(recordsOf(await scavengedCopy(database)));
    expect(holding(dataDirectory, database.marker)).toEqual([]);
  });
});

describe('a redaction inside a backup', () => {
  it('overwrites the data of the event there, and nothing else', async () => {
    const database = markedNode(3);
    database.write(200);
    await database.growIndex();
    const id = await backUp(database);
    const erase = { kind: 'redaction' as const, eventIds: [database.eventId] };
    const report = await run('eraseInBackup', {
      target,
      id,
      erase,
      removeOld: true
    });
    expect(report).toMatchObject({
      result: 'rewritten',
      oldRemoved: true,
      redaction: { events: [{ eventId: database.eventId, state: 'redacted' }] }
    });
    const made = report.newBackup!.id;
    const [before, after] = [recordsOf(database.dataDirectory), recordsOf(await restored(made))];
    const differing = before.flatMap((record, i) => (record === after[i] ? [] : [i]));
    expect(after).toHaveLength(before.length);
    expect(differing).toHaveLength(1);
    expect(report.files?.replaced).toEqual(['data/chunk-000000.000000']);
    expect(report.files?.shared).toBeGreaterThan(0);
    const again = await run('eraseInBackup', { target, id: made, erase });
    expect(again.result).toBe('unchanged');
  });
});
