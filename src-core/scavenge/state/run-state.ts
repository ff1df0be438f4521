/**
 * The state that one run or plan works with: which file it is, opened, made, moved aside or copied as the request
 * wants. Runs with a point of the log share the server's file. A detached run has one of its own outside the
 * database, because no state may ever name a point that the log does not hold. A plan works in memory, on a copy of what
 * is stored.
 */
import { createHash } from 'node:crypto';
import { invalidRequest } from '../../errors.ts';
import type { StreamHasher } from '../../index/stream-hash.ts';
import { sizeOf } from '../../storage/file-size.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { sharesVolume } from '../rescue/rescue-budget.ts';
import { pageSizeBytesOf, type ScavengeRequest } from '../scavenge-request.ts';
import type { RunProgress } from '../run-progress.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { MemoryState, type MemoryBound } from './memory/memory-state.ts';
import { readIntoMemory } from './memory/read-into-memory.ts';
import { ScavengeState } from './scavenge-state.ts';
import {
  copyState,
  makeStatePlace,
  moveStateAside,
  removeState,
  stateDirectoryOf,
  statePathOf
} from './state-file.ts';
import { StateStore } from './state-store.ts';
import type { StateStorage } from './state-tables.ts';

/** What the state of a question may take of memory; it moves to a file then. */
const LARGEST_IN_MEMORY_BYTES = 1280 * 1024 * 1024;
/** Of a stored state that a question begins with: it takes about its size. */
const LARGEST_READ_BYTES = 600 * 1024 * 1024;

export interface RunStateParts {
  /** The real one, also for a plan. */
  fileSystem: FileSystem;
  indexDirectory: string;
  request: ScavengeRequest;
  isPlan: boolean;
  /** The plan's state outlives it: see ScavengeEnvironment. */
  keepsPlanState?: boolean;
  hasher: StreamHasher;
  newGuid: () => string;
  trace?: ScavengeTrace | undefined;
  progress?: RunProgress | undefined;
}

export class RunState {
  readonly #parts: RunStateParts;
  /** Of the state that the server shares; the plan's copy is elsewhere. */
  readonly #directory: string;
  readonly sharedPath: string;
  #opened: ScavengeState | undefined;
  /** The one that is open, if it is a detached run's. */
  #detached: ScavengeState | undefined;
  readonly #scratchPaths: string[] = [];

