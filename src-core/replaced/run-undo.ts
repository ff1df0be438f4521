/**
 * Puts back what a scavenge replaced. Nothing goes before what takes its place is there and on the disk, and what is kept
 * stays until the directory is as it should be: a step that was cut is simply made again, from the journal.
 *
 * While files come and go chaser.chk is ahead of every writer.chk, so that a server that starts refuses and changes nothing,
 * as in the middle of a restore (docs/decisions/0010-a-restore-blocks-the-start.md). Files come as second names of the kept
 * ones, so that an undo needs next to no space.
 */
import { requireChunkChecksum } from '../chunks/chunk-checksum.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { removeExistenceFilter } from '../index/existence-filter.ts';
import {
  BLOCKED_CHASER,
  CHECKPOINT_NAMES,
  checkpointFileName,
  readCheckpointFile,
  writeCheckpointFile,
  type CheckpointName
} from '../log/checkpoint-file.ts';
import { lockUnless, lockWriterCheckpoint } from '../storage/directory-lock.ts';
import { readWholeFile } from '../storage/file-system.ts';
import { restoreUnfinished, unfinishedRestore } from '../storage/restore-marker.ts';
import { UNDO_MARKER } from '../storage/undo-marker.ts';
import { copyKept, hashOfFile, shareFile } from './copy-kept.ts';
import { checkpointBytes, lastBytes } from './kept-facts.ts';
import {
  KEPT_DIRECTORY,
  keptPath,
  lockKept,
  makeLike,
  placeOf,
  removeKept,
  requireKept,
  sweepKept,
  type KeptPlace
} from './kept-folders.ts';
import { changed, openKeptChunks } from './kept-log.ts';
import type { KeptFile, KeptManifest } from './kept-manifest.ts';
import { isInPlace, planUndo, type PutBack, type UndoPlan } from './plan-undo.ts';
import { requireUndoneLog } from './undone-log.ts';
import { readUndoJournal, removeUndoJournal, writeUndoJournal, type UndoJournal } from './undo-journal.ts';

/** In either directory; swept with the leftovers of a scavenge if a cut leaves it. */
const PUT_TEMPORARY = 'winnow-undo.tmp';

export interface UndoEnvironment {
  control: OperationControl;
  assumeStopped: boolean;
  /** Called under the lock with what is going to be done, before the first change; what it throws ends the undo. */
  underLock?: ((plan: UndoPlan) => void) | undefined;
}

export interface UndoOutcome {
  id: string;
  kind: 'exact' | 'joined';
  /** Where the log ends. */
  end: number;
  /** It had been cut before. */
  isResumed: boolean;
  /** undefined of one that had been cut before. */
  plan: UndoPlan | undefined;
}

/** `id`: what to go back to; the newest if not given. An undo that was cut is finished, whatever is asked for. */
export async function undoScavenge(
  place: KeptPlace & { id?: string | undefined },
  environment: UndoEnvironment
): Promise<UndoOutcome> {
  const { fileSystem, dataDirectory } = place;
  const { assumeStopped, control } = environment;
  const refuse = (): void => {
    const restore = unfinishedRestore(fileSystem, dataDirectory);
    if (restore) throw restoreUnfinished(dataDirectory, restore);
  };
  refuse();
  const unfinished = readUndoJournal(fileSystem, dataDirectory);
  // Without a lock, so that a wrong question makes no directory for one.
  if (!unfinished) requireKept(place, place.id);
  const release = lockUnless(refuse, () =>
    lockWriterCheckpoint({ fileSystem, dataDirectory, assumeStopped })
  );
  try {
    const releaseKept = lockKept(place, assumeStopped);
    try {
      const begun = readUndoJournal(fileSystem, dataDirectory);
      if (begun) {
        if (begun.phase === 'putting')
          requireUndoneLog(place, requireKept(place, begun.id), { journal: begun, saidBy: UNDO_MARKER });
        await new Undo(place, begun, control).toTheEnd();
        return { id: begun.id, kind: begun.kind, end: begun.end, isResumed: true, plan: undefined };
      }
      const plan = await planUndo({ ...place, control });
      environment.underLock?.(plan);
      await requireSound(place, plan, control);
      const journal = journalOf(place, plan);
      const saidBy = fileSystem.join(KEPT_DIRECTORY, plan.manifest.id, 'manifest.json');
      requireUndoneLog(place, plan.manifest, { journal, saidBy });
      writeUndoJournal(fileSystem, dataDirectory, journal);
      await new Undo(place, journal, control).toTheEnd();
      return { id: journal.id, kind: journal.kind, end: journal.end, isResumed: false, plan };
    } finally {
      releaseKept();
    }
  } finally {
    release();
  }
}

