/**
 * One click after the other on the records of a large log: what a look opens, and that what has changed meanwhile is
 * seen at once. Opens are counted where all files are opened.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NodeFileSystem, ticksFromMs, uncontrolled, writeSampleDatabase } from '../../../src-core/index.ts';
import { writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { testingContext } from '../../support/testing-context.ts';

const CHUNKS = 60;
const CHUNK_BYTES = 8192;

class WatchedFileSystem extends NodeFileSystem {
  opened: string[] = [];
  described = 0;
  openNow = 0;

  override open(file: string, mode: OpenMode): OpenFile {
    this.opened.push(path.basename(file));
    const inner = super.open(file, mode);
    this.openNow++;
    const close = inner.close.bind(inner);
    inner.close = () => {
      this.openNow--;
      close();
    };
    return inner;
  }

  override describe(file: string) {
    this.described++;
    return super.describe(file);
  }

  /** Opened since the last question. */
  chunksOpened(): string[] {
    const chunks = this.opened.filter((name) => name.startsWith('chunk-'));
    this.opened = [];
    return chunks;
  }
}

let fileSystem: WatchedFileSystem;
let dataDirectory: string;
let positions: number[];

function contextOf(operation: string) {
  return testingContext(operation, { dataDirectory, fileSystem });
}

const click = (position: number) =>
  runReportOperation(
    'describeRecord',
    requests.describeRecord.parse({ dataDirectory, position }),
    contextOf('describeRecord')
  );
const pageOf = (chunk: number) =>
  runReportOperation(
    'readChunkPage',
    requests.readChunkPage.parse({ dataDirectory, chunk }),
    contextOf('readChunkPage')
  );

beforeEach(async () => {
  fileSystem = new WatchedFileSystem();
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-clicks-'));
  dataDirectory = path.join(directory, 'data');
  await writeSampleDatabase({
    fileSystem,
    dataDirectory,
    chunkSizeBytes: CHUNK_BYTES,
    sizeBytes: CHUNK_BYTES * CHUNKS,
    seed: 1,
    now: ticksFromMs(Date.UTC(2026, 10, 21)),
    control: uncontrolled()
  });
  const page = await pageOf(30);
  positions = page.rows.map((row) => row.position);
  fileSystem.chunksOpened();
});

afterEach(() => fs.rmSync(path.dirname(dataDirectory), { recursive: true, force: true }));

const chunkFile = (version: number) => `chunk-000030.${String(version).padStart(6, '0')}`;

it('opens for a record no chunk but its own, keeps none open, and asks about few files', async () => {
  fileSystem.described = 0;
  await click(positions[1]!);
  expect(fileSystem.chunksOpened()).toEqual([chunkFile(0)]);
  expect(fileSystem.described).toBeLessThan(20);
  expect(fileSystem.openNow).toBe(0);
});

it('opens for a stream no chunk but those that hold it, once the index is known to be of this log', async () => {
  const describeStream = (stream: string) =>
    runReportOperation(
      'describeStream',
      requests.describeStream.parse({ dataDirectory, stream }),
      contextOf('describeStream')
    );
  await describeStream('$settings');
  fileSystem.chunksOpened();
  const { stream } = (await pageOf(30)).rows.find((row) => row.kind === 'prepare')!;
  fileSystem.chunksOpened();
  const { places, metadataHistory } = await describeStream(stream);
  const holding = [...places.map(({ chunkStart }) => chunkStart)];
  const opened = new Set(fileSystem.chunksOpened().map((file) => Number(file.slice(6, 12))));
  for (const { position } of metadataHistory) opened.delete(Math.floor(position / CHUNK_BYTES));
  expect([...opened].toSorted((a, b) => a - b)).toEqual(holding);
});

it('sees a new version of a chunk at once, and reads no other chunk for it', async () => {
  await click(positions[1]!);
  fileSystem.chunksOpened();
  fs.copyFileSync(path.join(dataDirectory, chunkFile(0)), path.join(dataDirectory, chunkFile(1)));
  fs.rmSync(path.join(dataDirectory, chunkFile(0)));
  const { file } = await click(positions[1]!);
  expect(file).toBe(chunkFile(1));
  const opened = new Set(fileSystem.chunksOpened());
  // The chunk being written is never taken for known.
  opened.delete([...opened].toSorted().at(-1)!);
  expect([...opened]).toEqual([chunkFile(1)]);
});

it('sees at once that the writer has moved', async () => {
  const last = (await pageOf(30)).rows.at(-1)!.position;
  await click(last);
  writeCheckpointFile(fileSystem, path.join(dataDirectory, 'chaser.chk'), last);
  writeCheckpointFile(fileSystem, path.join(dataDirectory, 'writer.chk'), last);
  await expect(click(last)).rejects.toMatchObject({ code: 'InvalidRequest' });
});

it('does not tell a fault of what was kept: a file that was replaced under its own name is read again', async () => {
  await click(positions[1]!);
  const file = path.join(dataDirectory, chunkFile(0));
  const bytes = fs.readFileSync(file);
  // In place, so that neither the names nor the directory tell of it.
  fs.writeFileSync(file, bytes.subarray(0, 200));
  await expect(click(positions[3]!)).rejects.toMatchObject({ code: 'InvalidRequest' });
  fs.writeFileSync(file, bytes);
  expect((await click(positions[3]!)).position).toBe(positions[3]);
});

it('keeps nothing of a directory beyond an operation that writes into it', async () => {
  await click(positions[1]!);
  fileSystem.chunksOpened();
  await runReportOperation(
    'rebuildIndex',
    requests.rebuildIndex.parse({ dataDirectory }),
    contextOf('rebuildIndex')
  );
  fileSystem.chunksOpened();
  await click(positions[1]!);
  expect(fileSystem.chunksOpened().length).toBeGreaterThanOrEqual(CHUNKS);
});

it('a plan opens a chunk for its head, to accumulate it and to judge it, and no oftener', async () => {
  await runReportOperation(
    'planScavenge',
    requests.planScavenge.parse({ dataDirectory, scavengePoint: 'detached' }),
    contextOf('planScavenge')
  );
  const opened = fileSystem.chunksOpened();
  const times = (chunk: number) =>
    opened.filter((file) => file.startsWith(`chunk-${String(chunk).padStart(6, '0')}`)).length;
  // Some are asked about the index besides.
  const oftenest = Array.from({ length: CHUNKS }, (_, chunk) => times(chunk)).toSorted((a, b) => a - b);
  expect(oftenest[CHUNKS / 2]).toBeLessThanOrEqual(4);
});
