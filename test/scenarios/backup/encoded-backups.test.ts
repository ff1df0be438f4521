/**
 * A node's life in backups that are compressed and encrypted, in a directory and in an object store: full,
 * differential after appends, differential after a scavenge that merged; each verified, restored and compared
 * stream by stream, also after the others were pruned.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseBackup } from '../../../src-core/backup/catalogue.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { writeKeyFile } from '../../../src-main/backup/encodings/key-file.ts';
import { openTarget, type OpenTarget } from '../../../src-main/backup/open-target.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { useS3Credentials } from '../../support/s3-credentials.ts';
import { S3_BUCKET, startS3Server } from '../../support/s3-server.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { streamContentOf, type StreamContent } from '../../support/stream-content.ts';
import { runOperation } from '../../support/testing-context.ts';

const fileSystem = new NodeFileSystem();
const MARK = 'a text that must not be read by others';

let root: string;
let dataDirectory: string;
let keyFile: string;
let clockMs: number;
const cleanUps: (() => Promise<void>)[] = [];

beforeEach(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-encoded-'));
  dataDirectory = path.join(root, 'node');
  keyFile = path.join(root, 'key');
  clockMs = Date.UTC(2026, 1, 1);
  await writeKeyFile(keyFile, '2026-01-01T00:00:00Z');
  await writeSampleDatabase({
    fileSystem,
    dataDirectory,
    sizeBytes: 400 * 1024,
    chunkSizeBytes: 64 * 1024,
    seed: 5,
    now: ticksFromIso('2026-01-30T00:00:00Z')!,
    control: uncontrolled()
  });
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  fs.rmSync(root, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { fileSystem, clock: () => (clockMs += 60_000) });
}

async function append(count: number): Promise<void> {
  const database = openDatabase({ fileSystem, dataDirectory });
  const index = await database.openIndex(uncontrolled());
  const newGuid = () => randomUUID();
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
  const now = () => ticksFromIso('2026-01-30T00:00:00Z')!;
  const lastEventNumber = (name: string) => index.lastEventNumber(name);
  const appender = new EventAppender({ writer, lastEventNumber, now, newGuid });
  const data = new TextEncoder().encode(JSON.stringify({ text: `${MARK} `.repeat(20) }));
  for (let i = 0; i < count; i++) appender.append('appended', [{ eventType: 'made', data }]);
  appender.append('$$appended', [
    { eventType: '$metadata', data: new TextEncoder().encode('{"$maxCount":7}') }
  ]);
  writer.flush();
  writer.close();
  database.close();
}

interface Place {
  target: string;
  s3Endpoint?: string;
}

const places: [string, () => Promise<Place>][] = [
  ['a directory', () => Promise.resolve({ target: path.join(root, 'backups') })],
  [
    'an object store',
    async () => {
      useS3Credentials();
      const server = await startS3Server();
      cleanUps.push(() => server.remove());
      return { target: `s3://${S3_BUCKET}/nodes/one`, s3Endpoint: server.endpoint };
    }
  ]
];

describe.each(places)('encoded backups in %s', (_, open) => {
  /** Opened for a look at what is stored. */
  async function opened(place: Place): Promise<OpenTarget> {
    const { target: location, s3Endpoint } = place;
    const one = await openTarget({ location, s3Endpoint, fileSystem, threads: 1, mustExist: true });
    cleanUps.unshift(() => one.close());
    return one;
  }

  async function restored(place: Place, id: string): Promise<StreamContent> {
    const to = path.join(root, `restored-${id}`);
    await run('runRestore', { ...place, id, keyFile, dataDirectory: to, applyTruncation: true });
    try {
      return await streamContentOf(fileSystem, to);
    } finally {
      fs.rmSync(to, { recursive: true });
    }
  }

  it('bring back each point in time, also when the others are gone', async () => {
    const place = await open();
    const made: { id: string; content: StreamContent }[] = [];
    const take = async () => {
      const content = await streamContentOf(fileSystem, dataDirectory);
      const options = { compress: true, keyFile, threads: 2 };
      const report = await run('createBackup', { ...place, ...options, dataDirectory });
      const [row] = report.backups;
      made.push({ id: row!.id, content });
      return row!;
    };
    const full = await take();
    await append(300);
    const second = await take();
    await runScavenge(
      scavengeRequest(dataDirectory, { scavengePoint: 'new', singleNode: true }),
      scavengeEnvironment()
    );
    const third = await take();
    expect([full.mode, second.mode, third.mode]).toEqual(['full', 'differential', 'differential']);
    expect(third.chunkCount).toBeLessThan(second.chunkCount);
    expect(second.bytesCopied).toBeLessThan(second.bytes);

    for (const { id, content } of made) {
      expect(await run('verifyBackup', { ...place, id, keyFile })).toMatchObject({ ok: true, findings: [] });
      expect(await restored(place, id)).toEqual(content);
    }
    expect((await run('rehearseBackup', { ...place, keyFile, scratchDirectory: root })).ok).toBe(true);

    const { target } = await opened(place);
    const objects = (await target.list('')).filter(({ name }) => /\/(data|index)\//.test(name));
    expect(objects.map(({ name }) => name).filter((name) => !name.endsWith('.age'))).toEqual([]);
    const chunks = objects.filter(({ name }) => name.includes('/chunk-'));
    expect(chunks.some(({ name }) => name.endsWith('.zst.age'))).toBe(true);

    const prune = { ...place, retention: { last: 1 } };
    const { removed } = await run('pruneBackups', prune);
    expect(removed.map(({ id }) => id)).toEqual([full.id, second.id]);
    const last = made.at(-1)!;
    expect(await run('verifyBackup', { ...place, keyFile })).toMatchObject({ backup: last.id, ok: true });
    expect(await restored(place, last.id)).toEqual(last.content);
  }, 60_000);

  it('are checked as they are stored without the key, and restored with it only', async () => {
    const place = await open();
    await run('createBackup', { ...place, dataDirectory, keyFile });
    const report = await run('verifyBackup', place);
    expect(report).toMatchObject({ ok: true, findings: [] });
    expect(report.notChecked).toEqual([expect.stringMatching(/encrypted files.*--key-file/)]);

    const otherKey = path.join(root, 'other');
    await writeKeyFile(otherKey, '2026-01-01T00:00:00Z');
    const to = path.join(root, 'restored');
    for (const key of [{}, { keyFile: otherKey }]) {
      const refused = { code: 'UnsupportedFormat', details: { reason: 'keyMissing' } };
      await expect(run('runRestore', { ...place, ...key, dataDirectory: to })).rejects.toMatchObject(refused);
      await expect(run('rehearseBackup', { ...place, ...key })).rejects.toMatchObject(refused);
    }
    await expect(run('verifyBackup', { ...place, keyFile: otherKey })).rejects.toMatchObject({
      code: 'UnsupportedFormat'
    });
    expect(fs.existsSync(to)).toBe(false);

    const { target } = await opened(place);
    const [chunk] = (await target.list('')).filter(({ name }) => name.includes('/chunk-'));
    const blocks: Uint8Array[] = [];
    for await (const block of target.read(chunk!.name)) blocks.push(block);
    const bytes = Buffer.concat(blocks);
    bytes[bytes.length - 100]! ^= 1;
    await target.write(
      chunk!.name,
      (async function* () {
        await Promise.resolve();
        yield bytes;
      })()
    );
    for (const key of [{}, { keyFile }]) {
      const damaged = await run('verifyBackup', { ...place, ...key });
      expect(damaged.findings).toMatchObject([{ code: 'backupFileChanged', file: chunk!.name }]);
    }
    await expect(run('runRestore', { ...place, keyFile, dataDirectory: to })).rejects.toMatchObject({
      code: 'LogCorrupt'
    });
  }, 60_000);

  it('are not shared between encodings: what is asked for holds for every file', async () => {
    const place = await open();
    const plain = await run('createBackup', { ...place, dataDirectory });
    const encrypted = await run('createBackup', { ...place, dataDirectory, keyFile });
    expect(encrypted.backups[0]).toMatchObject({ mode: 'differential', basedOn: plain.backups[0]!.id });
    await run('pruneBackups', { ...place, retention: { last: 1 } });
    const { target } = await opened(place);
    const objects = (await target.list('')).filter(({ name }) => /\/(data|index)\//.test(name));
    expect(objects.length).toBeGreaterThan(5);
    expect(objects.filter(({ name }) => !name.endsWith('.age'))).toEqual([]);
    expect(await run('verifyBackup', { ...place, keyFile })).toMatchObject({ ok: true, findings: [] });
    const again = await run('planBackup', { ...place, dataDirectory, keyFile });
    const other = await run('planBackup', { ...place, dataDirectory, keyFile, compress: true });
    expect(again.bytesToCopy).toBeLessThan(other.bytesToCopy);
  }, 60_000);
});

it('what a kept manifest names stays in an object store when the backup it came from is removed', async () => {
  const place = await places[1]![1]();
  const storage = { keyFile, compress: true };
  const full = (await run('createBackup', { ...place, ...storage, dataDirectory })).backups[0]!;
  await append(20);
  const kept = (await run('createBackup', { ...place, ...storage, dataDirectory })).backups[0]!;
  const open = await openTarget({
    location: place.target,
    s3Endpoint: place.s3Endpoint,
    fileSystem,
    threads: 1,
    mustExist: true
  });
  cleanUps.unshift(() => open.close());
  const { target } = open;
  const manifest = await chooseBackup(target, kept.id);
  const shared = manifest.files.map(({ object }) => object).filter((name) => name.startsWith(`${full.id}/`));
  expect(shared.length).toBeGreaterThan(2);
  await run('pruneBackups', { ...place, retention: { last: 1 } });
  const left = (await target.list(`${full.id}/`)).map(({ name }) => name);
  expect(left).toEqual([...shared].sort());
  expect((await run('listBackups', place)).backups.map(({ id }) => id)).toEqual([kept.id]);
  expect(await run('verifyBackup', { ...place, keyFile })).toMatchObject({ ok: true, findings: [] });
});
