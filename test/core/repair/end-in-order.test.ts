/** While a repair moves the end of a log, no process that looks or starts meanwhile meets a checkpoint beyond the writer. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { PassThroughFile, PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  CHUNK_SIZE,
  checkpointOf,
  copyOf,
  DATABASE,
  flip,
  bytesOf,
  int64,
  namesIn,
  overwrite,
  repair,
  sampleInMemory
} from './repair-sample.ts';

const READERS = ['chaser', 'epoch'] as const;

let whole: MemoryFileSystem;
let end: number;
beforeAll(async () => {
  whole = await sampleInMemory();
  end = checkpointOf(whole, 'writer');
});

/** Calls `onChange` after each change of a checkpoint. */
class WatchedFileSystem extends PassThroughFileSystem {
  onChange: () => void = () => undefined;

  override open(path: string, mode: OpenMode): OpenFile {
    const file = super.open(path, mode);
    return path.endsWith('.chk') ? new WatchedFile(file, () => this.onChange()) : file;
  }

  override rename(from: string, to: string): void {
    super.rename(from, to);
    if (to.endsWith('.chk')) this.onChange();
  }
}

class WatchedFile extends PassThroughFile {
  readonly #onWrite: () => void;

  constructor(inner: OpenFile, onWrite: () => void) {
    super(inner);
    this.#onWrite = onWrite;
  }

  override write(source: Uint8Array, sourceOffset: number, length: number, position: number): void {
    super.write(source, sourceOffset, length, position);
    this.#onWrite();
  }
}

/** Repairs, and gives the checkpoints that were beyond the writer at any time. */
async function repaired(fileSystem: MemoryFileSystem, acceptLoss = false) {
  const watched = new WatchedFileSystem(fileSystem);
  const beyond: string[] = [];
  let changes = 0;
  watched.onChange = () => {
    changes++;
    const writer = checkpointOf(fileSystem, 'writer');
    for (const name of READERS) {
      const position = checkpointOf(fileSystem, name);
      if (position > writer) beyond.push(`${name} ${position}, writer ${writer}`);
    }
  };
  const { ok } = await repair(watched, { acceptLoss });
  expect(ok).toBe(true);
  return { beyond, changes };
}

describe('the end of a log', () => {
  it('is raised in writer.chk first', async () => {
    const fileSystem = copyOf(whole);
    for (const name of ['writer', 'chaser']) overwrite(fileSystem, `${name}.chk`, int64(0));
    overwrite(fileSystem, 'epoch.chk', int64(-1));
    const { beyond, changes } = await repaired(fileSystem);
    expect(beyond).toEqual([]);
    expect(changes).toBeGreaterThan(1);
    expect([checkpointOf(fileSystem, 'writer'), checkpointOf(fileSystem, 'chaser')]).toEqual([end, end]);
  });

  it('is lowered in writer.chk last', async () => {
    const fileSystem = copyOf(whole);
    const chunk = namesIn(fileSystem, DATABASE).findLast((name) => name.startsWith('chunk-'))!;
    const second = 128 + 8 + bytesOf(fileSystem, chunk).readInt32LE(128);
    flip(fileSystem, chunk, second + 4);
    const { beyond, changes } = await repaired(fileSystem, true);
    expect(beyond).toEqual([]);
    expect(changes).toBeGreaterThan(1);
    const lowered = Number(chunk.slice(6, 12)) * CHUNK_SIZE + second - 128;
    expect([checkpointOf(fileSystem, 'writer'), checkpointOf(fileSystem, 'chaser')]).toEqual([
      lowered,
      lowered
    ]);
    expect(checkpointOf(fileSystem, 'epoch')).toBeLessThan(lowered);
  });
});
