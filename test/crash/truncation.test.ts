/**
 * The power fails while a log is truncated, at every single call that writes or flushes. Made again, the truncation
 * ends as the uncut one, and until it has ended truncate.chk still asks for it.
 */
import { createHash } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { readCheckpoints } from '../../src-core/log/checkpoint-file.ts';
import { applyTruncation } from '../../src-core/log/apply-truncation.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { copyTree } from '../support/copy-tree.ts';
import { removeUnpacked, unpackTruncated } from '../support/golden.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { testAllFaults } from './all-faults.ts';

afterEach(removeUnpacked);
const DB = '/db';

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

describe.each([
  'truncate-middle-of-log',
  'truncate-chunk-boundary',
  'truncate-inside-scavenged-merged-chunk'
])('a truncation that is cut anywhere is made again: %s', (name) => {
  testAllFaults({
    name: `truncation, ${name}`,
    operation: 'truncation of the log',
    leastCalls: 9,
    readEvery: 10,
    againEvery: 3,
    subject: () => ({
      prepare: () => memoryOf(unpackTruncated(name)),
      act: async (fileSystem: FileSystem) => {
        await applyTruncation({ fileSystem, dataDirectory: DB, control: uncontrolled() });
      },
      contentOf: filesIn,
      // Until it has ended truncate.chk still asks for it.
      look: (fileSystem: FileSystem, { after }: { after: Record<string, string> }) => {
        if (readCheckpoints(fileSystem, DB).truncate === -1) expect(filesIn(fileSystem)).toEqual(after);
      }
    })
  });
});
