/** How files of backups are stored: what the tools zstd and age can read, and what happens to bytes that changed. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  OperationStopped,
  readBackupFile,
  targetFailed,
  type BackupTarget,
  type FileEncoding,
  type ManifestFile
} from '../../../../src-core/index.ts';
import { openFileEncodings } from '../../../../src-main/backup/encodings/file-encodings.ts';
import { readKeyFile, writeKeyFile } from '../../../../src-main/backup/encodings/key-file.ts';

const AT = '2026-01-01T00:00:00Z';
const object = '20260101T000000Z-abcd/data/chunk-000000.000000';
let directory: string;
let keyFile: string;
let publicKey: string;

beforeEach(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-keys-'));
  keyFile = path.join(directory, 'node.key');
  publicKey = await writeKeyFile(keyFile, AT);
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

const forWriting = (options: { compress?: boolean; keyFile?: string | undefined }) =>
  openFileEncodings({ compress: false, keyFile: undefined, isForWriting: true, ...options });
const forReading = (file?: string) =>
  openFileEncodings({ compress: false, keyFile: file, isForWriting: false });
const secretOf = (file: string) => /^AGE-SECRET-KEY-.*$/m.exec(fs.readFileSync(file, 'utf8'))![0];

async function* blocksOf(bytes: Uint8Array, size = 100_000): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function gathered(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  for await (const block of content) blocks.push(block);
  return Buffer.concat(blocks);
}

/** Text that compresses, longer than a block of either encoding. */
const PLAIN = Buffer.from(
  Array.from({ length: 60_000 }, (_, i) => `{"order":${i * 7919},"state":"open"}`).join('\n')
);

describe('a file of a backup', () => {
  /** A stored file that says of itself what a manifest says; `given` counts what is asked of the target. */
  const reading = async (stored: Uint8Array, says: { bytes: number; storedBytes: number }) => {
    const { decode } = await forReading();
    const target = { read: () => blocksOf(stored) } as unknown as BackupTarget;
    const file = { object, encodings: ['zstd'], ...says } as unknown as ManifestFile;
    return gathered(readBackupFile(target, file, decode));
  };

  it('never comes out larger than its manifest says', async () => {
    const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(10_000);
    const says = { bytes: 1_000_000, storedBytes: bomb.length };
    await expect(reading(bomb, says)).rejects.toThrow(`${object} continues after byte 1000000`);
    const more = { bytes: 64 * 1024 * 1024, storedBytes: bomb.length - 1 };
    await expect(reading(bomb, more)).rejects.toThrow(`${object} continues after byte ${bomb.length - 1}`);
    expect((await reading(bomb, { ...more, storedBytes: bomb.length })).length).toBe(64 * 1024 * 1024);
  });
});

