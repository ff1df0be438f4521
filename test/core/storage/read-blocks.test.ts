/** A whole file in blocks, however small it is, also one that grows meanwhile. */
import { expect, it } from 'vitest';
import { readBlocks } from '../../../src-core/storage/read-blocks.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

function fileOf(length: number): { memory: MemoryFileSystem; bytes: Uint8Array } {
  const memory = new MemoryFileSystem();
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) % 251);
  const file = memory.open('/file', 'createNew');
  file.write(bytes, 0, length, 0);
  file.close();
  return { memory, bytes };
}

it.each([0, 1, 4095, 4096, 4097, 10_000])(
  'gives the bytes of a file of %d bytes in their order',
  (length) => {
    const { memory, bytes } = fileOf(length);
    const found: number[] = [];
    for (const block of readBlocks(memory, '/file', 5000)) {
      expect(block.offset).toBe(found.length);
      expect(block.bytes.length).toBeLessThanOrEqual(5000);
      found.push(...block.bytes);
    }
    expect(found).toEqual([...bytes]);
  }
);

it('gives what was appended while it was read', () => {
  const { memory } = fileOf(10);
  const blocks = readBlocks(memory, '/file');
  const first = blocks.next();
  expect(first.done === true ? 0 : first.value.bytes.length).toBe(10);
  const file = memory.open('/file', 'readWrite');
  file.write(new Uint8Array(9000).fill(5), 0, 9000, 10);
  file.close();
  let more = 0;
  for (const { bytes } of blocks) more += bytes.length;
  expect(more).toBe(9000);
});
