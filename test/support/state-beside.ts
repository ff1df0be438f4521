/**
 * The scavenge state of tests whose database lies in memory: SQLite needs real files, so its directories lie beside
 * the memory, at the same paths. Knows what a power cut can leave of them: a write-ahead log is a sequence of commits
 * of which any first part may be on the disk, none of it at worst; what is in the main file was flushed.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import type { BesideContent, BesideDisk } from './cut-enumeration.ts';

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

export class StateBeside implements BesideDisk {
  readonly fileSystem = new NodeFileSystem();
  readonly directories: readonly string[];

  constructor(directories: readonly string[]) {
    this.directories = directories;
  }

  /** As it stands; without the last commit; what was flushed for certain. */
  capture(): [BesideContent, ...BesideContent[]] {
    const files = new Map(this.directories.flatMap(filesBelow));
    return [
      { name: 'state as it stands', files },
      { name: 'state without its last commit', files: withJournals(files, withoutLastCommit) },
      { name: 'state as last flushed', files: withJournals(files, () => undefined) }
    ];
  }

  restore({ files }: BesideContent): void {
    for (const directory of this.directories) rmSync(directory, { recursive: true, force: true });
    for (const [path, bytes] of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
  }
}

/** The index of a journal (`-shm`) is left out: it is rebuilt, and after a power cut it is gone. */
function filesBelow(directory: string): [string, Uint8Array][] {
  let names: string[];
  try {
    names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return []; // not there, which is a state as good as any
  }
  return names
    .map((name) => join(directory, name))
    .filter((path) => !path.endsWith('-shm') && statSync(path).isFile())
    .sort()
    .map((path) => [path, new Uint8Array(readFileSync(path))]);
}

function withJournals(
  files: ReadonlyMap<string, Uint8Array>,
  change: (journal: Uint8Array) => Uint8Array | undefined
): Map<string, Uint8Array> {
  const changed = new Map<string, Uint8Array>();
  for (const [path, bytes] of files) {
    const kept = path.endsWith('-wal') ? change(bytes) : bytes;
    if (kept) changed.set(path, kept);
  }
  return changed;
}

/** Up to the end of the last commit but one. Frames of an earlier round of the journal have other salts. */
function withoutLastCommit(journal: Uint8Array): Uint8Array | undefined {
  const ends = commitEnds(journal);
  return ends.length < 2 ? undefined : journal.subarray(0, ends.at(-2));
}

/** Offsets behind each commit. */
function commitEnds(journal: Uint8Array): number[] {
  if (journal.length < WAL_HEADER_BYTES) return [];
  const view = new DataView(journal.buffer, journal.byteOffset, journal.length);
  const frameBytes = FRAME_HEADER_BYTES + view.getUint32(8);
  const ends: number[] = [];
  for (let at = WAL_HEADER_BYTES; at + frameBytes <= journal.length; at += frameBytes) {
    const isOfThisRound =
      view.getUint32(at + 8) === view.getUint32(16) && view.getUint32(at + 12) === view.getUint32(20);
    if (!isOfThisRound) break;
    if (view.getUint32(at + 4) !== 0) ends.push(at + frameBytes);
  }
  return ends;
}
