/**
 * How many bytes a rescue may still take. The room is what was free when it began, less a reserve, and grows with
 * every byte that is freed; a limit of the user's own counts from what the database took at the start. Both shrink
 * with the stored state where that lies on the same volume.
 *
 * Counted rather than asked of the disk, so that a plan has the same room as its run. A run looks at the disk too and
 * takes the smaller number: others may fill it meanwhile. Never decides what is done with the room.
 */
import type { Database } from '../../database/database.ts';
import { EngineError } from '../../errors.ts';
import { sizeOfAll } from '../../storage/file-size.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { STATE_SHARE } from '../required-space.ts';

export interface RescueLimits {
  /** Bytes that the run may take beyond what was taken when it began; what is free when absent. */
  scratchBytes?: number | undefined;
  /** Bytes that stay free on the volume whatever happens. */
  reserveBytes: number;
  /** Where the state of a detached run lies; default: with our own data. */
  stateDirectory?: string | undefined;
}

export interface RescueBudgetParts {
  /** The one that measures: a plan's changes are not in it. */
  fileSystem: FileSystem;
  dataDirectory: string;
  indexDirectory: string;
  limits: RescueLimits;
  isPlan: boolean;
  /** Bytes of files that are removed before the work begins; still there when this is made. */
  sweptBytes: number;
}

/** The state of the run, and the directory that decides on which volume it lies. */
export interface WatchedState {
  path: string;
  directory: string;
  /** Bytes that were there when the run began. */
  bytesBefore: number;
}

/** A transaction is written twice: into the journal and from there into the file. */
const JOURNAL_FACTOR = 2;
/** Pages of an empty state and of its journal. */
const LEAST_STATE_GROWTH_BYTES = 512 * 1024;

const STATE_FINDS_NO_ROOM = 'stateFindsNoRoom';

interface Volume {
  directory: string;
  device: number | undefined;
  freeBytesAtStart: number;
  freedBytes: number;
}

export class RescueBudget {
  readonly #parts: RescueBudgetParts;
  readonly #data: Volume;
  readonly #index: Volume;
  #state: WatchedState | undefined;
  #peakBytes = 0;
  #freedBytes = 0;

  constructor(parts: RescueBudgetParts) {
    this.#parts = parts;
    const { dataDirectory, indexDirectory, sweptBytes } = parts;
    this.#data = this.#volumeOf(dataDirectory);
    this.#data.freeBytesAtStart += sweptBytes;
    const index = this.#volumeOf(indexDirectory);
    this.#index = index.device === this.#data.device ? this.#data : index;
  }

  /** Counts the growth of this state from now on. */
  watch(state: WatchedState): void {
    this.#state = state;
  }

  /** Most bytes that new files took at once, without the state: of a plan the same as of its run. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** File bytes freed so far, on all volumes. */
  get freedBytes(): number {
    return this.#freedBytes;
  }

  /** Room for a new chunk. */
  get chunkRoom(): number {
    return this.#room(this.#data);
  }

  /** Room for a new index table and its filter. */
  get tableRoom(): number {
    return this.#room(this.#index);
  }

  /** A chunk was replaced. */
  replacedChunk({ bytesBefore, bytesAfter }: { bytesBefore: number; bytesAfter: number }): void {
    this.#replaced(this.#data, bytesBefore, bytesAfter);
  }

  /** A table was replaced, or is as it was; `besideBytes` is its filter, which stays as large. */
  replacedTable(table: { bytesBefore: number; bytesAfter: number; besideBytes: number }): void {
    const { bytesBefore, bytesAfter, besideBytes } = table;
    this.#replaced(this.#index, bytesBefore + besideBytes, bytesAfter + besideBytes);
  }

