/** A walk backward meets the records that a walk forward meets, and reads blocks, not each record. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChunkWriter } from '../../../src-core/chunks/chunk-writer.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { readChunkSet } from '../../../src-core/log/chunk-set.ts';
import { LogReader } from '../../../src-core/log/log-reader.ts';
import { encodePrepare, frameRecord } from '../../../src-core/records/encode-record.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { EXAMPLE_TICKS, exampleHeader } from './worked-example.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Small ones, one larger than a window, and some that no window ends with. */
const DATA_BYTES = [
  ...Array<number>(2000).fill(40),
  100_000,
  0,
  3000,
  70_000,
  ...Array<number>(60).fill(3000)
];

let directory: string;
let positions: number[];
let file: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-backward-'));
  file = path.join(directory, 'chunk-000000.000000');
  positions = [];
  const header = { ...exampleHeader, chunkSizeBytes: CHUNK_BYTES };
  const writer = ChunkWriter.create({ fileSystem: new NodeFileSystem(), path: file, header, withMap: false });
  let position = 0;
  for (const [i, bytes] of DATA_BYTES.entries()) {
    const framed = frameRecord(
      encodePrepare({
        position,
        flags: 0x0123,
        transactionPosition: position,
        transactionOffset: 0,
        expectedVersion: i - 1,
        stream: 's-1',
        eventId: '10000000-0000-0000-0000-000000000001',
        correlationId: '01020304-0506-0708-090a-0b0c0d0e0f10',
        ticks: EXAMPLE_TICKS,
        eventType: 'T',
        data: Buffer.alloc(bytes, 'x'),
        metadata: new Uint8Array(0)
      })
    );
    writer.append(framed, 0, framed.length, position);
    positions.push(position);
    position += framed.length;
  }
  writer.complete();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function logOf(fileSystem: CountingFileSystem): LogReader {
  const { chunks, chunkSizeBytes } = readChunkSet({ fileSystem, directory, writer: CHUNK_BYTES });
  return new LogReader({ fileSystem, chunks, chunkSizeBytes, end: CHUNK_BYTES });
}

it('meets every record, the newest first, in a read for many', () => {
  const fileSystem = new CountingFileSystem(new NodeFileSystem());
  const log = logOf(fileSystem);
  fileSystem.reset();
  const met: number[] = [];
  log.findBackward(CHUNK_BYTES, (record) => {
    met.push(record.position);
    return false;
  });
  expect(met).toEqual([...positions].reverse());
  expect(fileSystem.readCalls).toBeLessThan(40);
});

it('refuses a record whose lengths contradict each other, as a read by position does', () => {
  const wrong = positions[1000]!;
  const bytes = readFileSync(file);
  bytes.writeInt32LE(bytes.readInt32LE(128 + wrong) + 1, 128 + wrong);
  writeFileSync(file, bytes);
  const log = logOf(new CountingFileSystem(new NodeFileSystem()));
  const met: number[] = [];
  let failure: unknown;
  try {
    log.findBackward(CHUNK_BYTES, (record) => {
      met.push(record.position);
      return false;
    });
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(EngineError);
  expect(failure).toMatchObject({ code: 'LogCorrupt', details: { offset: 128 + wrong } });
  expect(met.at(-1)).toBe(positions[1001]);
});
