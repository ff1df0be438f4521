/** A checkpoint file, read for a bundle. */
import { beforeEach, expect, test } from 'vitest';
import { checkpointBytes } from '../../../src-core/bundle/checkpoint-bytes.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

let fileSystem: MemoryFileSystem;
beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory('/db');
});

function put(bytes: Uint8Array): void {
  const file = fileSystem.open('/db/writer.chk', 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
}

test.each([
  ['a position', 8, 8],
  ['a file that was cut', 3, 3],
  ['no byte at all', 0, 0],
  ['a file that is much longer than a position', 5_000_000, 8]
])('%s is taken as it is, eight bytes at most', (_what, size, taken) => {
  put(Buffer.alloc(size, 7));
  expect(checkpointBytes(fileSystem, '/db/writer.chk')).toEqual(new Uint8Array(taken).fill(7));
});

test('a checkpoint that is not there is none', () => {
  expect(checkpointBytes(fileSystem, '/db/writer.chk')).toBeUndefined();
});