  constructor(parts: RunStateParts) {
    this.#parts = parts;
    this.#directory = stateDirectoryOf(parts.fileSystem, parts.indexDirectory);
    this.sharedPath = statePathOf(parts.fileSystem, this.#directory);
  }

  /** The stored state that the server shares; undefined when there is none or it is not to be used. */
  openShared(): ScavengeState | undefined {
    const { fileSystem, request, isPlan } = this.#parts;
    if (request.startAfresh || !fileSystem.describe(this.sharedPath)?.size) return undefined;
    this.#parts.progress?.beforeOpening(this.sharedPath);
    if (!isPlan) return this.#open(this.sharedPath);
    return this.#openCopy(this.sharedPath, { isDetached: false });
  }

  /** The state to run with: the one that is open, or a new one. */
  useShared(): ScavengeState {
    const { fileSystem, indexDirectory, request, isPlan } = this.#parts;
    if (this.#opened) return this.#opened;
    if (isPlan) return this.#openCopy(undefined, { isDetached: false });
    if (request.startAfresh) moveStateAside(fileSystem, this.#directory);
    const { dataDirectory } = request;
    makeStatePlace(fileSystem, { directory: this.#directory, indexDirectory, dataDirectory });
    return this.#open(this.sharedPath);
  }

  /** The state of a detached run that was stopped; undefined when there is none. Nothing is made. */
  openDetached(): ScavengeState | undefined {
    const { fileSystem, isPlan, progress } = this.#parts;
    const path = this.#resumablePath();
    if (path === undefined || !fileSystem.describe(path)?.size) return undefined;
    this.#close();
    progress?.beforeOpening(path);
    this.#detached = isPlan ? this.#openCopy(path, { isDetached: true }) : this.#open(path);
    return this.#detached;
  }

  /** The state of a detached run of this database, which may be one that was stopped. */
  useDetached(): ScavengeState {
    const { fileSystem, isPlan, request, progress } = this.#parts;
    if (this.#detached) return this.#detached;
    this.#close();
    if (isPlan) return this.#openCopy(this.#resumablePath(), { isDetached: true });
    const directory = this.#detachedDirectory();
    fileSystem.makeDirectory(directory);
    const parent = fileSystem.join(directory, '..');
    for (const made of [directory, parent, fileSystem.join(parent, '..')]) fileSystem.syncDirectory(made);
    const path = statePathOf(fileSystem, directory);
    if (request.startAfresh) removeState(fileSystem, path);
    progress?.beforeOpening(path);
    return this.#open(path);
  }

  /** A detached run is finished: nothing of it stays. */
  forgetDetached(): void {
    this.#close();
    if (!this.#parts.isPlan) this.#parts.fileSystem.removeDirectory(this.#detachedDirectory());
  }

  close(): void {
    this.#close();
    for (const path of this.#scratchPaths) removeState(this.#parts.fileSystem, path);
  }

  #close(): void {
    this.#opened?.close();
    this.#opened = undefined;
    this.#detached = undefined;
  }

  #open(path: string): ScavengeState {
    return this.#use(this.#openFile(path, { isThrownAway: false }));
  }

  /** A plan's own, with what an existing state says. */
  #openCopy(path: string | undefined, { isDetached }: { isDetached: boolean }): ScavengeState {
    const { fileSystem } = this.#parts;
    const isInMemory = !this.#isMeasured(isDetached);
    const size = path === undefined ? 0 : sizeOf(fileSystem, path);
    if (size === 0 && isInMemory) return this.#use(new MemoryState(undefined, this.#bound));
    const copy = this.#newScratchPath();
    if (path !== undefined) copyState(fileSystem, path, copy);
    if (!isInMemory || size > LARGEST_READ_BYTES) {
      return this.#use(this.#openFile(copy, { isThrownAway: isInMemory }));
    }
    const file = this.#openFile(copy, { isThrownAway: true });
    try {
      return this.#use(readIntoMemory(file, this.#bound));
    } finally {
      file.close();
      removeState(fileSystem, copy);
    }
  }

  /**
   * Somebody reads the state of this plan afterwards, or what it takes on the disk counts: what a rescue may take shrinks with its
   * state where that lies beside the database, so the plan of one lets it grow as its run would.
   */
  #isMeasured(isDetached: boolean): boolean {
    const { fileSystem, indexDirectory, keepsPlanState = false, request } = this.#parts;
    if (keepsPlanState || !request.rescue) return keepsPlanState;
    const { directory } = this.placeOf(isDetached);
    return sharesVolume(fileSystem, directory, [request.dataDirectory, indexDirectory]);
  }

  get #bound(): MemoryBound {
    const openFile = () => this.#openFile(this.#newScratchPath(), { isThrownAway: true });
    return { bytes: LARGEST_IN_MEMORY_BYTES, openFile };
  }

  #openFile(path: string, { isThrownAway }: { isThrownAway: boolean }): StateStore {
    const { request } = this.#parts;
    const pageSizeBytes = pageSizeBytesOf(request.pageSize);
    return StateStore.open({
      path,
      isThrownAway,
      ...(pageSizeBytes === undefined ? {} : { pageSizeBytes }),
      ...(request.cacheSizeBytes === undefined ? {} : { cacheSizeBytes: request.cacheSizeBytes })
    });
  }

  #use(store: StateStorage): ScavengeState {
    const { request, hasher, trace } = this.#parts;
    this.#opened = new ScavengeState({
      store,
      hasher,
      ...(request.hashUsersCacheCapacity === undefined
        ? {}
        : { hashUsersCacheCapacity: request.hashUsersCacheCapacity }),
      ...(trace ? { trace } : {})
    });
    return this.#opened;
  }

  #newScratchPath(): string {
    const { fileSystem, request, newGuid } = this.#parts;
    if (request.scratchDirectory === undefined) {
      throw invalidRequest('A plan needs a scratch directory for its state.', 'scratchDirectory');
    }
    fileSystem.makeDirectory(request.scratchDirectory);
    const path = fileSystem.join(request.scratchDirectory, `${newGuid()}.plan.db`);
    this.#scratchPaths.push(path);
    return path;
  }

  /** The state that a detached run would resume. Without a home there can be none. */
  #resumablePath(): string | undefined {
    const { fileSystem, request } = this.#parts;
    const home = request.rescue?.stateDirectory ?? request.winnowHome;
    if (home === undefined || request.startAfresh) return undefined;
    return statePathOf(fileSystem, this.#detachedDirectory());
  }

  /** Where a run would have its state, and the directory on whose volume that is. */
  placeOf(isDetached: boolean): { path: string; directory: string } {
    const directory = isDetached ? this.#detachedDirectory() : this.#directory;
    return { path: statePathOf(this.#parts.fileSystem, directory), directory };
  }

  #detachedDirectory(): string {
    const { fileSystem, request } = this.#parts;
    const home = request.rescue?.stateDirectory ?? request.winnowHome;
    if (home === undefined) {
      throw invalidRequest(
        'A detached scavenge needs a place for its state outside the database.',
        'winnowHome'
      );
    }
    return detachedStateDirectory(fileSystem, home, request.dataDirectory);
  }
}

/** Where detached scavenges of a database keep their state until they have ended. */
export function detachedStateDirectory(fileSystem: FileSystem, home: string, dataDirectory: string): string {
  const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);
  return fileSystem.join(home, 'detached-scavenges', name);
}
