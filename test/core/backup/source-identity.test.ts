/** Whose database a backup is of, read beside a scavenge that puts another version of a chunk in its place. */
import { expect, it } from 'vitest';
import { readSourceIdentity } from '../../../src-core/backup/source-identity.ts';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { DATA, writeDatabase } from './backup-environment.ts';

/** Calls back before each opening of a file. */
class OpenWatch extends PassThroughFileSystem {
  readonly #onOpen: (path: string) => void;

  constructor(inner: MemoryFileSystem, onOpen: (path: string) => void) {
    super(inner);
    this.#onOpen = onOpen;
  }

  override open(path: string, mode: OpenMode): OpenFile {
    this.#onOpen(path);
    return super.open(path, mode);
  }
}

const place = (fileSystem: PassThroughFileSystem) => ({
  fileSystem,
  dataDirectory: DATA,
  indexDirectory: `${DATA}/index`
});

async function withReplacement(opening: number): Promise<{ identity: unknown; openings: number }> {
  const memory = new MemoryFileSystem();
  await writeDatabase(memory, { sizeBytes: 200 * 1024 });
  const old = `${DATA}/chunk-000000.000000`;
  let openings = 0;
  const watch = new OpenWatch(memory, (path) => {
    if (path === old && ++openings === opening) memory.rename(old, `${DATA}/chunk-000000.000001`);
  });
  return { identity: readSourceIdentity(place(watch), null), openings };
}

it('is what it was, whenever that happens', async () => {
  const { identity, openings } = await withReplacement(0);
  expect(identity).toMatchObject({ epochs: [{ number: 4 }, {}, {}, {}, {}] });
  expect(openings).toBeGreaterThan(1);
  for (let at = 1; at <= openings; at++) {
    expect((await withReplacement(at)).identity, `at opening ${at}`).toEqual(identity);
  }
});

it('is not read for ever where a chunk is gone each time', async () => {
  const memory = new MemoryFileSystem();
  await writeDatabase(memory, { sizeBytes: 200 * 1024 });
  let version = 0;
  const nameOf = (number: number): string => `${DATA}/chunk-000000.${number.toString().padStart(6, '0')}`;
  const watch = new OpenWatch(memory, (path) => {
    if (path === nameOf(version)) memory.rename(path, nameOf(++version));
  });
  expect(() => readSourceIdentity(place(watch), null)).toThrow(/chunk-000000/);
  expect(version).toBeLessThan(100);
});

it.each([1, 2])(
  'is not that of a log without a chunk that went at opening %i and did not come back',
  async (opening) => {
    const memory = new MemoryFileSystem();
    await writeDatabase(memory, { sizeBytes: 200 * 1024 });
    const chunk = `${DATA}/chunk-000000.000000`;
    let openings = 0;
    const watch = new OpenWatch(memory, (path) => {
      if (path === chunk && ++openings === opening) memory.remove(chunk);
    });
    expect(() => readSourceIdentity(place(watch), null)).toThrow(chunk);
  }
);
