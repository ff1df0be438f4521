/**
 * The walk over a damaged database, and the one over the same as the side of a comparison (as a backup is walked): each record
 * that the whole log has is given, or lies in a range that was told, and what both walks give is the same.
 */
import { expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { databaseSource, sideSource, type RecordSource } from '../../../src-core/extraction/record-walk.ts';
import { databaseSide } from '../../../src-core/insight/difference/database-side.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { CRASH_CHUNK_BYTES, writeCrashDatabase } from '../../support/crash-database.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';
import { seedList } from '../../support/seeds.ts';

const DIRECTORY = '/data/node';
const SEEDS = seedList(60);

interface Range {
  from: number;
  to: number;
}
type Walked = { records: Map<number, string>; skipped: Range[] };

async function walked(source: RecordSource, range: Range): Promise<Walked> {
  const records = new Map<number, string>();
  const skipped: Range[] = [];
  const walk = source.walk(range);
  try {
    for (let step = walk.next(); step !== 'end'; step = walk.next()) {
      if (step === 'chunk') await walk.enter();
      else if (step === 'skipped') skipped.push({ from: walk.skipped!.from, to: walk.skipped!.to });
      else {
        const { record } = walk;
        const bytes = record.bytes.subarray(record.start, record.start + record.length);
        records.set(record.position, Buffer.from(bytes).toString('base64'));
      }
    }
  } finally {
    walk.close();
  }
  return { records, skipped };
}

function opened<T>(fileSystem: MemoryFileSystem, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  return work(database).finally(() => database.close());
}

const DAMAGES: readonly Damage[] = ['byte', 'byte', 'zeros', 'cut', 'gone', 'header', 'transform'];

type Damage = 'byte' | 'zeros' | 'cut' | 'gone' | 'header' | 'transform' | 'size';

const HEADER_BYTES = 128;

/** Whatever is changed: of the header's size only what is meant for it. */
function placeOf(kind: Damage, length: number, random: Prng): number {
  if (kind === 'size') return 2 + random.below(4);
  if (kind === 'header') return 6 + random.below(34);
  return kind === 'cut' ? random.below(length) : HEADER_BYTES + random.below(length - HEADER_BYTES);
}

function damage(fileSystem: MemoryFileSystem, random: Prng, kind: Damage): string {
  const names = fileSystem.list(DIRECTORY)!.flatMap(({ name }) => (/^chunk-/.test(name) ? [name] : []));
  const name = random.pick(names);
  const path = `${DIRECTORY}/${name}`;
  const { length } = readWholeFile(fileSystem, path)!;
  if (kind === 'gone') {
    fileSystem.remove(path);
    return `${name} is gone`;
  }
  const at = placeOf(kind, length, random);
  fileSystem.changeMode(path, 0o644);
  const file = fileSystem.open(path, 'readWrite');
  if (kind === 'cut') file.truncate(at);
  else if (kind === 'transform') file.write(Buffer.from([1]), 0, 1, 35);
  else if (kind === 'zeros') file.write(Buffer.alloc(500), 0, Math.min(500, length - at), at);
  else file.write(Buffer.from([random.below(256)]), 0, 1, at);
  file.close();
  return `${kind} of ${name} at ${at}`;
}

function rangeWithin(end: number, random: Prng): Range {
  if (random.chance(0.4)) return { from: 0, to: end };
  const [from, to] = [random.below(end), random.below(end + 2 * CRASH_CHUNK_BYTES)].sort((a, b) => a - b);
  return { from: from!, to: to! };
}

it.each(SEEDS)('seed %i', async (seed) => {
  const random = new Prng(seed);
  const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY, rounds: 2 });
  const { whole, end } = await opened(fileSystem, async (database) => ({
    whole: await walked(databaseSource(database), { from: 0, to: database.log.end }),
    end: database.log.end
  }));
  expect(whole.skipped).toEqual([]);
  // With a wrong size in as many headers as have the right one nobody can tell which that is.
  const kinds: Damage[] = random.chance(0.1)
    ? ['size']
    : Array.from({ length: 1 + random.below(3) }, () => random.pick(DAMAGES));
  const steps = kinds.map((kind) => damage(fileSystem, random, kind)).join(', ');
  const range = rangeWithin(end, random);
  await opened(fileSystem, async (database) => {
    const byDatabase = await walked(databaseSource(database), range);
    const bySide = await walked(sideSource(databaseSide(database), fileSystem), range);
    for (const [way, found] of [
      ['database', byDatabase],
      ['side', bySide]
    ] as const) {
      const what = `${way}, ${range.from} to ${range.to}, ${steps}`;
      let before = range.from;
      for (const { from, to } of found.skipped) {
        expect(from, what).toBeGreaterThanOrEqual(before);
        expect(to, what).toBeGreaterThan(from);
        before = to;
      }
      expect(before, what).toBeLessThanOrEqual(Math.max(range.from, range.to));
      for (const position of whole.records.keys()) {
        // A backup is walked so, and its files are checked by their hashes: no bytes at their end are taken for a footer.
        if (way === 'side' && kinds.some((kind) => kind === 'cut' || kind === 'zeros')) continue;
        if (position < range.from || position >= range.to)
          expect(found.records.has(position), what).toBe(false);
        else if (!found.skipped.some(({ from, to }) => position >= from && position < to)) {
          expect(found.records.has(position), `${what}, record at ${position}`).toBe(true);
        }
      }
    }
    // Of a database files are read too that opening refuses.
    const both = [...bySide.records.keys()].map((position) => [position, byDatabase.records.get(position)]);
    expect([...bySide.records], steps).toEqual(both);
  });
});