  /**
   * Throws StorageFailed when the state of a run may not grow by what one more chunk of the log could add to it.
   * Asked before each transaction, so that the room is never exceeded in the middle of one.
   */
  requireStateRoom(chunkSizeBytes: number): void {
    const volume = this.#volumeOfState();
    if (!volume || !this.#state) return;
    const needed = Math.max(
      LEAST_STATE_GROWTH_BYTES,
      Math.ceil(JOURNAL_FACTOR * STATE_SHARE * chunkSizeBytes)
    );
    const room = this.#room(volume);
    if (room >= needed) return;
    throw new EngineError({
      code: 'StorageFailed',
      message:
        `The state of this rescue in ${this.#state.directory} may need ${needed} bytes more to continue; ` +
        `${Math.max(room, 0)} are left of its limit. No chunk was changed.`,
      remedy:
        'Name a directory on another volume with "--scratch-directory", or allow more with "--scratch" and "--reserve".',
      details: {
        file: this.#state.directory,
        neededBytes: needed,
        freeBytes: Math.max(room, 0),
        osCode: 'ENOSPC',
        reason: STATE_FINDS_NO_ROOM
      }
    });
  }

  #replaced(volume: Volume, bytesBefore: number, bytesAfter: number): void {
    this.#peakBytes = Math.max(this.#peakBytes, bytesAfter);
    volume.freedBytes += bytesBefore - bytesAfter;
    this.#freedBytes += bytesBefore - bytesAfter;
  }

  #room(volume: Volume): number {
    const { limits, isPlan, fileSystem } = this.#parts;
    const own = volume.freedBytes - (this.#volumeOfState() === volume ? this.#stateGrowth() : 0);
    const counted = Math.min(
      volume.freeBytesAtStart - limits.reserveBytes + own,
      (limits.scratchBytes ?? Infinity) + own
    );
    if (isPlan) return counted;
    return Math.min(counted, fileSystem.freeBytes(volume.directory) - limits.reserveBytes);
  }

  #stateGrowth(): number {
    if (!this.#state) return 0;
    return Math.max(0, stateBytesAt(this.#parts.fileSystem, this.#state.path) - this.#state.bytesBefore);
  }

  /** undefined when it takes nothing from the database's volumes. */
  #volumeOfState(): Volume | undefined {
    if (!this.#state) return undefined;
    const device = deviceOf(this.#parts.fileSystem, this.#state.directory);
    return [this.#data, this.#index].find((volume) => volume.device === device);
  }

  #volumeOf(directory: string): Volume {
    const { fileSystem } = this.#parts;
    const there = nearest(fileSystem, directory);
    return {
      directory: there,
      device: fileSystem.describe(there)?.device,
      freeBytesAtStart: fileSystem.freeBytes(there),
      freedBytes: 0
    };
  }
}

/** The room of a run that is a rescue; asked before anything is removed. */
export function budgetOf(
  limits: RescueLimits | undefined,
  { fileSystem, dataDirectory, indexDirectory, chunkSet }: Database,
  { isPlan }: { isPlan: boolean }
): RescueBudget | undefined {
  if (!limits) return undefined;
  const swept = [...chunkSet.superseded, ...chunkSet.leftovers].map(({ file }) =>
    fileSystem.join(dataDirectory, file)
  );
  const sweptBytes = sizeOfAll(fileSystem, swept);
  return new RescueBudget({ fileSystem, dataDirectory, indexDirectory, limits, isPlan, sweptBytes });
}

/** The state found no room before any chunk was changed: on a full disk it had better not stay. */
export function isInTheWay(error: unknown): boolean {
  return error instanceof EngineError && error.details['reason'] === STATE_FINDS_NO_ROOM;
}

/** Bytes of a state and of its journal. */
export function stateBytesAt(fileSystem: FileSystem, path: string): number {
  return sizeOfAll(fileSystem, [path, `${path}-wal`, `${path}-shm`]);
}

/** What lies in the directory, or will, takes from the same room as these. Where nobody can tell, it does. */
export function sharesVolume(fileSystem: FileSystem, directory: string, others: readonly string[]): boolean {
  const device = deviceOf(fileSystem, directory);
  return others.some((other) => deviceOf(fileSystem, other) === device);
}

function deviceOf(fileSystem: FileSystem, directory: string): number | undefined {
  return fileSystem.describe(nearest(fileSystem, directory))?.device;
}

/** The directory, or the nearest one above it that is there. */
function nearest(fileSystem: FileSystem, directory: string): string {
  let at = directory;
  while (!fileSystem.describe(at)) {
    const above = fileSystem.join(at, '..');
    if (above === at) break;
    at = above;
  }
  return at;
}
