/** Archives that come from anybody: what is no bundle, and what would write elsewhere or without an end, is refused by name. */
import { describe, expect, it } from 'vitest';
import { ARCHIVE_BLOCK, encodeArchiveHead } from '../../../src-core/bundle/archive/archive-head.ts';
import { unpackBundle } from '../../../src-core/bundle/archive/unpack-bundle.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';
import { seedCount } from '../../support/seeds.ts';

const TARGET = '/out/node';

interface Member {
  name: string;
  content?: Buffer;
  /** Another size in the head than the content has. */
  size?: number;
  kind?: string;
  link?: string;
}

function manifest(members: readonly Member[], more: object = {}): Buffer {
  const bytes = members.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  const facts = {
    bundle: 1,
    files: members.length,
    bytes,
    headersOnly: false,
    madeAt: '2026-01-01T00:00:00.0000000Z'
  };
  return Buffer.from(JSON.stringify({ ...facts, chunks: 1, records: 2, ...more }));
}

function memberBytes({
  name,
  content = Buffer.alloc(0),
  size = content.length,
  kind = '0',
  link = ''
}: Member): Buffer {
  const head = encodeArchiveHead({ name, size });
  head.write(kind, 156);
  head.write(link, 157);
  head.write('        ', 148);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const filling = Buffer.alloc((ARCHIVE_BLOCK - (content.length % ARCHIVE_BLOCK)) % ARCHIVE_BLOCK);
  return Buffer.concat([head, content, filling]);
}

const END = Buffer.alloc(2 * ARCHIVE_BLOCK);

function archive(members: readonly Member[], more: object = {}): Buffer {
  const first = { name: 'bundle/bundle.json', content: manifest(members, more) };
  return Buffer.concat([...[first, ...members].map(memberBytes), END]);
}

/** In blocks of any length. */
async function* inBlocks(bytes: Buffer, prng = new Prng(1)): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const length = 1 + prng.below(3000);
    yield bytes.subarray(at, at + length);
    at += length;
    await Promise.resolve();
  }
}

function unpack(bytes: Buffer, fileSystem = new MemoryFileSystem(), target: string | undefined = TARGET) {
  const control = uncontrolled();
  return unpackBundle({ fileSystem, file: '/in/pack.tar.zst', blocks: inBlocks(bytes), target, control });
}

async function refusal(bytes: Buffer): Promise<EngineError> {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/out');
  for (const target of [undefined, TARGET]) {
    const error = await unpack(bytes, fileSystem, target).then(
      () => undefined,
      (reason: unknown) => reason
    );
    if (!(error instanceof EngineError)) throw new Error(`not refused: ${String(error)}`);
    expect(fileSystem.list('/out')).toEqual([]);
    expect(error.remedy).not.toBe('');
    expect(error.details.file).toBe('/in/pack.tar.zst');
    if (target === TARGET) return error;
  }
  throw new Error('not reached');
}

const chunk = (content = Buffer.from('content')): Member => ({ name: 'bundle/chunk-000000.000000', content });

