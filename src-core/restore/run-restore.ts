/**
 * A restore from the plan to the end, and its ways on after it was cut: to the end, or back. The source is only read;
 * the old database is untouched until the new one is complete, cut where it has to be, looked through and on the
 * disk. Steps: restore-journal.ts.
 *
 * Ctrl+C and errors of the disk leave a restore that can go on; whatever else goes wrong while files are gathered
 * puts the target back to what it was. The switch itself is short and is not stopped.
 */
import type { Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { EngineError, invalidRequest, logCorrupt } from '../errors.ts';
import { INDEX_MAP_NAME } from '../index/index-map.ts';
import { checkpointFileName, readCheckpointFile, writeCheckpointFile } from '../log/checkpoint-file.ts';
import { lockFile, lockUnless, lockWriterCheckpoint, makeLockFile } from '../storage/directory-lock.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { restoreUnfinished, unfinishedRestore } from '../storage/restore-marker.ts';
import { ticksToIso } from '../units/ticks.ts';
import { applyTruncation } from '../log/apply-truncation.ts';
import { giveOwnership, readOwnership, requireOwnership } from './file-ownership.ts';
import { gatherFiles, stagedPath, type Gathered } from './gather-files.ts';
import { openPrepared } from './prepared-database.ts';
import {
  newJournal,
  readJournal,
  removeJournal,
  RESTORE_LOCK,
  writeJournal,
  type RestoreJournal,
  type RestorePhase
} from './restore-journal.ts';
import { requirePlaces } from './require-places.ts';
import { isEmptyPlace, readMark, removePlace } from './restore-mark.ts';
import { asidePlaces, isIndexApart, pathWithin, writablePlaces } from './restore-places.ts';
import { refuseTooLittleSpace, type RestorePlan } from './restore-plan.ts';
import type { RestoreSource, SourceLocation } from './restore-source.ts';
import {
  liftBlock,
  makePlace,
  moveAside,
  moveBack,
  moveIn,
  oldNames,
  parentOf,
  syncAll,
  takeOut,
  type Switch
} from './switch-directories.ts';
import { planTruncation } from '../log/truncation.ts';

export interface RestoreEnvironment {
  fileSystem: FileSystem;
  control: OperationControl;
  /** Ticks. */
  now: () => bigint;
  /**
   * Checks the gathered database; throws if it must not be used. `isKnown`: every byte was compared with a hash.
   * An index that would answer wrongly is left out: the server makes it again.
   */
  verify?:
    ((database: Database, facts: { isKnown: boolean }) => Promise<{ isIndexLeftOut: boolean }>) | undefined;
  /** Go on although a lock cannot be taken because the platform or the share has none. */
  assumeStopped: boolean;
  /** Called under the lock, before a file of the target changes; what it throws ends the restore. */
  underLock?: (() => void) | undefined;
}

export interface RestoreOutcome {
  backup: string;
  dataDirectory: string;
  indexDirectory: string;
  filesCopied: number;
  bytesCopied: number;
  /** Directories that hold the old files. */
  movedAside: string[];
  /** Where the log ends once it is cut. */
  truncatesTo: number;
  isTruncationApplied: boolean;
  /** The target is the directory the backup was taken of. */
  isSourceNode: boolean;
}

/** Carries a plan out. */
export async function runRestore(
  plan: RestorePlan,
  source: RestoreSource,
  environment: RestoreEnvironment
): Promise<RestoreOutcome> {
  const { fileSystem, now } = environment;
  const { dataDirectory, indexDirectory } = plan;
  const refuse = (): void => {
    const unfinished = readJournal(fileSystem, dataDirectory);
    if (unfinished) throw restoreUnfinished(dataDirectory, unfinished);
  };
  refuse();
  refuseTooLittleSpace(plan);
  const madeDataDirectory = fileSystem.describe(dataDirectory) === undefined;
  const madeIndexDirectory = fileSystem.describe(indexDirectory) === undefined;
  makeDirectories(fileSystem, dataDirectory, indexDirectory);
  // Another one may begin meanwhile, and be cut.
  const release = lockUnless(refuse, () => lockTarget(dataDirectory, environment));
  let hasEnded = false;
  try {
    environment.underLock?.();
    refuseFilled(fileSystem, plan);
    const journal = newJournal({
      backup: plan.backup,
      source: source.location,
      startedAt: ticksToIso(now()),
      stamp: plan.stamp,
      inode: fileSystem.describe(dataDirectory)?.inode ?? 0,
      indexDirectory,
      places: writablePlaces(fileSystem, plan),
      madeDataDirectory,
      madeIndexDirectory,
      appliesTruncation: plan.appliesTruncation,
      isSourceNode: plan.isSourceNode,
      files: plan.files
    });
    writeJournal(fileSystem, dataDirectory, journal);
    const outcome = await new RestoreRun(dataDirectory, journal, environment).toTheEnd(source);
    hasEnded = true;
    return outcome;
  } finally {
    // Refused before the marker was there: nothing of ours stays.
    let isRefused: boolean;
    try {
      isRefused = !hasEnded && unfinishedRestore(fileSystem, dataDirectory) === undefined;
      // As long as it is held: afterwards it may be another one's.
      if (isRefused) fileSystem.remove(fileSystem.join(dataDirectory, RESTORE_LOCK));
    } finally {
      release();
    }
    if (isRefused) {
      if (madeIndexDirectory) removeEmpty(fileSystem, indexDirectory);
      if (madeDataDirectory) removeEmpty(fileSystem, dataDirectory);
    }
  }
}

/** Another restore into the same empty place may have been carried out between the plan and the lock. */
function refuseFilled(
  fileSystem: FileSystem,
  { dataDirectory, indexDirectory, places, movesAside }: RestorePlan
): void {
  if (movesAside.length > 0) return;
  const old = oldNames({ fileSystem, dataDirectory, journal: { places, indexDirectory } });
  const [filled] = asidePlaces({ places, old });
  if (filled === undefined) return;
  throw new EngineError({
    code: 'DatabaseInUse',
    message: `Another process has written into ${dataDirectory} since this restore was planned; there was nothing in it then.`,
    remedy:
      'Look at what is there with "winnow inspect". A restore that is started again says what it moves aside.',
    details: { file: dataDirectory, reason: 'filledMeanwhile' }
  });
}

function removeEmpty(fileSystem: FileSystem, directory: string): void {
  if (fileSystem.list(directory)?.length !== 0) return;
  fileSystem.removeDirectory(directory);
  fileSystem.syncDirectory(parentOf(fileSystem, directory));
}

export interface ContinueRestore {
  dataDirectory: string;
  /** Opens the source while `work` runs; asked only where files are still missing. */
  withSource: <T>(location: SourceLocation, work: (source: RestoreSource) => Promise<T>) => Promise<T>;
}

/** Finishes a restore that was cut. */
export function continueRestore(
  { dataDirectory, withSource }: ContinueRestore,
  environment: RestoreEnvironment
): Promise<RestoreOutcome> {
  const check = (journal: RestoreJournal): void => {
    if (journal.phase === 'takingOut' || journal.phase === 'movingBack') {
      throw invalidRequest(
        `The restore of ${journal.backup} into ${dataDirectory} is being undone.`,
        '--continue',
        `Finish that with "winnow restore --undo --to ${dataDirectory}".`
      );
    }
    requirePlaces({ fileSystem: environment.fileSystem, dataDirectory, journal }, 'on');
  };
  return withJournal(dataDirectory, environment, check, (journal) => {
    const restoreRun = new RestoreRun(dataDirectory, journal, environment);
    if (journal.phase !== 'copying') return restoreRun.toTheEnd(undefined);
    return withSource(journal.source, (source) => restoreRun.toTheEnd(source));
  });
}

/** Puts the old database back. */
export function undoRestore(
  dataDirectory: string,
  environment: RestoreEnvironment
): Promise<{ backup: string }> {
  const check = (journal: RestoreJournal): void => {
    if (journal.phase === 'finishing') {
      throw invalidRequest(
        `The restore of ${journal.backup} into ${dataDirectory} is complete except for its last names; a server may have run on it.`,
        '--undo',
        `Finish it with "winnow restore --continue --to ${dataDirectory}". The old files are in ${journal.places.asideData}.`
      );
    }
    requirePlaces({ fileSystem: environment.fileSystem, dataDirectory, journal }, 'back');
  };
  return withJournal(dataDirectory, environment, check, (journal) => {
    new RestoreRun(dataDirectory, journal, environment).back();
    return Promise.resolve({ backup: journal.backup });
  });
}

/**
 * Continues a restore, or undoes it, under the lock. `check` is asked before it is taken, so that a wrong question leaves no file for a
 * lock, and of what the journal says then: another one may have gone on since, or ended.
 */
async function withJournal<T>(
  dataDirectory: string,
  environment: RestoreEnvironment,
  check: (journal: RestoreJournal) => void,
  work: (journal: RestoreJournal) => Promise<T>
): Promise<T> {
  const { fileSystem } = environment;
  check(requireJournal(fileSystem, dataDirectory));
  const release = lockTarget(dataDirectory, environment);
  try {
    let journal: RestoreJournal;
    try {
      journal = requireJournal(fileSystem, dataDirectory);
    } catch (error) {
      const isOver = unfinishedRestore(fileSystem, dataDirectory) === undefined;
      if (isOver) fileSystem.remove(fileSystem.join(dataDirectory, RESTORE_LOCK));
      throw error;
    }
    check(journal);
    return await work(journal);
  } finally {
    release();
  }
}

function requireJournal(fileSystem: FileSystem, dataDirectory: string): RestoreJournal {
  const journal = readJournal(fileSystem, dataDirectory);
  if (journal) return journal;
  throw invalidRequest(
    `No restore into ${dataDirectory} is unfinished.`,
    '--to',
    'There is nothing to continue or undo here; "winnow inspect" says what this directory contains.'
  );
}

/**
 * Keeps servers away by writer.chk, where there is one (an empty target cannot be open in a server), and other
 * restores by a file of our own, because writer.chk moves away. That file goes with the marker.
 */
function lockTarget(dataDirectory: string, environment: RestoreEnvironment): () => void {
  const { fileSystem, assumeStopped } = environment;
  const writer = fileSystem.join(dataDirectory, checkpointFileName('writer'));
  const releaseWriter =
    fileSystem.describe(writer) === undefined
      ? undefined
      : lockWriterCheckpoint({ fileSystem, dataDirectory, assumeStopped });
  try {
    const releaseRestore = lockRestore(dataDirectory, environment);
    return () => {
      releaseRestore();
      releaseWriter?.();
    };
  } catch (error) {
    releaseWriter?.();
    throw error;
  }
}

function lockRestore(
  dataDirectory: string,
  { fileSystem, assumeStopped }: Pick<RestoreEnvironment, 'fileSystem' | 'assumeStopped'>
): () => void {
  const path = fileSystem.join(dataDirectory, RESTORE_LOCK);
  makeLockFile(fileSystem, path);
  return lockFile({ fileSystem, dataDirectory, file: RESTORE_LOCK, assumeStopped });
}

function makeDirectories(fileSystem: FileSystem, dataDirectory: string, indexDirectory: string): void {
  for (const directory of [dataDirectory, indexDirectory]) {
    if (fileSystem.describe(directory)) continue;
    const above = parentOf(fileSystem, directory);
    fileSystem.makeDirectory(directory);
    const owner = fileSystem.describe(above);
    if (owner) fileSystem.changeOwner(directory, owner.uid, owner.gid);
    fileSystem.syncDirectory(above);
  }
}

class RestoreRun {
  readonly #dataDirectory: string;
  readonly #environment: RestoreEnvironment;
  readonly #fileSystem: FileSystem;
  #journal: RestoreJournal;
  #gathered: Gathered = { filesCopied: 0, bytesCopied: 0 };

  constructor(dataDirectory: string, journal: RestoreJournal, environment: RestoreEnvironment) {
    this.#dataDirectory = dataDirectory;
    this.#journal = journal;
    this.#environment = environment;
    this.#fileSystem = environment.fileSystem;
  }

  async toTheEnd(source: RestoreSource | undefined): Promise<RestoreOutcome> {
    try {
      if (this.#journal.phase === 'copying' && source) await this.#gather(source);
      if (this.#journal.phase === 'preparing') await this.#prepare();
    } catch (error) {
      if (leavesNothing(error)) this.#discard();
      throw error;
    }
    if (this.#journal.phase === 'movingAside') {
      this.#tell('switching');
      moveAside(this.#parts);
      this.#enter('movingIn');
    }
    if (this.#journal.phase === 'movingIn') {
      moveIn(this.#parts);
      this.#enter('finishing');
    }
    liftBlock(this.#parts);
    return this.#finish();
  }

  back(): void {
    this.#tell('undoing');
    const { phase } = this.#journal;
    if (phase === 'copying' || phase === 'preparing') {
      this.#removeAside();
      return this.#discard();
    }
    if (phase === 'movingIn') this.#enter('takingOut');
    if (this.#journal.phase === 'takingOut') takeOut(this.#parts);
    this.#enter('movingBack');
    moveBack(this.#parts);
    this.#removeAside();
    this.#discard();
  }

  get #parts(): Switch {
    return { fileSystem: this.#fileSystem, dataDirectory: this.#dataDirectory, journal: this.#journal };
  }

  #enter(phase: RestorePhase, change: Partial<RestoreJournal> = {}): void {
    this.#journal = { ...this.#journal, ...change, phase };
    writeJournal(this.#fileSystem, this.#dataDirectory, this.#journal);
  }

  #tell(phase: string): void {
    const total = this.#journal.files.length;
    this.#environment.control.report({ phase, done: 0, total, unit: 'files' }, true);
  }

  async #gather(source: RestoreSource): Promise<void> {
    const fileSystem = this.#fileSystem;
    const { files, places, indexDirectory } = this.#journal;
    const ownershipOf = readOwnership({ fileSystem, dataDirectory: this.#dataDirectory, indexDirectory });
    makePlace(this.#parts, 'staging');
    requireOwnership(fileSystem, places.stagingData, files.map(ownershipOf));
    const { control } = this.#environment;
    this.#gathered = await gatherFiles({ fileSystem, source, files, places, control });
    for (const file of files)
      giveOwnership(fileSystem, stagedPath(fileSystem, places, file), ownershipOf(file));
    this.#writeTruncateFile();
    this.#enter('preparing');
  }

  /** In full under another name, then renamed: an empty truncate.chk would ask for everything to be cut. */
  #writeTruncateFile(): void {
    const fileSystem = this.#fileSystem;
    const { stagingData } = this.#journal.places;
    const chaser = fileSystem.join(stagingData, checkpointFileName('chaser'));
    const path = fileSystem.join(stagingData, checkpointFileName('truncate'));
    const part = `${path}.part`;
    const end = readCheckpointFile(fileSystem, chaser) ?? -1;
    if (!Number.isSafeInteger(end)) {
      throw logCorrupt(
        `chaser.chk of the backup holds ${end}, which no position of a log is.`,
        { file: chaser, offset: 0 },
        'Take another backup; "winnow backup verify" says which are whole.'
      );
    }
    fileSystem.remove(part);
    writeCheckpointFile(fileSystem, part, end);
    const facts = fileSystem.describe(chaser);
    if (facts) giveOwnership(fileSystem, part, { ...facts, mode: facts.mode & 0o777 });
    fileSystem.rename(part, path);
    fileSystem.syncDirectory(stagingData);
  }

  async #prepare(): Promise<void> {
    const fileSystem = this.#fileSystem;
    const { control, verify } = this.#environment;
    const { places, appliesTruncation, files } = this.#journal;
    const place = { fileSystem, dataDirectory: places.stagingData, indexDirectory: places.stagingIndex };
    const question = { ...place, maxTruncationBytes: -1, control };
    const pending = appliesTruncation
      ? undefined
      : await planTruncation({ ...question, trustsEncrypted: true });
    if (appliesTruncation) await applyTruncation(question);
    const database = openPrepared({ ...place, pending });
    const end = database.checkpoints.writer ?? 0;
    let isIndexLeftOut: boolean;
    try {
      const isKnown = files.every(({ sha256 }) => sha256 !== null);
      isIndexLeftOut = (await verify?.(database, { isKnown }))?.isIndexLeftOut === true;
    } finally {
      database.close();
    }
    if (isIndexLeftOut) this.#leaveIndexOut();
    // What the cut removed is not moved into place.
    const left = files.filter((file) => fileSystem.describe(stagedPath(fileSystem, places, file)));
    syncAll(fileSystem, [places.stagingData, places.stagingIndex]);
    makePlace(this.#parts, 'aside');
    this.#enter('movingAside', { end, files: left, old: oldNames(this.#parts) });
  }

  /** The map first: without it the rest is nothing to a server. The source has them all. */
  #leaveIndexOut(): void {
    const { places, files } = this.#journal;
    const ofIndex = files.filter(({ area }) => area === 'index');
    const isMap = ({ name }: { name: string }): boolean => name === INDEX_MAP_NAME;
    for (const file of [...ofIndex.filter(isMap), ...ofIndex.filter((one) => !isMap(one))])
      this.#fileSystem.remove(stagedPath(this.#fileSystem, places, file));
  }

  #finish(): RestoreOutcome {
    const fileSystem = this.#fileSystem;
    const { places, backup, indexDirectory, appliesTruncation, end, isSourceNode } = this.#journal;
    this.#removeStaging();
    const movedAside = this.#removeAside();
    removeJournal(fileSystem, this.#dataDirectory);
    return {
      backup,
      dataDirectory: this.#dataDirectory,
      indexDirectory,
      filesCopied: this.#gathered.filesCopied,
      bytesCopied: this.#gathered.bytesCopied,
      movedAside: movedAside.filter(
        (path) => !(path === places.asideIndex && pathWithin(path, places.asideData))
      ),
      truncatesTo: end ?? 0,
      isTruncationApplied: appliesTruncation,
      isSourceNode
    };
  }

  /** Nothing of the old database was touched, or all of it is back: what was made for the restore goes. */
  #discard(): void {
    const fileSystem = this.#fileSystem;
    const { indexDirectory, madeIndexDirectory, madeDataDirectory, places } = this.#journal;
    // An index directory elsewhere is ours to remove only by the mark beside it.
    const isIndexOurs = !isIndexApart(places) || readMark(fileSystem, places.stagingIndex) !== undefined;
    this.#removeStaging();
    if (madeIndexDirectory && isIndexOurs) removeEmpty(fileSystem, indexDirectory);
    removeJournal(fileSystem, this.#dataDirectory);
    if (madeDataDirectory) removeEmpty(fileSystem, this.#dataDirectory);
  }

  #removeStaging(): void {
    const { stagingData, stagingIndex } = this.#journal.places;
    for (const path of [stagingIndex, stagingData]) {
      if (this.#fileSystem.describe(path) === undefined) continue;
      if (readMark(this.#fileSystem, path)) removePlace(this.#fileSystem, path);
      else this.#fileSystem.removeDirectory(path);
      syncAll(this.#fileSystem, [parentOf(this.#fileSystem, path)]);
    }
  }

  /** Removes the places of the old files where they hold nothing; gives those that hold something. */
  #removeAside(): string[] {
    const { asideData, asideIndex } = this.#journal.places;
    const kept: string[] = [];
    // The one within goes first, so that the one around it can be empty.
    for (const path of new Set([asideIndex, asideData])) {
      const entries = this.#fileSystem.list(path);
      if (!entries) continue;
      if (!isEmptyPlace(this.#fileSystem, path)) kept.push(path);
      else this.#fileSystem.removeDirectory(path);
    }
    syncAll(
      this.#fileSystem,
      [asideData, asideIndex].map((path) => parentOf(this.#fileSystem, path))
    );
    return kept.reverse();
  }
}

/** Neither our stop nor a disk error, after which the same command resumes. */
function leavesNothing(error: unknown): boolean {
  const canGoOn = new Set(['StorageFailed', 'RemoteNodeFailed', 'AssertionFailed']);
  return error instanceof EngineError && !canGoOn.has(error.code);
}
