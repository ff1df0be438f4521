/**
 * The power fails while a log is truncated, at every single call that writes or flushes. Made again, the truncation
 * ends as the uncut one, and until it has ended truncate.chk still asks for it.
 */
import { createHash } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { readCheckpoints } from '../../src-core/log/checkpoint-file.ts';
import { applyTruncation } from '../../src-core/log/apply-truncation.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { copyTree } from '../support/copy-tree.ts';
import { FaultyFileSystem, PowerCut } from '../support/faulty-file-system.ts';
import { removeUnpacked, unpackTruncated } from '../support/golden.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';

afterEach(removeUnpacked);
const DB = '/db';
const SEEDS = [1, 2, 3];

function memoryOf(dataDirectory: string): MemoryFileSystem {
  const fileSystem = new MemoryFileSystem();
  copyTree({ fileSystem: new NodeFileSystem(), path: dataDirectory }, { fileSystem, path: DB });
  return fileSystem;
}

/** Every plain file of the data directory with its hash. */
function filesIn(fileSystem: FileSystem): Record<string, string> {
  const names = (fileSystem.list(DB) ?? []).filter(({ isDirectory }) => !isDirectory).map(({ name }) => name);
  return Object.fromEntries(
    names.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readWholeFile(fileSystem, `${DB}/${name}`)!)
        .digest('hex')
    ])
  );
}

it.each(['truncate-middle-of-log', 'truncate-chunk-boundary', 'truncate-inside-scavenged-merged-chunk'])(
  'a truncation that is cut anywhere is made again: %s',
  async (name) => {
    const dataDirectory = unpackTruncated(name);
    const truncate = (fileSystem: FileSystem) =>
      applyTruncation({ fileSystem, dataDirectory: DB, control: uncontrolled() });
    const whole = new FaultyFileSystem(memoryOf(dataDirectory));
    await truncate(whole);
    const expected = filesIn(whole);
    expect(whole.calls).toBeGreaterThan(8);

    for (let cutAt = 1; cutAt <= whole.calls; cutAt++) {
      for (const seed of SEEDS) {
        const cut = new FaultyFileSystem(memoryOf(dataDirectory), { cutAt });
        await expect(truncate(cut), `cut at call ${cutAt}`).rejects.toBeInstanceOf(PowerCut);
        const survivors = cut.survivors(cutAt * 31 + seed);
        if ((await truncate(survivors)) === undefined)
          expect(readCheckpoints(survivors, DB).truncate).toBe(-1);
        expect(filesIn(survivors), `after a cut at call ${cutAt} (seed ${seed})`).toEqual(expected);
      }
    }
  }
);
