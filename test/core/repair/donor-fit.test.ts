/** Whether a chunk from elsewhere belongs to this log, by what the database still knows. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Chunk } from '../../../src-core/chunks/chunk.ts';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { misfitOf, type DonorFit } from '../../../src-core/repair/donor-fit.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { bytesOf, CHUNK_SIZE, DATABASE, hastyControl, overwrite, sampleInMemory } from './repair-sample.ts';

let whole: MemoryFileSystem;
beforeAll(async () => {
  whole = await sampleInMemory();
  await writeSampleDatabase({
    fileSystem: whole,
    dataDirectory: '/other',
    sizeBytes: 130_000,
    chunkSizeBytes: CHUNK_SIZE,
    seed: 4,
    now: ticksFromIso('2026-01-01T00:00:00Z')!,
    control: uncontrolled()
  });
});

let fileSystem: MemoryFileSystem;
let database: Database;
let other: Database;
beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  for (const path of ['/node', '/other']) copyTree({ fileSystem: whole, path }, { fileSystem, path });
  open();
});
afterEach(() => {
  database.close();
  other.close();
});

function open(): void {
  database = openDatabase({ fileSystem, dataDirectory: DATABASE });
  other = openDatabase({ fileSystem, dataDirectory: '/other' });
}

const chunk = (number: number, of = database): Chunk => of.chunkSet.chunks[number]!;
const ask = (change: Partial<DonorFit>): Promise<string | undefined> =>
  misfitOf({
    database,
    candidate: chunk(1),
    damaged: undefined,
    left: undefined,
    right: undefined,
    control: uncontrolled(),
    ...change
  });

/** Without its index, which would decide before the neighbours do. */
function withoutIndex(): void {
  database.close();
  other.close();
  fileSystem.remove(`${DATABASE}/index/indexmap`);
  open();
}

describe('a chunk of the same log', () => {
  it('fits, with the damaged file, between its neighbours', async () => {
    expect(await ask({ damaged: chunk(1), left: chunk(0), right: chunk(2) })).toBeUndefined();
    expect(await ask({})).toBeUndefined();
  });

  it('fits where two records of the damaged file say something else, for they may be what is damaged', async () => {
    const bytes = bytesOf(fileSystem, 'chunk-000001.000000');
    const name = Buffer.from('-');
    let at = 128;
    for (let turn = 0; turn < 2; turn++) at = bytes.indexOf(name, at) + 1;
    bytes[at - 1] = '+'.charCodeAt(0);
    overwrite(fileSystem, 'chunk-000001.000009', bytes);
    const damaged = Object.assign(Object.create(chunk(1)) as Chunk, {
      path: `${DATABASE}/chunk-000001.000009`
    });
    expect(await ask({ damaged })).toBeUndefined();
  });
});

describe('a chunk of another log', () => {
  it('differs from what reads in the damaged file, with how many and where', async () => {
    expect(await ask({ candidate: chunk(1, other), damaged: chunk(1) })).toMatch(
      /^\d+ of \d+ readable records of the damaged file differ from it, the first at position \d+$/
    );
  });

  it('is not told by a damaged file that was scavenged otherwise, but by the index', async () => {
    const scavenged = Object.create(chunk(1), { isScavenged: { value: true } }) as Chunk;
    for (const damaged of [undefined, scavenged]) {
      expect(await ask({ candidate: chunk(1, other), damaged })).toMatch(
        /^\d+ of \d+ entries of the index lead to other events in it, the first at position \d+$/
      );
    }
  });
});

describe('numbers of a stream only rise', () => {
  beforeEach(withoutIndex);

  it('into the chunk from the one before it', async () => {
    expect(await ask({ left: chunk(2) })).toMatch(
      /^it has event \d+ of a stream whose event \d+ is in chunk-000002\.000000 before it$/
    );
    expect(await ask({ left: chunk(0) })).toBeUndefined();
  });

  it('and from it into the one after it', async () => {
    expect(await ask({ right: chunk(0) })).toMatch(
      /^it has event \d+ of a stream whose event \d+ is in chunk-000000\.000000 after it$/
    );
    expect(await ask({ right: chunk(2) })).toBeUndefined();
    expect(await ask({ candidate: chunk(1), right: chunk(1) })).toContain('after it');
    expect(await ask({ candidate: chunk(1), left: chunk(1) })).toContain('before it');
  });
});

it('a disk that does not read says nothing about where a chunk belongs', async () => {
  const candidate = Object.assign(Object.create(chunk(1)) as Chunk, { path: `${DATABASE}/bad` });
  overwrite(fileSystem, 'bad', bytesOf(fileSystem, 'chunk-000001.000000'));
  const openFile = fileSystem.open.bind(fileSystem);
  let refusals = 0;
  fileSystem.open = (file, mode) => {
    const opened = openFile(file, mode);
    const read = opened.read.bind(opened);
    opened.read = (...parts) => {
      if (file.endsWith('/bad') && refusals-- > 0) throw storageError('EACCES', file);
      return read(...parts);
    };
    return opened;
  };
  for (const damaged of [undefined, chunk(1)]) {
    refusals = 1;
    await expect(ask({ candidate, damaged })).rejects.toMatchObject({ code: 'StorageFailed' });
  }
});

describe('a comparison', () => {
  it.each<[string, () => Partial<DonorFit>]>([
    ['with the damaged file', () => ({ candidate: chunk(1, other), damaged: chunk(1) })],
    ['with the index', () => ({ candidate: chunk(1, other) })],
    [
      'with the neighbours',
      () => {
        withoutIndex();
        return { left: chunk(0), right: chunk(2) };
      }
    ]
  ])('%s lets others have their turn, and can be stopped in it', async (_, changed) => {
    let most = 0;
    const change = changed();
    const verdict = await ask(change);
    expect(await ask({ ...change, control: hastyControl((turns) => (most = turns)) })).toBe(verdict);
    expect(most).toBeGreaterThan(0);
    const stop = new AbortController();
    const control = hastyControl((turns) => {
      if (turns === most) stop.abort();
    }, stop.signal);
    await expect(ask({ ...change, control })).rejects.toBeInstanceOf(OperationStopped);
  });
});
