import { describe, expect, test } from 'vitest';
import { backupId, isBackupId, isSafeName } from '../../../src-core/backup/backup-layout.ts';
import { checkPositions } from '../../../src-core/backup/check-positions.ts';
import { isManifestSealed, readCatalogue } from '../../../src-core/backup/catalogue.ts';
import { contentOf, readWholeObject, type BackupTarget } from '../../../src-core/backup/backup-target.ts';
import { decodeManifest } from '../../../src-core/backup/decode-manifest.ts';
import { encodeManifest, type Manifest } from '../../../src-core/backup/manifest.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import { requireFault } from '../../../src-core/errors.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { resealed, unsealed } from '../../support/changed-manifest.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { control, TARGET, testBackups, writeDatabase, type TestBackups } from './backup-environment.ts';

const origin = { target: '/backups', object: 'x/manifest.json' };

async function taken(): Promise<TestBackups & { manifest: Manifest; fileSystem: MemoryFileSystem }> {
  const fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 150 * 1024 });
  const backups = testBackups(fileSystem);
  return { ...backups, fileSystem, manifest: await runBackup(backups.request, backups.environment) };
}

type Json = Record<string, unknown>;

const REWRITE = {
  of: '20260101T000000Z-abcd',
  at: '2026-01-02T00:00:00.0000000Z',
  work: 'scavenge',
  question: 'q',
  scavengePoint: null
};

function changed(manifest: Manifest, change: (document: Json) => void): Uint8Array {
  return resealed(encodeManifest(manifest), change);
}

