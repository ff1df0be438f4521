/** One database of the campaign: made, changed, asked about, and the report held against a search of all bytes. */
import fs from 'node:fs';
import path from 'node:path';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { encodeGuid } from '../../../src-core/codec/guid.ts';
import type { ErasureReport } from '../../../src-main/contract/operations/erasure-reports.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { Prng } from '../../support/prng.ts';
import { MarkedDatabase } from './marked-database.ts';
import { runOperation } from '../../support/testing-context.ts';

export interface CaseOutcome {
  story: string[];
  /** What report and bytes disagree about; empty when all is well. */
  faults: string[];
  /** Everything was gone and the report said so. */
  isErased: boolean;
}

export async function runCase(seed: number, root: string): Promise<CaseOutcome> {
  const random = new Prng(seed);
  const database = new MarkedDatabase(root, random);
  const target = path.join(root, 'backups');
  await liveThrough(database, random, () => backUp(database, target));
  const backupTargets = fs.existsSync(target) ? [target] : [];
  const { dataDirectory, stream, eventId } = database;
  const report = await run('reportErasure', {
    dataDirectory,
    streams: [stream],
    categories: ['person'],
    eventIds: [eventId],
    backupTargets: backupTargets.map((place) => ({ target: place }))
  });
  const faults = compare(report, database, bytesOf([dataDirectory, ...backupTargets]));
  return { story: database.story, faults, isErased: report.streams[0]!.erased && report.complete };
}

async function liveThrough(
  database: MarkedDatabase,
  random: Prng,
  backUp: () => Promise<void>
): Promise<void> {
  database.write(20 + random.below(60));
  if (random.chance(0.6)) await database.growIndex();
  const isClean = random.chance(0.35);
  if (random.chance(isClean ? 0.1 : 0.3)) await backUp();
  if (isClean || random.chance(0.6)) {
    if (isClean || random.chance(0.7)) database.hardDelete();
    else database.softDelete();
  }
  if (isClean) database.hardDeleteLinks();
  if (random.chance(0.5)) database.write(random.below(30));
  if (!isClean && random.chance(0.2)) database.cutBack();
  if (isClean || random.chance(0.7)) {
    await database.scavenge({ keepsOld: !isClean && random.chance(0.4), forgetsTombstones: isClean });
  }
  if (random.chance(0.3)) await database.growIndex();
  if (!isClean && random.chance(0.3)) database.leaveTemporaryFile();
  if (!isClean && random.chance(0.2)) await backUp();
  if (!isClean && random.chance(0.2)) database.cutBack();
  if (isClean) {
    // The links stay as long as their stream, the state keeps names: a person follows the remedies.
    fs.rmSync(path.join(database.dataDirectory, 'index'), { recursive: true, force: true });
    database.story.push('index and state deleted');
  }
}

async function backUp({ dataDirectory, story }: MarkedDatabase, target: string): Promise<void> {
  await run('createBackup', { dataDirectory, target, mode: 'auto', threads: 1 });
  story.push('backup');
}

function compare(
  report: ErasureReport,
  database: MarkedDatabase,
  files: ReadonlyMap<string, Buffer>
): string[] {
  const faults: string[] = [];
  const fault = (text: string) => faults.push(text);
  const hashes = [database.stream, `$$${database.stream}`].map(hashBytes);
  const id = Buffer.alloc(16);
  encodeGuid(database.eventId, id, 0);
  const wanted = [
    { verdict: report.streams[0]!, patterns: [Buffer.from(database.stream)], hashes },
    // Of the only stream of the category.
    { verdict: report.streams[1]!, patterns: [Buffer.from('person-')], hashes: [] },
    { verdict: report.streams[2]!, patterns: [id], hashes: [] }
  ];
  const unexamined = new Set(report.notExamined.map(({ place }) => place));
  if (files.size !== report.files.length)
    fault(`${files.size} files, the report names ${report.files.length}`);
  for (const { verdict, patterns, hashes } of wanted) {
    const named = new Set(verdict.places.map(({ file }) => file));
    for (const [file, bytes] of files) {
      const isTable = /(^|\/)[0-9a-f]{8}-[0-9a-f-]{27}$/.test(file);
      const has = (list: Buffer[]) => list.some((pattern) => bytes.includes(pattern));
      const isThere = has(patterns) || (isTable && has(hashes));
      if (isThere && !named.has(file))
        fault(`${verdict.stream}: ${file} holds it, the report does not say so`);
      const mayBeNamed = isThere || (isTable && verdict.asked === 'category');
      if (!mayBeNamed && named.has(file)) fault(`${verdict.stream}: ${file} is named and does not hold it`);
    }
    if (verdict.erased !== (verdict.places.length === 0))
      fault(`${verdict.stream}: erased contradicts its places`);
  }
  // Data without a name: remains of records, which nobody can ascribe, so the file must count as not examined.
  const streamPlaces = new Set(report.streams[0]!.places.map(({ file }) => file));
  for (const [file, bytes] of files) {
    if (!bytes.includes(database.marker) || streamPlaces.has(file) || unexamined.has(file)) continue;
    fault(`${file} holds the marker, and the report is silent about it`);
  }
  if (report.complete !== (report.notExamined.length === 0))
    fault('complete contradicts what was not examined');
  return faults;
}

function hashBytes(name: string): Buffer {
  const { high, low } = hashStream(name);
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(low, 0);
  bytes.writeUInt32LE(high, 4);
  return bytes;
}

/** All files below the directories, by the names that a report has for them. */
function bytesOf([dataDirectory, ...targets]: string[]): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (directory: string, prefix: string) => {
    if (!fs.existsSync(directory)) return;
    for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(directory, file).split(path.sep).join('/');
      files.set(`${prefix}${name}`, fs.readFileSync(file));
    }
  };
  add(dataDirectory!, '');
  for (const target of targets) add(target, `${target}/`);
  return files;
}

export function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { clock: () => Date.UTC(2026, 0, 31) });
}
