/**
 * What is known of a backup without its files: positions and names of a manifest that contradict each other, and the progress
 * of an unfinished backup that nobody vouches for.
 */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { progressObject } from '../../../src-core/backup/backup-layout.ts';
import { contentOf } from '../../../src-core/backup/backup-target.ts';
import type { BackupTrust } from '../../../src-core/backup/backup-trust.ts';
import { checkPositions } from '../../../src-core/backup/check-positions.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import {
  encodeProgress,
  encodeSignedProgress,
  readProgress,
  type BackupProgress
} from '../../../src-core/backup/progress-file.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { testBackups, writeDatabase } from './backup-environment.ts';

let whole: Manifest;
beforeAll(async () => {
  const fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 150 * 1024 });
  const { request, environment } = testBackups(fileSystem);
  whole = await runBackup(request, environment);
});

type Changed = { -readonly [K in keyof Manifest]: Manifest[K] };
const changed = (change: (manifest: Changed) => void): Manifest => {
  const manifest: Changed = structuredClone(whole);
  change(manifest);
  return manifest;
};
const codesOf = (manifest: Manifest): string[] =>
  checkPositions(manifest).map(({ code, file }) => `${code} ${file ?? ''}`);
/** The chunks of a manifest, in their order. */
const chunksOf = ({ files }: Manifest): Manifest['files'] =>
  files.filter(({ chunk }) => chunk !== null).sort((one, other) => one.chunk!.start - other.chunk!.start);

describe('a manifest', () => {
  it('that contradicts itself in nothing has no findings', () => {
    expect(codesOf(whole)).toEqual([]);
    expect(chunksOf(whole).length).toBeGreaterThanOrEqual(3);
  });

  it.each(['writer.chk', 'chaser.chk'])('without a whole %s is damaged', (name) => {
    const without = changed((m) => (m.files = m.files.filter((file) => file.name !== name)));
    const short = changed((m) => (m.files = m.files.map((f) => (f.name === name ? { ...f, bytes: 7 } : f))));
    for (const manifest of [without, short]) expect(codesOf(manifest)).toEqual([`checkpointMissing ${name}`]);
  });

  it('whose checkpoints are ahead of its end is damaged', () => {
    const { writer } = whole.checkpoints;
    const atEnd = changed((m) => (m.checkpoints = { ...m.checkpoints, chaser: writer, epoch: writer }));
    expect(codesOf(atEnd)).toEqual([]);
    expect(codesOf(changed((m) => (m.checkpoints = { ...m.checkpoints, chaser: writer + 1 })))).toContain(
      'chaserBeyondWriter chaser.chk'
    );
    expect(codesOf(changed((m) => (m.checkpoints = { ...m.checkpoints, epoch: writer + 1 })))).toContain(
      'epochCheckpointInvalid epoch.chk'
    );
  });

  it('whose epoch checkpoint is before its newest epoch, and is none of them, is damaged; a newer one is an election', () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const withEpoch = (epoch: number): Manifest =>
      changed((m) => {
        m.epochs = [
          { number: 2, position: 5000, id },
          { number: 1, position: 100, id }
        ];
        m.checkpoints = { ...m.checkpoints, epoch };
      });
    expect(codesOf(withEpoch(100))).toEqual([]);
    expect(codesOf(withEpoch(5000))).toEqual([]);
    expect(codesOf(withEpoch(6000))).toEqual([]);
    expect(codesOf(withEpoch(4000))).toEqual(['epochCheckpointInvalid epoch.chk']);
  });

  it('with a gap, an overlap, a wrong name, a chunk too many or too few is damaged, each by its name', () => {
    const [first, second, third] = chunksOf(whole);
    const last = chunksOf(whole).at(-1)!;
    const without = (name: string): Manifest =>
      changed((m) => (m.files = m.files.filter((file) => file.name !== name)));
    const withChunk = (name: string, change: Partial<NonNullable<Manifest['files'][0]['chunk']>>): Manifest =>
      changed(
        (m) =>
          (m.files = m.files.map((file) =>
            file.name === name ? { ...file, chunk: { ...file.chunk!, ...change } } : file
          ))
      );
    expect(codesOf(without(second!.name))).toEqual([`chunkMissing ${third!.name}`]);
    expect(codesOf(without(last.name))).toEqual(['chunkMissing ']);
    expect(codesOf(withChunk(first!.name, { end: 1 }))).toContain(`chunkMissing ${second!.name}`);
    expect(codesOf(withChunk(first!.name, { isCompleted: false }))).toEqual([
      `chunkNotCompleted ${first!.name}`
    ]);
    expect(codesOf(withChunk(last.name, { start: 900, end: 900 }))).toEqual([
      ...[`chunkHeaderInvalid ${last.name}`, `surplusChunk ${last.name}`, 'chunkMissing ']
    ]);
    // What is in the archive of the server is known not to be here.
    const archived = changed((m) => {
      m.files = m.files.filter((file) => file.name !== first!.name);
      m.notes = [...m.notes, { code: 'archiveGap', message: 'in the archive', remedy: 'none' }];
    });
    expect(checkPositions(archived)).toMatchObject([{ code: 'archiveGap', severity: 'hint' }]);
  });

  it('whose index reaches its end, or after it, is a hint; before it, or of nothing known, it is none', () => {
    const { chaser } = whole.checkpoints;
    const withIndex = (index: number | null): string[] =>
      codesOf(changed((m) => (m.checkpoints = { ...m.checkpoints, index })));
    for (const index of [chaser - 1, 0, -1, null]) expect(withIndex(index)).toEqual([]);
    for (const index of [chaser, chaser + 1])
      expect(withIndex(index)).toEqual(['indexAheadOfLog index/indexmap']);
  });

  it('whose index map is none, or names what is not there, is a hint: an index is made again', () => {
    expect(codesOf(changed((m) => (m.indexMap = 'no index map')))).toEqual([
      'indexMapInvalid index/indexmap'
    ]);
    const ofIndex = whole.files.filter(({ area }) => area === 'index').map(({ name }) => name);
    const filter = ofIndex.find((name) => name.endsWith('.bloomfilter'))!;
    const table = filter.slice(0, -'.bloomfilter'.length);
    const without = (name: string): string[] =>
      codesOf(changed((m) => (m.files = m.files.filter((file) => file.name !== name))));
    expect(without(filter)).toEqual([`filterMissing index/${filter}`]);
    expect(without(table)).toEqual([`tableMissing index/${table}`]);
  });
});

