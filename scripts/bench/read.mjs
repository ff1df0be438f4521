// The engine's hot loops over a sample of some hundred MB, each against the plain reading of the same bytes.
import '../answer-help.mjs';
import { closeSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import {
  NodeFileSystem,
  openDatabase,
  ticksFromIso,
  uncontrolled,
  writeSampleDatabase
} from '../../src-core/index.ts';
import { IndexTableReader } from '../../src-core/index/index-table-reader.ts';
import { hashStream, hashStreamOf } from '../../src-core/index/stream-hash.ts';
import { TableScan } from '../../src-core/index/table-scan.ts';
import { readIndexMap } from '../../src-core/index/index-map.ts';
import { printRatio, withScratchDirectory } from './measure.mjs';

const SIZE_BYTES = 256 * 1024 * 1024;
const CHUNK_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;
const perSecond = (count, unit) => (ms) => `${(count / ms / 1000).toFixed(1)} million ${unit}/s`;

/** Every byte of the files, once, in large reads; `use` may read them. */
function readPlainly(files, use = () => {}) {
  const piece = new Uint8Array(PIECE_BYTES);
  for (const file of files) {
    const handle = openSync(file, 'r');
    for (let count; (count = readSync(handle, piece)) > 0;) use(piece.subarray(0, count));
    closeSync(handle);
  }
}

await withScratchDirectory(async (scratch) => {
  const fileSystem = new NodeFileSystem();
  const dataDirectory = path.join(scratch, 'database');
  await writeSampleDatabase({
    fileSystem,
    dataDirectory,
    sizeBytes: SIZE_BYTES,
    chunkSizeBytes: CHUNK_BYTES,
    seed: 1,
    now: ticksFromIso('2026-01-01T00:00:00Z'),
    control: uncontrolled()
  });
  const database = openDatabase({ fileSystem, dataDirectory });
  const chunkFiles = readdirSync(dataDirectory)
    .filter((name) => name.startsWith('chunk-'))
    .map((name) => path.join(dataDirectory, name));
  const plainly = () => readPlainly(chunkFiles);

  let records = 0;
  const walk = (look) => {
    records = 0;
    const cursor = database.log.cursor();
    while (cursor.next()) {
      records++;
      look(cursor.record);
    }
  };
  walk(() => {});
  const megabytes = chunkFiles.reduce((sum, file) => sum + statSync(file).size, 0) / 2 ** 20;
  console.log(`${megabytes.toFixed(0)} MiB of log, ${records} records, ${database.log.chunks.length} chunks`);

  await printRatio('walk all records', {
    work: () => walk(() => {}),
    baseline: plainly,
    against: 'reading the files',
    amount: perSecond(records, 'records')
  });
  const hash = { high: 0, low: 0 };
  await printRatio('walk, hash each stream', {
    work: () => walk((record) => record.kind === 'prepare' && hashStreamOf(record, hashStream, hash)),
    baseline: plainly,
    against: 'reading the files'
  });
  await printRatio('walk, make stream and type strings', {
    work: () => walk((record) => record.kind === 'prepare' && record.stream.length + record.eventType.length),
    baseline: plainly,
    against: 'reading the files'
  });
  await printRatio('MD5 of all chunks', {
    work: () => {
      const md5 = createHash('md5');
      readPlainly(chunkFiles, (piece) => md5.update(piece));
    },
    baseline: plainly,
    against: 'reading the files'
  });

  const names = Array.from({ length: 200_000 }, (_, i) => `order-${String(i).padStart(9, '0')}-customer`);
  await printRatio('hash 200,000 stream names', {
    work: () => names.forEach((name) => hashStream(name, hash)),
    baseline: () =>
      names.reduce((sum, name) => {
        for (let i = 0; i < name.length; i++) sum = (sum + name.charCodeAt(i)) | 0;
        return sum;
      }, 0),
    against: 'adding up their characters',
    amount: perSecond(names.length, 'names')
  });

  const indexDirectory = path.join(dataDirectory, 'index');
  const tables = (readIndexMap(fileSystem, indexDirectory)?.tables ?? []).map(({ file }) => file);
  const tableFiles = tables.map((name) => path.join(indexDirectory, name));
  let entries = 0;
  const scan = () => {
    entries = 0;
    for (const name of tables) {
      const table = IndexTableReader.open({ fileSystem, directory: indexDirectory, name });
      for (const walkTable = new TableScan(table); walkTable.next();) entries += walkTable.block.count;
      table.close();
    }
  };
  scan();
  await printRatio(`scan ${entries} index entries`, {
    work: scan,
    baseline: () => readPlainly(tableFiles),
    against: 'reading the tables',
    amount: perSecond(entries, 'entries')
  });
  database.close();
});
