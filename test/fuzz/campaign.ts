/**
 * One case of a campaign: a base, damaged by what the seed and the case number determine, examined, and judged.
 *
 * Judged are three things. No question may end in anything but a result or an error of the engine. Whatever a read
 * returns is what the undamaged database returned, or verification tells of damage. And where bytes of a completed
 * chunk or a table have changed, verification in full finds something new, without exception.
 */
import { decodeChunkFileName } from '../../src-core/chunks/chunk-file-name.ts';
import type { Finding } from '../../src-core/verify/finding.ts';
import { Prng } from '../support/prng.ts';
import { baseDatabase } from './base-databases.ts';
import { mountFiles, type DatabaseImage, type FileRole } from './database-image.ts';
import { examineDatabase, SKIPPED, type Examination, type Reading } from './examine-database.ts';
import { mutate, type Mutation } from './mutations.ts';

export interface CaseName {
  seed: number;
  number: number;
  bases: readonly string[];
}

export interface CaseResult {
  base: string;
  steps: string[];
  /** Empty when all is as it must be. */
  faults: string[];
}

/** Streams that each case reads in both directions. */
const STREAMS_READ = 6;
const DIRECTORY = '/database';
const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+/;

const truths = new Map<string, Promise<Examination>>();

/** What the undamaged base answers. */
export function truthOf(image: DatabaseImage): Promise<Examination> {
  let truth = truths.get(image.name);
  if (!truth) {
    const dataDirectory = `${DIRECTORY}-${image.name.replace('/', '-')}`;
    truth = examineDatabase({ fileSystem: mountFiles(image.files, dataDirectory), dataDirectory });
    truths.set(image.name, truth);
  }
  return truth;
}

export async function runCase({ seed, number, bases }: CaseName): Promise<CaseResult> {
  const prng = new Prng(seed * 1_000_003 + number);
  const image = await baseDatabase(prng.pick(bases));
  const truth = await truthOf(image);
  const mutation = mutate(image, prng);
  const streams = prng.shuffled(truth.streamNames).slice(0, STREAMS_READ);
  // A directory of its own: what the engine keeps from one request to the next must not hide the damage.
  const dataDirectory = `${DIRECTORY}-${seed}-${number}`;
  const fileSystem = mountFiles(mutation.files, dataDirectory);
  const found = await examineDatabase({ fileSystem, dataDirectory, streams });
  return {
    base: image.name,
    steps: mutation.steps,
    faults: [...found.violations, ...judge(image, mutation, truth, found)]
  };
}

const HASHED: readonly FileRole[] = ['completedChunk', 'table'];
/** Parts that nothing can check, or that say where the log ends: reading something else is no lie. */
const UNCHECKED: readonly FileRole[] = ['activeChunk', 'checkpoint', 'other', 'otherChunk'];

/** What is wrong with the answers of a damaged database; nothing when all is told or right. */
export function judge(
  image: DatabaseImage,
  mutation: Mutation,
  truth: Examination,
  found: Examination
): string[] {
  const roles = [...mutation.touched.values()];
  const known = new Set((truth.findings ?? []).map(keyOf));
  const news = (found.findings ?? []).filter((finding) => !known.has(keyOf(finding)));
  const couldLook = found.findings !== undefined;
  const faults: string[] = [];

  const hashed = [...mutation.touched]
    .filter(([file, role]) => HASHED.includes(role) && !wasRenamed(file, image, mutation))
    .map(([file]) => file);
  if (hashed.length > 0 && !mutation.isResealed && couldLook && news.length === 0) {
    faults.push(`verification finds nothing although ${hashed.join(', ')} changed`);
  }
  const isTold = !couldLook || news.length > 0;
  // Without its hash nothing tells a changed payload; an index can still be held against the log.
  const isBeyondTelling = mutation.isResealed && roles.includes('completedChunk');
  const mayDiffer = isTold || isBeyondTelling || roles.some((role) => UNCHECKED.includes(role));
  if (!mayDiffer) {
    faults.push(...differences('records', truth.records, found.records));
    faults.push(...differences('salvaged records', truth.salvaged, found.salvaged));
    faults.push(...differences('$all', truth.all, found.all));
    for (const [name, reading] of found.streams) {
      const right = truth.streams.get(name);
      if (right) faults.push(...differences(name, right, reading));
    }
  }
  // Checkpoints say where the log ends; what lies before it they cannot change.
  if (roles.length > 0 && roles.every((role) => role === 'checkpoint')) {
    const right = new Set(truth.records.rows.map(withoutCommit));
    const wrong = found.records.rows.find((row) => !right.has(withoutCommit(row)));
    if (wrong !== undefined) faults.push(`a checkpoint changed a record: ${wrong}`);
  }
  return faults;
}

/** The commit of a transaction may lie behind the end. */
function withoutCommit(row: string): string {
  return row.replace(/,"committedEventNumber":[^,}]*/, '');
}

/** The bytes are still there under another version of the chunk's name, which is as good. */
function wasRenamed(file: string, image: DatabaseImage, { files }: Mutation): boolean {
  const name = decodeChunkFileName(file);
  if (!name || files.has(file)) return false;
  const bytes = image.files.get(file);
  return [...files].some(
    ([other, found]) => found === bytes && decodeChunkFileName(other)?.chunkNumber === name.chunkNumber
  );
}

/** Positions and numbers in messages are those of the case; what and where stays the same. */
function keyOf({ severity, code, file, offset, position, message }: Finding): string {
  return [severity, code, file, offset, position, GUID.test(message) ? '' : message].join(' ');
}

function differences(what: string, right: Reading, found: Reading): string[] {
  if (found.error === SKIPPED) return [];
  if (found.error === right.error && found.rows.length === right.rows.length) {
    const at = found.rows.findIndex((row, i) => row !== right.rows[i]);
    return at < 0 ? [] : [`${what}: row ${at} is ${found.rows[at]} instead of ${right.rows[at]}`];
  }
  if (found.error === 'LogCorrupt' || found.error === 'IndexCorrupt') {
    const known = new Set(right.rows);
    const wrong = found.rows.find((row) => !known.has(row));
    return wrong === undefined ? [] : [`${what}: ${wrong} before the error`];
  }
  return [
    `${what}: ${found.rows.length} rows and ${found.error ?? 'no error'} instead of ` +
      `${right.rows.length} rows and ${right.error ?? 'no error'}, and verification finds nothing`
  ];
}