describe('a manifest', () => {
  test('is read as it was written', async () => {
    const { manifest } = await taken();
    expect(decodeManifest(encodeManifest(manifest), origin)).toEqual(manifest);
  });

  test('is refused when it is cut', async () => {
    const bytes = encodeManifest((await taken()).manifest);
    expect(() => decodeManifest(bytes.subarray(0, bytes.length - 10), origin)).toThrow(/is damaged/);
  });

  test.each<[string, (document: Json) => void, RegExp]>([
    ['of another program', (d) => (d['format'] = 'other'), /format/],
    ['without a member', (d) => delete d['node'], /node is missing/],
    [
      'with a fraction for a position',
      (d) => ((d['checkpoints'] as Json)['writer'] = 1.5),
      /checkpoints.writer/
    ],
    [
      'with a name that leads out',
      (d) => ((d['files'] as Json[])[0]!['name'] = '../writer.chk'),
      /files\[0\].name/
    ],
    [
      'with an absolute object',
      (d) => ((d['files'] as Json[])[0]!['object'] = '/etc/passwd'),
      /files\[0\].object/
    ],
    ['that names a file twice', (d) => (d['files'] as Json[]).push((d['files'] as Json[])[0]!), /twice/],
    [
      'with an encoding upon another without end',
      (d) => ((d['files'] as Json[])[0]!['encodings'] = new Array<string>(100_000).fill('zstd')),
      /files\[0\].encodings is a list of more than 4/
    ],
    ['with a hash that is none', (d) => ((d['files'] as Json[])[0]!['sha256'] = 'abc'), /sha256/],
    ['of an id that is none', (d) => (d['id'] = '../other'), /member id is not the id of a backup/],
    ['with a number for a text', (d) => (d['toolVersion'] = 2), /toolVersion is not a text/],
    [
      'with a word for a yes or no',
      (d) => ((d['node'] as Json)['wasInUse'] = 'no'),
      /node.wasInUse is neither true nor false/
    ],
    ['with files that are no list', (d) => (d['files'] = {}), /files is not a list/],
    ['with a node that is none', (d) => (d['node'] = 'sample'), /node is not an object/],
    [
      'with a length below nothing',
      (d) => ((d['files'] as Json[])[0]!['bytes'] = -1),
      /files\[0\].bytes is below 0/
    ],
    [
      'rewritten from a backup that is none',
      (d) => (d['rewrite'] = { ...REWRITE, of: 'latest' }),
      /rewrite.of is not the id of a backup/
    ],
    [
      'rewritten at a time that is none',
      (d) => (d['rewrite'] = { ...REWRITE, detachedPoints: [{ position: 7, effectiveNow: 'noon' }] }),
      /rewrite.detachedPoints\[0\].effectiveNow is not a time/
    ],
    [
      'rewritten by work that nobody knows',
      (d) => (d['rewrite'] = { ...REWRITE, work: 'cleaning' }),
      /rewrite.work/
    ]
  ])('is refused %s, with the place', async (_, change, place) => {
    const { manifest } = await taken();
    expect(() => decodeManifest(changed(manifest, change), origin)).toThrow(place);
  });

  test('is refused when any bit of it was changed', async () => {
    const { manifest } = await taken();
    const bytes = encodeManifest(manifest);
    const accepted: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      for (let mask = 1; mask < 256; mask <<= 1) {
        bytes[at]! ^= mask;
        try {
          decodeManifest(bytes, origin);
          accepted.push(`${at} by ${mask}`);
        } catch (error) {
          requireFault(error);
        }
        bytes[at]! ^= mask;
      }
    }
    expect(accepted).toEqual([]);
  });

  test('of a version that sealed none is read, and said not to have a hash of itself', async () => {
    const { manifest, target } = await taken();
    expect(await isManifestSealed(target, manifest.id)).toBe(true);
    const older = unsealed(encodeManifest(manifest));
    expect(decodeManifest(older, origin)).toEqual(manifest);
    await target.write(`${manifest.id}/manifest.json`, contentOf(older));
    expect(await isManifestSealed(target, manifest.id)).toBe(false);
    expect(await isManifestSealed(target, '20260401T000000Z-0001')).toBe(false);
  });

  test.each([
    ['sealed', null],
    ['sealed', 1],
    ['seal', null]
  ])('is refused when %s is %s', async (member, value) => {
    const { manifest } = await taken();
    const document = JSON.parse(new TextDecoder().decode(encodeManifest(manifest))) as Json;
    const bytes = new TextEncoder().encode(JSON.stringify({ ...document, [member]: value }));
    expect(() => decodeManifest(bytes, origin)).toThrow('the hash that it ends with');
  });

  test('of a hundred thousand files is read in linear time', async () => {
    const { manifest } = await taken();
    const [like] = manifest.files;
    const files = Array.from({ length: 100_000 }, (_, i) => ({
      ...like!,
      name: `f${i}`,
      object: `x/data/f${i}`
    }));
    const many = { ...manifest, files };
    expect(decodeManifest(encodeManifest(many), origin).files).toHaveLength(100_000);
    expect(checkPositions(many).length).toBeGreaterThan(0);
  });

  test('that is nested without end is damaged', () => {
    for (const text of ['['.repeat(1e6), `{"format":${'{"a":'.repeat(1e6)}`]) {
      expect(() => decodeManifest(new TextEncoder().encode(text), origin)).toThrow(/is damaged/);
    }
  });

  test('is never read beyond its bound, whatever is said of its size', async () => {
    const endless: Pick<BackupTarget, 'description' | 'describe' | 'read'> = {
      description: 'endless',
      describe: (name) => Promise.resolve({ name, size: 10 }),
      read: async function* () {
        for (;;) yield await Promise.resolve(new Uint8Array(1000));
      }
    };
    const reading = readWholeObject(endless as BackupTarget, 'x/manifest.json', 5000);
    await expect(reading).rejects.toThrow('such an object has at most 5000');
  });

  test('of a newer format is left alone', async () => {
    const { manifest } = await taken();
    const bytes = changed(manifest, (document) => (document['formatVersion'] = 2));
    expect(() => decodeManifest(bytes, origin)).toThrow(/newer workbench|format version 2/);
  });

  test('that is damaged hides no other backup and is named', async () => {
    const { manifest, target, request, environment } = await taken();
    const second = await runBackup(request, environment);
    await target.write(`${manifest.id}/manifest.json`, contentOf(new Uint8Array([1, 2, 3])));
    const catalogue = await readCatalogue(target);
    expect(catalogue.backups.map(({ id }) => id)).toEqual([second.id]);
    expect(catalogue.damaged.map(({ id }) => id)).toEqual([manifest.id]);
  });
});

describe('positions of a manifest', () => {
  test.each<[string, (manifest: Manifest) => void, string]>([
    [
      'a chaser ahead of the writer',
      (m) => (m.checkpoints.chaser = m.checkpoints.writer + 1),
      'chaserBeyondWriter'
    ],
    [
      'a chunk that is missing',
      (m) => (m.files = m.files.filter((f) => f.chunk?.start !== 1)),
      'chunkMissing'
    ],
    [
      'a chunk behind the writer',
      (m) => (m.checkpoints = { ...m.checkpoints, writer: 70_000, chaser: 70_000, epoch: 0 }),
      'surplusChunk'
    ],
    [
      'a checkpoint that is missing',
      (m) => (m.files = m.files.filter((f) => f.name !== 'writer.chk')),
      'checkpointMissing'
    ]
  ])('tell of %s', async (_, change, code) => {
    const { manifest } = await taken();
    change(manifest);
    const codes = checkPositions(manifest).flatMap((found) =>
      found.severity === 'damage' ? [found.code] : []
    );
    expect(codes).toContain(code);
  });
});

