/** How much of a database was proved sound, how long ago, and whose turn is next. Pure but for what it asks of the book. */
import type { Proof, ProofBook } from './proof-book.ts';
import type { ProvableFile } from './provable-file.ts';

export interface Coverage {
  /** Of the files. */
  files: number;
  bytes: number;
  /** Those proved within the time that was asked about. */
  verifiedFiles: number;
  verifiedBytes: number;
  /** Those that were damaged when they were read last, and have not changed since. */
  damagedFiles: number;
  /** Those that were never proved as they are now. */
  unknownFiles: number;
  /** The oldest proof that is in force, however old; null: none is. Milliseconds since 1970. */
  oldestMs: number | null;
}

/** Clocks are set back by so much without any harm; a proof from a later time proves nothing. */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000;

/**
 * `files`: all of one kind. A chunk that is being written is never proved: leave it out. `proofOf`: what the book says of the
 * file as it is now; undefined: nothing.
 */
export function coverageOf<File extends { bytes: number }>(
  files: readonly File[],
  proofOf: (file: File) => Proof | undefined,
  { nowMs, withinMs }: { nowMs: number; withinMs: number }
): Coverage {
  const coverage: Coverage = {
    files: files.length,
    bytes: 0,
    verifiedFiles: 0,
    verifiedBytes: 0,
    damagedFiles: 0,
    unknownFiles: 0,
    oldestMs: null
  };
  for (const file of files) {
    coverage.bytes += file.bytes;
    const proof = inForce(proofOf(file), nowMs);
    if (!proof) coverage.unknownFiles++;
    else if (!proof.isSound) coverage.damagedFiles++;
    else {
      coverage.oldestMs = Math.min(coverage.oldestMs ?? Infinity, proof.atMs);
      if (nowMs - proof.atMs > withinMs) continue;
      coverage.verifiedFiles++;
      coverage.verifiedBytes += file.bytes;
    }
  }
  return coverage;
}

/** Every file was proved within the time. */
export function isCovered({ files, verifiedFiles }: Coverage): boolean {
  return verifiedFiles === files;
}

/**
 * The files in the order in which they have their turn: those found damaged, so that damage is told until it is gone; those
 * never proved as they are now, in the order given; then by the age of the proof, oldest first. A chunk that is being written
 * always differs from what was read last: its last reading counts, else it would be first for ever.
 */
export function inTurn(
  files: readonly ProvableFile[],
  book: ProofBook,
  { nowMs }: { nowMs: number }
): ProvableFile[] {
  const turns = files.map((file, at) => ({ file, at, since: turnOf(file, book, nowMs) }));
  return turns
    .sort((a, b) => (a.since === b.since ? a.at - b.at : a.since < b.since ? -1 : 1))
    .map(({ file }) => file);
}

/** -Infinity: at once; -1: never proved; else when it was. */
function turnOf(file: ProvableFile, book: ProofBook, nowMs: number): number {
  const look = file.kind === 'growing' ? book.lastLook(file.name) : book.of(file);
  const proof = inForce(look, nowMs);
  if (!proof) return -1;
  return proof.isSound ? proof.atMs : -Infinity;
}

function inForce(proof: Proof | undefined, nowMs: number): Proof | undefined {
  return proof && proof.atMs <= nowMs + CLOCK_SLACK_MS ? proof : undefined;
}