describe('a packed bundle', () => {
  it('becomes the files that are in it, in whatever blocks it comes', async () => {
    for (let seed = 1; seed <= seedCount(20); seed++) {
      const prng = new Prng(seed);
      const members = [0, 1, 511, 512, 513, 5000, 100_000].map((length, i) => ({
        name: i % 2 === 0 ? `bundle/chunk-00000${i}.000000` : `bundle/index/scavenging/part-${i}`,
        content: i === 5 ? Buffer.alloc(length) : Buffer.from(prng.bytes(length))
      }));
      const fileSystem = new MemoryFileSystem();
      const blocks = inBlocks(archive(members), prng);
      await unpackBundle({ fileSystem, file: 'x', blocks, target: TARGET, control: uncontrolled() });
      for (const { name, content } of members) {
        const path = `${TARGET}/${name.slice('bundle/'.length)}`;
        expect(Buffer.from(readWholeFile(fileSystem, path)!).equals(content), `${name}, seed ${seed}`).toBe(
          true
        );
      }
      expect(fileSystem.list('/out')).toHaveLength(1);
      expect(
        fileSystem
          .list(TARGET)
          ?.map(({ name }) => name)
          .sort()
      ).not.toContain('bundle-unpacking.txt');
    }
  });

  it.each([
    ['an absolute path', '/etc/passwd'],
    ['an absolute path behind the folder', 'bundle//etc/passwd'],
    ['a way up', 'bundle/../../x'],
    ['a way up at the end', 'bundle/index/..'],
    ['a dot', 'bundle/./x'],
    ['another folder', 'node/chunk-000000.000000'],
    ['the folder itself', 'bundle'],
    ['no name', 'bundle/'],
    ['a backslash', 'bundle/..\\x'],
    ['a drive', 'bundle/c:x'],
    ['a control character', 'bundle/a\nb'],
    ['a device of Windows', 'bundle/NUL.txt'],
    ['a dot at the end', 'bundle/a.'],
    ['too many folders', 'bundle/a/b/c/d/e'],
    ['the mark of the unpacking', 'bundle/bundle-unpacking.txt']
  ])('is refused with %s as a name', async (_, name) => {
    const error = await refusal(archive([chunk(), { name, content: Buffer.from('x') }]));
    expect(error.code).toBe('LogCorrupt');
    expect(error.message).toContain(JSON.stringify(name));
    expect(error.details.offset).toBeGreaterThan(0);
  });

  it.each([
    ['a hard link', '1'],
    ['a symbolic link', '2'],
    ['a character device', '3'],
    ['a block device', '4'],
    ['a directory', '5'],
    ['a pipe', '6'],
    ['a longer name', 'L'],
    ['a longer link', 'K'],
    ['members of its own', 'x'],
    ['members of all', 'g'],
    ['a sparse file', 'S']
  ])('is refused with %s', async (_, kind) => {
    const error = await refusal(archive([chunk(), { name: 'bundle/writer.chk', kind, link: '/etc/passwd' }]));
    expect(error).toMatchObject({ code: 'LogCorrupt', details: { offset: 2048 } });
    expect(error.message).toContain('no plain file');
  });

  it.each([
    ['the same', 'bundle/chunk-000000.000000'],
    ['one of other case', 'bundle/CHUNK-000000.000000'],
    ['the description', 'bundle/bundle.json']
  ])('is refused when a name comes twice: %s', async (_, name) => {
    const error = await refusal(archive([chunk(), { name, content: Buffer.from('other') }]));
    expect(error.message).toContain('a second time');
  });

  it('is refused when it is more than it says, before the rest is read', async () => {
    const more = { ...chunk(Buffer.alloc(5000)), name: 'bundle/writer.chk' };
    for (const announced of [{ files: 1 }, { bytes: 5006 }]) {
      const error = await refusal(archive([chunk(), more], announced));
      expect(error.message).toContain('larger than');
    }
    let asked = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      const first = { name: 'bundle/bundle.json', content: manifest([chunk()]) };
      yield memberBytes(first);
      yield encodeArchiveHead({ name: 'bundle/chunk-000000.000000', size: 2 ** 50 });
      for (; asked < 1000; asked++) yield await Promise.resolve(Buffer.alloc(1_000_000));
    };
    const request = { fileSystem: new MemoryFileSystem(), file: 'x', blocks: endless(), target: TARGET };
    await expect(unpackBundle({ ...request, control: uncontrolled() })).rejects.toThrow('larger than');
    expect(asked).toBeLessThan(2);
  });

  it('takes the place of an empty directory, also where its blocks come late', async () => {
    const fileSystem = new MemoryFileSystem();
    fileSystem.makeDirectory(TARGET);
    async function* withEmptyOnes(): AsyncGenerator<Uint8Array> {
      for await (const block of inBlocks(archive([chunk()]))) {
        yield new Uint8Array(0);
        yield block;
      }
    }
    const blocks = withEmptyOnes();
    await unpackBundle({ fileSystem, file: 'x', blocks, target: TARGET, control: uncontrolled() });
    const bytes = readWholeFile(fileSystem, `${TARGET}/chunk-000000.000000`)!;
    expect(Buffer.from(bytes).toString()).toBe('content');
    expect(fileSystem.list('/out')).toHaveLength(1);
  });

  it.each([
    ['more files than there are', { files: 4_000_001 }, 'LogCorrupt', /4000001 files are announced/],
    ['a number of files that is none', { files: -1 }, 'InvalidRequest', /is no packed bundle/],
    ['a time that is none', { madeAt: 'yesterday' }, 'InvalidRequest', /is no packed bundle/],
    ['no time', { madeAt: null }, 'InvalidRequest', /is no packed bundle/],
    ['payloads or none, in words', { headersOnly: 'yes' }, 'InvalidRequest', /is no packed bundle/]
  ] as const)('is refused when it announces %s', async (_what, more, code, message) => {
    const error = await refusal(archive([chunk()], more));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it.each(['null', '7', '"bundle"', '[]', '{'])('is none when its description is %s', async (text) => {
    const first = memberBytes({ name: 'bundle/bundle.json', content: Buffer.from(text) });
    expect((await refusal(Buffer.concat([first, END]))).code).toBe('InvalidRequest');
  });

  it('is refused when one block of zeros is followed by something else', async () => {
    const bytes = archive([chunk()]);
    bytes[bytes.length - ARCHIVE_BLOCK] = 1;
    const error = await refusal(bytes);
    expect(error.message).toContain('a block of zeros is followed by something else');
  });

  it('is refused when zeros follow its end without an end', async () => {
    const error = await refusal(Buffer.concat([archive([chunk()]), Buffer.alloc(3_000_000)]));
    expect(error.message).toContain('follows the end');
  });

  it('is refused when it is less than it says', async () => {
    const error = await refusal(archive([chunk()], { files: 2 }));
    expect(error.message).toContain('1 files of 7 bytes; 2 of 7 are announced');
    expect((await refusal(archive([chunk()], { bytes: 8 }))).message).toContain('are announced');
  });

  it('is refused wherever it was cut', async () => {
    const whole = archive([chunk(), { name: 'bundle/writer.chk', content: Buffer.alloc(700, 1) }]);
    for (let length = 0; length < whole.length; length += 37) {
      const { code } = await refusal(whole.subarray(0, length));
      expect(['LogCorrupt', 'InvalidRequest']).toContain(code);
    }
  });

  it('is refused or unpacked as it is with any byte of its heads changed, and nothing else happens', async () => {
    const whole = archive([chunk(), { name: 'bundle/writer.chk', content: Buffer.alloc(700, 1) }]);
    const heads = [0, 1024, 2048].filter((start) => start + ARCHIVE_BLOCK <= whole.length);
    for (const start of heads) {
      for (let at = start; at < start + ARCHIVE_BLOCK; at += 3) {
        const changed = Buffer.from(whole);
        changed[at] = changed[at]! ^ 0x55;
        const error = await unpack(changed).then(
          () => undefined,
          (reason: unknown) => reason
        );
        if (error !== undefined) expect(error).toBeInstanceOf(EngineError);
      }
    }
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(4096)],
    ['another file', Buffer.alloc(4096, 7)],
    ['an archive of something else', Buffer.concat([memberBytes(chunk()), END])],
    [
      'a description that is none',
      Buffer.concat([memberBytes({ name: 'bundle/bundle.json', content: Buffer.from('[]') }), END])
    ]
  ])('is refused as none when it is %s', async (_, bytes) => {
    const error = await refusal(bytes);
    expect(error.code).toBe('InvalidRequest');
    expect(error.message).toContain('is no packed bundle');
  });

  it('of a later version asks for a newer workbench', async () => {
    const { code, remedy } = await refusal(archive([chunk()], { bundle: 2 }));
    expect(code).toBe('UnsupportedFormat');
    expect(remedy).toContain('newer');
  });

  it('goes into no directory that holds something, and over no folder that is somebody else’s', async () => {
    for (const place of [TARGET, `${TARGET}.partial`]) {
      const fileSystem = new MemoryFileSystem();
      fileSystem.makeDirectory(place);
      fileSystem.open(`${place}/mine`, 'createNew').close();
      await expect(unpack(archive([chunk()]), fileSystem)).rejects.toMatchObject({ code: 'InvalidRequest' });
      expect(fileSystem.list(place)?.map(({ name }) => name)).toEqual(['mine']);
    }
  });
});
