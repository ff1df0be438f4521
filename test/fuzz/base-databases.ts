/** The databases that campaigns damage: a sample of our own, and small golden ones of every kind. */
import fs from 'node:fs';
import path from 'node:path';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { writeSampleDatabase } from '../../src-core/sample/write-sample-database.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { ticksFromMs } from '../../src-core/units/ticks.ts';
import { removeUnpacked, unpackDatabase } from '../support/golden.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { readDatabaseImage, type DatabaseImage } from './database-image.ts';

/** Small ones, for every run of the tests. */
export const SHORT_BASES = ['sample', 'old-v0/before', 'transactions/before', 'old-posmap/small'];
/** All of them, for long campaigns. */
export const LONG_BASES = [
  ...SHORT_BASES,
  'sample',
  'current-a/after',
  'transactions/after-t0',
  'old-v0/after-t0',
  'rules-odd/before',
  'rules/after-t0',
  'restored/backup',
  'epochs/after',
  'killed-clean-tables/at-kill',
  'tables/after-scavenge'
];

const images = new Map<string, Promise<DatabaseImage>>();

/** A base by name; made once. */
export function baseDatabase(name: string): Promise<DatabaseImage> {
  let image = images.get(name);
  if (!image) {
    image = name === 'sample' ? writeSample() : Promise.resolve(readGolden(name));
    images.set(name, image);
  }
  return image;
}

async function writeSample(): Promise<DatabaseImage> {
  const fileSystem = new MemoryFileSystem();
  await writeSampleDatabase({
    fileSystem,
    dataDirectory: '/sample',
    sizeBytes: 90_000,
    chunkSizeBytes: 32_768,
    seed: 1,
    streamCount: 6,
    now: ticksFromMs(Date.parse('2025-06-01T00:00:00Z')),
    control: uncontrolled()
  });
  return readDatabaseImage(fileSystem, '/sample', 'sample');
}

function readGolden(name: string): DatabaseImage {
  const [story, folder] = name.split('/') as [string, string];
  if (folder === 'small') return readFewChunks(story);
  const directory = unpackDatabase({ name: story, folder });
  try {
    return readDatabaseImage(new NodeFileSystem(), directory, name);
  } finally {
    removeUnpacked();
  }
}

/** The first chunks of a scavenged database, as if the log ended behind them. */
function readFewChunks(story: string): DatabaseImage {
  const directory = unpackDatabase({ name: story, folder: 'before' });
  try {
    for (const file of fs.readdirSync(directory)) {
      const isLater = /^chunk-0000(0[3-9]|1\d)/.test(file);
      if (isLater || file === 'index') fs.rmSync(path.join(directory, file), { recursive: true });
    }
    const size = fs.readFileSync(path.join(directory, 'chunk-000000.000001')).readInt32LE(2);
    for (const [name, value] of [
      ['writer', size * 3],
      ['chaser', size * 3],
      ['epoch', -1]
    ] as const) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(BigInt(value));
      fs.writeFileSync(path.join(directory, `${name}.chk`), bytes);
    }
    return readDatabaseImage(new NodeFileSystem(), directory, `${story}/small`);
  } finally {
    removeUnpacked();
  }
}