describe('the progress of an unfinished backup', () => {
  const ID = '20260101T000000Z-0001';
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const own = {
    fingerprint: `SHA256:${'A'.repeat(43)}`,
    sign: (bytes: Uint8Array): Uint8Array => sign(null, bytes, privateKey),
    verify: (bytes: Uint8Array, signature: Uint8Array): boolean => verify(null, bytes, publicKey, signature)
  };
  const SIGNING: BackupTrust = { signer: own, verifiers: [own], isRequired: false };
  const progress = (): BackupProgress => ({
    ...{ id: ID, mode: 'full', basedOn: null, generation: 1, databaseTag: null, address: null },
    ...{ dataDirectory: '/node/data', indexDirectory: '/node/data/index', checkpointFiles: null },
    ...{ encodings: [], files: whole.files.slice(0, 2).map((file) => structuredClone(file)) }
  });

  async function readBack(
    bytes: Uint8Array | string,
    trust?: BackupTrust
  ): Promise<BackupProgress | undefined> {
    const target = new LocalBackupTarget({ fileSystem: new MemoryFileSystem(), directory: '/target' });
    await target.write(progressObject(ID), contentOf(Buffer.from(bytes)));
    return readProgress(trust ? Object.assign(target, { trust }) : target, ID);
  }
  const signed = (): Uint8Array =>
    encodeSignedProgress(
      progress(),
      Object.assign(new LocalBackupTarget({ fileSystem: new MemoryFileSystem(), directory: '/target' }), {
        trust: SIGNING
      })
    );

  it('is believed by a run that does not sign, signed or not', async () => {
    for (const bytes of [encodeProgress(progress()), signed()]) {
      expect((await readBack(bytes))?.files).toHaveLength(2);
    }
  });

  it('gives a run that signs only the files that its own key proves; the others are copied again', async () => {
    expect((await readBack(signed(), SIGNING))?.files).toHaveLength(2);
    expect((await readBack(encodeProgress(progress()), SIGNING))?.files).toEqual([]);
    const forged = JSON.parse(new TextDecoder().decode(signed())) as { dataDirectory: string };
    forged.dataDirectory = '/elsewhere';
    expect((await readBack(JSON.stringify(forged), SIGNING))?.files).toEqual([]);
  });

  it('that is not there is none', async () => {
    const empty = new LocalBackupTarget({ fileSystem: new MemoryFileSystem(), directory: '/none' });
    expect(await readProgress(empty, whole.id)).toBeUndefined();
  });

  it('that is damaged, or of another backup, counts as none', async () => {
    const text = new TextDecoder().decode(encodeProgress(progress()));
    for (const spoiled of [
      ...['', 'no JSON', '[]', text.slice(0, -20), text.replace(ID, '20260101T000000Z-0002')],
      ...[text.replace('"formatVersion":1', '"formatVersion":2'), text.replace('"full"', '"other"')]
    ]) {
      expect(await readBack(spoiled).catch((error: unknown) => error), spoiled.slice(0, 60)).toBeUndefined();
    }
  });
});