/** Every byte of what is to be the only copy is read first. */
async function requireSound(
  place: KeptPlace,
  { manifest, puts }: UndoPlan,
  control: OperationControl
): Promise<void> {
  const { fileSystem } = place;
  const { chunks, completed } = openKeptChunks(place, manifest);
  const total = puts.reduce((sum, { file }) => sum + file.bytes, 0);
  let done = 0;
  const onBytes = async (count: number): Promise<void> => {
    done += count;
    control.report({ phase: 'checking', done: Math.min(done, total), total, unit: 'bytes' });
    control.throwIfStopped();
    await control.breathe();
  };
  for (const { file, isCompleted } of puts) {
    const path = keptPath(place, manifest, file, isCompleted);
    if (file.kind === 'chunk') {
      const kept = (isCompleted ? completed : chunks).find((one) => one.file.name === file.name);
      if (kept) await requireChunkChecksum(fileSystem, kept.chunk, onBytes);
    } else if (file.kind === 'table') {
      if (lastBytes(fileSystem, path) !== file.hash)
        throw changed(path, 'its checksum is not the one it had');
    } else if (file.hash !== null) {
      const hash = await hashOfFile(fileSystem, path, () => onBytes(0));
      if (hash !== file.hash) throw changed(path, `its SHA-256 is ${hash} instead of ${file.hash}`);
    }
  }
}

function journalOf(place: KeptPlace, plan: UndoPlan): UndoJournal {
  const { manifest, kind, puts, removes, removesExistence, removesDirectories, end } = plan;
  const isExact = kind === 'exact';
  return {
    phase: 'putting',
    id: manifest.id,
    kind,
    indexWithin: manifest.indexWithin,
    puts: puts.map(({ file: { area, name }, isCompleted }) => ({ area, name, isCompleted })),
    removes: removes.map(({ area, name }) => ({ area, name })),
    removesExistence,
    removesDirectories,
    checkpoints: isExact ? manifest.checkpoints : checkpointBytes(place.fileSystem, place.dataDirectory),
    end
  };
}

class Undo {
  readonly #place: KeptPlace;
  #journal: UndoJournal;
  readonly #control: OperationControl;

  constructor(place: KeptPlace, journal: UndoJournal, control: OperationControl) {
    this.#place = place;
    this.#journal = journal;
    this.#control = control;
  }

