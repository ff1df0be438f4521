/** What a file must be to count as a completed chunk of its name; each way in which it is none has its sentence. */
import { expect, it } from 'vitest';
import { ChunkWriter } from '../../../src-core/chunks/chunk-writer.ts';
import { Chunk } from '../../../src-core/chunks/chunk.ts';
import { describeCompletedChunk } from '../../../src-core/chunks/completed-chunk.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { writeText } from '../../support/restore-fixture.ts';

const NAME = 'chunk-000003.000001';
const FOOTER_BYTES = 128;

function written(): Buffer {
  const fileSystem = new MemoryFileSystem();
  const writer = ChunkWriter.create({
    fileSystem,
    path: '/chunk',
    withMap: true,
    header: {
      version: 4,
      minCompatibleVersion: 4,
      chunkSizeBytes: 65_536,
      startNumber: 3,
      endNumber: 3,
      isScavenged: true,
      chunkId: '11111111-2222-3333-4444-555555555555',
      transformType: 0
    }
  });
  writer.append(Buffer.alloc(400, 7), 0, 400, 0);
  writer.complete();
  return Buffer.from(readWholeFile(fileSystem, '/chunk')!);
}

function described(change: (bytes: Buffer) => Buffer | void, fileName = NAME): Chunk | string {
  const fileSystem = new MemoryFileSystem();
  const bytes = written();
  const changed = change(bytes) ?? bytes;
  writeText(fileSystem, '/chunk', '');
  const file = fileSystem.open('/chunk', 'readWrite');
  file.write(changed, 0, changed.length, 0);
  file.close();
  return describeCompletedChunk({ fileSystem, path: '/chunk', fileName });
}

it('a completed chunk is described under its name', () => {
  const chunk = described(() => undefined);
  expect(chunk).toBeInstanceOf(Chunk);
  expect(chunk).toMatchObject({ fileName: NAME, fileVersion: 1, startNumber: 3, isActive: false });
});

it.each<[string, (bytes: Buffer) => Buffer | void, string?]>([
  ['chunk-3 is not the name of a chunk', () => undefined, 'chunk-3'],
  [`${NAME} has only 255 bytes`, (bytes) => bytes.subarray(0, 255)],
  ['chunk-000004.000000 is chunk 3 according to its header', () => undefined, 'chunk-000004.000000'],
  [`the header of ${NAME} is invalid: `, (bytes) => void bytes.fill(0, 0, 1)],
  [`${NAME} is encrypted (transform AES-GCM, type 1)`, (bytes) => void bytes.fill(1, 35, 36)],
  [
    `the footer of ${NAME} is invalid: a physical data size of -1 is impossible`,
    (bytes) => void bytes.writeInt32LE(-1, bytes.length - FOOTER_BYTES + 1)
  ],
  [`${NAME} is not completed`, (bytes) => void bytes.fill(0, bytes.length - FOOTER_BYTES)],
  [
    `the footer of ${NAME} claims `,
    (bytes) => Buffer.concat([bytes.subarray(0, 128), bytes.subarray(bytes.length - FOOTER_BYTES)])
  ]
])('%s…', (words, change, fileName) => {
  const found = described(change, fileName);
  expect(typeof found === 'string' ? found.slice(0, words.length) : found).toBe(words);
});
