/**
 * What is known of the files of a database from verifications: `proofs/HASH.proofs` in WINNOW_HOME, one file for each data
 * and index directory. Without a home it is known only as long as the work lasts. docs/operations/verify.md
 */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ProofBook, ProofNotes } from '../../../src-core/index.ts';
import { directoriesOf, type HealthPlace } from '../doctor/kept-health.ts';
import type { OperationContext } from '../operation.ts';

/** Of the databases that were verified last. */
const MOST_BOOKS = 500;
const SUFFIX = '.proofs';

export function proofsOf(
  place: HealthPlace,
  { fileSystem, clock }: Pick<OperationContext, 'fileSystem' | 'clock'>
): ProofNotes {
  const { dataDirectory, indexDirectory } = directoriesOf(place);
  const book = new ProofBook({
    fileSystem,
    place: bookPlace(place.winnowHome, [dataDirectory, indexDirectory]),
    directories: [dataDirectory, indexDirectory],
    newGuid: () => randomUUID()
  });
  return new ProofNotes(book, clock);
}

function bookPlace(winnowHome: string | undefined, directories: readonly string[]) {
  if (winnowHome === undefined) return undefined;
  const name = createHash('sha256').update(directories.join('\n')).digest('hex').slice(0, 32);
  return { directory: path.join(path.resolve(winnowHome), 'proofs'), name: `${name}${SUFFIX}` };
}

/** Keeps what was noted. What was verified stays verified if that is impossible: only a warning says so. */
export function keepProofs({ book }: ProofNotes, { log }: Pick<OperationContext, 'log'>): void {
  const failure = book.save();
  if (failure) {
    log({ level: 'warning', message: `What was verified could not be kept: ${failure.message}` });
  } else if (book.directory !== undefined) removeOldest(book.directory);
}

/** Also what a killed process left. Whatever cannot be removed stays. */
function removeOldest(directory: string): void {
  try {
    const files = fs.readdirSync(directory).map((name) => path.join(directory, name));
    if (files.length <= MOST_BOOKS) return;
    const aged = files.map((file) => ({ file, ms: fs.statSync(file).mtimeMs })).sort((a, b) => b.ms - a.ms);
    for (const { file } of aged.slice(MOST_BOOKS)) fs.rmSync(file, { force: true });
  } catch {
    // Another process may remove the same at the same time, and a home may be read-only.
  }
}