  async toTheEnd(): Promise<void> {
    const { fileSystem, dataDirectory } = this.#place;
    const chaser = fileSystem.join(dataDirectory, checkpointFileName('chaser'));
    if (this.#journal.phase === 'putting') {
      writeCheckpointFile(fileSystem, chaser, BLOCKED_CHASER);
      fileSystem.syncDirectory(dataDirectory);
      await this.#putFiles();
      this.#removeFiles();
      for (const name of CHECKPOINT_NAMES) if (name !== 'chaser') this.#setCheckpoint(name);
      fileSystem.syncDirectory(dataDirectory);
      this.#journal = { ...this.#journal, phase: 'finishing' };
      writeUndoJournal(fileSystem, dataDirectory, this.#journal);
    }
    // From here on nothing that is kept may count: a server that starts writes to the same open chunk.
    removeKept(this.#place, this.#journal.id);
    if (readCheckpointFile(fileSystem, chaser) === BLOCKED_CHASER) this.#setCheckpoint('chaser');
    fileSystem.syncDirectory(dataDirectory);
    sweepKept(this.#place);
    removeUndoJournal(fileSystem, dataDirectory);
  }

  async #putFiles(): Promise<void> {
    const { fileSystem } = this.#place;
    const manifest = requireKept(this.#place, this.#journal.id);
    const changedDirectories = new Set<string>();
    const total = this.#journal.puts.length;
    let done = 0;
    for (const put of this.#filesOf(manifest)) {
      const directory = fileSystem.join(placeOf(this.#place, put.file), '..');
      changedDirectories.add(directory);
      await this.#put(manifest, put, directory);
      this.#control.report({ phase: 'puttingBack', done: ++done, total, unit: 'files' });
      // Once begun it is not stopped: it is short, and half of it is no database.
    }
    for (const directory of changedDirectories) {
      fileSystem.syncDirectory(directory);
      fileSystem.syncDirectory(fileSystem.join(directory, '..'));
    }
  }

  /** The tables before the map that names them, and the index before the chunks, as a scavenge changes them. */
  #filesOf(manifest: KeptManifest): PutBack[] {
    const files = this.#journal.puts.map(({ area, name, isCompleted }): PutBack => {
      const among = isCompleted ? manifest.completed : manifest.files;
      const file = among.find((one) => one.area === area && one.name === name);
      if (!file) throw changed(name, 'the journal of the undo names it, and it is not among the kept files');
      return { file, isCompleted };
    });
    const rank = ({ area, kind }: KeptFile): number => (area === 'data' ? 2 : kind === 'map' ? 1 : 0);
    return files.sort((a, b) => rank(a.file) - rank(b.file));
  }

  async #put(manifest: KeptManifest, put: PutBack, directory: string): Promise<void> {
    const { fileSystem, dataDirectory, indexDirectory } = this.#place;
    const { file, isCompleted } = put;
    const to = placeOf(this.#place, file);
    if (isInPlace(this.#place, manifest, put)) return;
    const from = keptPath(this.#place, manifest, file, isCompleted);
    if (fileSystem.describe(from) === undefined) throw changed(from, 'it is missing');
    if (fileSystem.describe(directory) === undefined)
      makeLike(fileSystem, directory, fileSystem.describe(indexDirectory) ? indexDirectory : dataDirectory);
    const here = fileSystem.describe(to);
    const kept = fileSystem.describe(from)!;
    if (here?.inode !== kept.inode || here.device !== kept.device) {
      const temporary = fileSystem.join(directory, PUT_TEMPORARY);
      fileSystem.remove(temporary);
      // The state lies where SQLite needs it, and is small beside the log.
      const isShared = file.kind !== 'state' && shareFile(fileSystem, from, temporary);
      if (!isShared) await copyKept({ fileSystem, from, to: temporary, breathe: () => Promise.resolve() });
      fileSystem.rename(temporary, to);
    }
    if ((fileSystem.describe(to)!.mode & 0o777) !== file.mode) fileSystem.changeMode(to, file.mode);
  }

  #removeFiles(): void {
    const { fileSystem, indexDirectory, dataDirectory } = this.#place;
    const { removes, removesExistence, removesDirectories } = this.#journal;
    const directories = new Set<string>();
    for (const file of removes) {
      const path = placeOf(this.#place, file);
      fileSystem.remove(path);
      directories.add(fileSystem.join(path, '..'));
    }
    if (removesExistence) removeExistenceFilter(fileSystem, indexDirectory);
    for (const name of removesDirectories) fileSystem.removeDirectory(fileSystem.join(indexDirectory, name));
    // An index directory that the run made, for its state.
    const isUnused = fileSystem.list(indexDirectory)?.length === 0;
    const manifest = requireKept(this.#place, this.#journal.id);
    if (isUnused && !manifest.hadIndex && this.#journal.kind === 'exact')
      fileSystem.removeDirectory(indexDirectory);
    for (const directory of [...directories, indexDirectory, dataDirectory])
      if (fileSystem.describe(directory)) fileSystem.syncDirectory(directory);
  }

  /** In place, so that a backup knows the files again; flushed. */
  #setCheckpoint(name: CheckpointName): void {
    const { fileSystem, dataDirectory } = this.#place;
    const hex = this.#journal.checkpoints[name];
    const path = fileSystem.join(dataDirectory, checkpointFileName(name));
    if (hex === null) return fileSystem.remove(path);
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
    const now = readWholeFile(fileSystem, path, 64);
    if (now && Buffer.from(now).equals(bytes)) return;
    const file = fileSystem.open(path, now ? 'readWrite' : 'createNew');
    try {
      file.write(bytes, 0, bytes.length, 0);
      if (file.size() !== bytes.length) file.truncate(bytes.length);
      file.sync();
    } finally {
      file.close();
    }
  }
}