describe('verification', () => {
  test('names a changed byte, a missing file and a file of another size', async () => {
    const { manifest, target, fileSystem } = await taken();
    const objects = manifest.files.filter(({ bytes }) => bytes > 1000).map(({ object }) => object);
    const [flipped, gone, longer] = objects;
    const path = (object: string | undefined): string => `${TARGET}/${object}`;
    const flip = fileSystem.open(path(flipped), 'readWrite');
    flip.write(new Uint8Array([0x77]), 0, 1, 500);
    flip.close();
    fileSystem.remove(path(gone));
    const grow = fileSystem.open(path(longer), 'readWrite');
    grow.truncate(grow.size() + 1);
    grow.close();
    const { findings } = await verifyBackup({ manifest, target, control: control() });
    const found = Object.fromEntries(findings.map(({ file, code }): [string, string] => [file ?? '', code]));
    expect(found).toEqual({
      [flipped!]: 'backupFileChanged',
      [gone!]: 'backupFileMissing',
      [longer!]: 'backupFileChanged'
    });
    const quick = await verifyBackup({ manifest, target, control: control(), isQuick: true });
    expect(quick.findings).toHaveLength(2);
    expect(quick.notChecked).toHaveLength(1);
  });

  test('names a checkpoint file that holds another position than the manifest says', async () => {
    const { manifest, target } = await taken();
    const checkpoints = { ...manifest.checkpoints, chaser: 7 };
    const { findings } = await verifyBackup({
      manifest: { ...manifest, checkpoints },
      target,
      control: control()
    });
    const changes = findings.filter(({ code }) => code === 'backupFileChanged');
    expect(changes.map(({ code, file, message }) => [code, file, message])).toEqual([
      [
        'backupFileChanged',
        `${manifest.id}/data/chaser.chk`,
        expect.stringContaining(`it holds ${manifest.checkpoints.chaser}, the manifest says 7`)
      ]
    ]);
  });

  test('names stored bytes that are others, though they are decoded to what was stored', async () => {
    const { manifest, target } = await taken();
    const file = manifest.files.find(({ name }) => name === 'writer.chk')!;
    const files = [{ ...file, encodings: ['same'], storedSha256: '0'.repeat(64) }];
    const { findings } = await verifyBackup({
      manifest: { ...manifest, files },
      target,
      control: control(),
      decode: (stored) => stored
    });
    const changes = findings.filter(({ code }) => code === 'backupFileChanged');
    expect(changes.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        `${file.object} has changed since the backup was taken: the SHA-256 of its stored`
      )
    ]);
  });

  test('tells of files that nobody names, and what to do about them where a manual restore would take them', async () => {
    const { manifest, target } = await taken();
    for (const name of ['notes.txt', 'data/chunk-000900.000000'])
      await target.write(`${manifest.id}/${name}`, contentOf(Buffer.from('x')));
    const { findings } = await verifyBackup({ manifest, target, control: control() });
    expect(findings.map(({ severity, file, remedy }) => [severity, file, remedy])).toEqual([
      ['hint', `${manifest.id}/data/chunk-000900.000000`, expect.stringContaining('leave it out') as string],
      ['hint', `${manifest.id}/notes.txt`, 'Nothing to do.']
    ]);
  });
});

describe('names', () => {
  test('of backups begin with the time', () => {
    const id = backupId(ticksFromIso('2026-11-21T05:00:00Z')!, '4F2A0000-0000');
    expect(id).toBe('20261121T050000Z-4f2a');
    expect(isBackupId(id)).toBe(true);
    expect(isBackupId('lost+found')).toBe(false);
  });

  test.each(['', '.', '..', 'a/../b', '/a', 'a//b', 'a\\b', 'C:/a', 'a\u0000b', 'a/'])(
    '%j is not safe',
    (name) => {
      expect(isSafeName(name)).toBe(false);
    }
  );
});