describe('the encodings of a backup', () => {
  it('are none unless asked for', async () => {
    expect((await forWriting({})).encodings).toBeUndefined();
    expect((await forReading(keyFile)).encodings).toBeUndefined();
  });

  it('are zstd for completed chunks only, which the tool can read', async () => {
    const { encodings, decode } = await forWriting({ compress: true });
    expect(encodings).toMatchObject({ completedChunks: { names: ['zstd'], suffix: '.zst' } });
    expect(encodings!.others).toBeUndefined();
    const stored = await gathered(encodings!.completedChunks!.encode(blocksOf(PLAIN)));
    expect(stored.length).toBeLessThan(PLAIN.length / 3);
    expect(zstdDecompressSync(stored).equals(PLAIN)).toBe(true);
    const file = { object, encodings: ['zstd'] };
    expect((await gathered(decode(blocksOf(stored), file))).equals(PLAIN)).toBe(true);
  });

  it('are age for every file, which the tool can read', async () => {
    const { encodings } = await forWriting({ keyFile });
    expect(encodings!.others).toMatchObject({ names: [`age:${publicKey}`], suffix: '.age' });
    const stored = await gathered(encodings!.others!.encode(blocksOf(PLAIN)));
    const decrypter = new Decrypter();
    decrypter.addIdentity(secretOf(keyFile));
    expect(Buffer.from(await decrypter.decrypt(stored)).equals(PLAIN)).toBe(true);
    const { decode } = await forReading(keyFile);
    const encrypter = new Encrypter();
    encrypter.addRecipient(publicKey);
    const file = { object, encodings: [`age:${publicKey}`] };
    const byTool = await encrypter.encrypt(PLAIN);
    expect((await gathered(decode(blocksOf(byTool), file))).equals(PLAIN)).toBe(true);
  });

  it('compress before they encrypt', async () => {
    const { encodings, decode } = await forWriting({ compress: true, keyFile });
    const { names, suffix, encode } = encodings!.completedChunks!;
    expect([names, suffix]).toEqual([['zstd', `age:${publicKey}`], '.zst.age']);
    for (const plain of [PLAIN, Buffer.alloc(0), Buffer.from('x')]) {
      const stored = await gathered(encode(blocksOf(plain)));
      expect(stored.length).toBeLessThan(plain.length / 3 + 400);
      const read = await gathered(decode(blocksOf(stored), { object, encodings: [...names] }));
      expect(read.equals(plain)).toBe(true);
    }
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut', (bytes) => bytes.subarray(0, bytes.length - 20)],
    ['cut in the head', (bytes) => bytes.subarray(0, 3)],
    ['empty', () => Buffer.alloc(0)],
    ['changed at the end', (bytes) => flipped(bytes, bytes.length - 2)],
    ['changed in the middle', (bytes) => flipped(bytes, bytes.length >> 1)]
  ])('call stored bytes damaged that are %s', async (_, spoil) => {
    const { encodings, decode } = await forWriting({ compress: true, keyFile });
    const kinds: FileEncoding[] = [(await forWriting({ compress: true })).encodings!.completedChunks!];
    kinds.push(encodings!.others!, encodings!.completedChunks!);
    for (const { names, encode } of kinds) {
      const stored = spoil(await gathered(encode(blocksOf(PLAIN))));
      const file = { object, encodings: [...names] };
      const reading = gathered(decode(blocksOf(stored), file));
      await expect(reading, names.join()).rejects.toMatchObject({
        code: 'LogCorrupt',
        details: { file: object }
      });
    }
  });

  it('hand on what their source throws, and let it go when nobody reads on', async () => {
    const { encodings, decode } = await forWriting({ compress: true, keyFile });
    const { names, encode } = encodings!.completedChunks!;
    const failures = [
      new OperationStopped(),
      targetFailed({ target: 't', object, what: 'read', reason: 'gone.' })
    ];
    for (const failure of failures) {
      const failing = async function* (): AsyncIterable<Uint8Array> {
        yield* blocksOf(PLAIN);
        throw failure;
      };
      await expect(gathered(encode(failing()))).rejects.toBe(failure);
      const noBytes = async function* (): AsyncIterable<Uint8Array> {
        yield* blocksOf(Buffer.alloc(0));
        throw failure;
      };
      await expect(gathered(decode(noBytes(), { object, encodings: [...names] }))).rejects.toBe(failure);
    }
    let isClosed = false;
    const endless = async function* (): AsyncIterable<Uint8Array> {
      try {
        for (;;) yield* blocksOf(PLAIN);
      } finally {
        isClosed = true;
      }
    };
    for await (const block of encode(endless())) {
      expect(block.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => isClosed).toBe(true);
  });

  it('that are not known are refused', async () => {
    const { decode, requireKeys } = await forReading(keyFile);
    const file = { object, encodings: ['brotli'] };
    expect(() => decode(blocksOf(PLAIN), file)).toThrow(/stored as "brotli"/);
    const files = [file] as unknown as Parameters<typeof requireKeys>[0]['files'];
    expect(() => requireKeys({ files })).toThrow(/newer version of Winnow|unknown here/);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 0x40;
  return copy;
}

describe('a key file', () => {
  it('is readable by its owner alone, and never replaced', async () => {
    expect(fs.statSync(keyFile).mode & 0o777).toBe(0o600);
    const before = fs.readFileSync(keyFile, 'utf8');
    expect(before).toContain(`# public key: ${publicKey}\n`);
    await expect(writeKeyFile(keyFile, AT)).rejects.toMatchObject({ code: 'StorageFailed' });
    expect(fs.readFileSync(keyFile, 'utf8')).toBe(before);
  });

  it('with the public half only is enough to take backups, not to read them', async () => {
    const publicFile = path.join(directory, 'public');
    fs.writeFileSync(publicFile, `# of node 1\n\n${publicKey}\r\n`);
    const { encodings, decode, lacksKey } = await forWriting({ keyFile: publicFile });
    const { names, encode } = encodings!.others!;
    const stored = await gathered(encode(blocksOf(PLAIN)));
    const file = { object, encodings: [...names] };
    expect(lacksKey(file)).toBe(false);
    await expect(gathered(decode(blocksOf(stored), file))).rejects.toThrow(/only its public half/);
    const { decode: withSecret } = await forReading(keyFile);
    expect((await gathered(withSecret(blocksOf(stored), file))).equals(PLAIN)).toBe(true);
  });

  it('may hold several keys: those of several backups where one is read, and each opens what is made for all', async () => {
    const other = path.join(directory, 'other.key');
    await writeKeyFile(other, AT);
    const both = path.join(directory, 'both.key');
    fs.writeFileSync(both, fs.readFileSync(keyFile, 'utf8') + fs.readFileSync(other, 'utf8'));
    const { encodings } = await forWriting({ keyFile });
    const stored = await gathered(encodings!.others!.encode(blocksOf(PLAIN)));
    const { decode } = await forReading(both);
    const file = { object, encodings: [`age:${publicKey}`] };
    expect((await gathered(decode(blocksOf(stored), file))).equals(PLAIN)).toBe(true);
    const forBoth = (await forWriting({ keyFile: both })).encodings!.others!;
    const shared = await gathered(forBoth.encode(blocksOf(PLAIN)));
    for (const one of [keyFile, other]) {
      const { decode: withOne } = await forReading(one);
      const named = { object, encodings: [...forBoth.names] };
      expect((await gathered(withOne(blocksOf(shared), named))).equals(PLAIN)).toBe(true);
    }
  });

  it.each([
    ['missing', undefined],
    ['without a key', '# nothing\n'],
    ['with another text', 'hello\n'],
    ['with a key that was mistyped', 'MISTYPED'],
    ['that is far too large', 'x'.repeat(100_000)]
  ])('%s is refused, and its words hold no secret', async (_, text) => {
    const file = path.join(directory, 'wrong.key');
    const secret = secretOf(keyFile);
    const mistyped = secret.slice(0, -1) + (secret.endsWith('Q') ? 'P' : 'Q');
    if (text !== undefined) fs.writeFileSync(file, text === 'MISTYPED' ? mistyped : text);
    const thrown: unknown = await readKeyFile(file).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'InvalidRequest', details: { field: '--key-file' } });
    expect(JSON.stringify([(thrown as Error).message, thrown])).not.toContain(secret.slice(20, 40));
  });
});
