/**
 * Notices that a database was exchanged below somebody who reads it: by a restore, or by the undo of a scavenge. What
 * was read is then partly of one database and partly of another, and where the two do not fit that is no damage.
 */
import path from 'node:path';
import {
  decodeChunkFileName,
  EngineError,
  KEPT_DIRECTORY,
  KEPT_LOCK,
  RESTORE_LOCK,
  RESTORE_MARKER,
  UNDO_MARKER,
  type FileSystem,
  namesIn
} from '../../../src-core/index.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';

/** Replaced by a restore; a running server, a scavenge and a repair write into it. */
const WRITER = 'writer.chk';
/**
 * Work that exchanges files: each step of it replaces its marker, and a lock of its own, which no server takes, is held
 * while it is done.
 */
const EXCHANGES = [
  { marker: RESTORE_MARKER, lock: RESTORE_LOCK },
  { marker: UNDO_MARKER, lock: path.join(KEPT_DIRECTORY, KEPT_LOCK) }
];
/** What the mixture of two databases may be taken for. */
const SEEN_AS = new Set([
  'LogCorrupt',
  'IndexCorrupt',
  'DatabaseNotFound',
  'UnsupportedFormat',
  'StorageFailed'
]);

const EXCHANGED = 'changedWhileRead';

/** An error of a watch: what was read is of two databases. */
export function isExchange(error: unknown): boolean {
  return error instanceof EngineError && error.details['reason'] === EXCHANGED;
}

export class ExchangeWatch {
  readonly #fileSystem: FileSystem;
  readonly #dataDirectory: string;
  readonly #indexDirectory: string;
  readonly #places: string;
  readonly #markers: string;
  readonly #present: string;
  readonly #versions: ReadonlyMap<number, number>;

  /** Begin it before the first file is read. */
  constructor(fileSystem: FileSystem, { dataDirectory, indexDirectory }: DatabaseLocation) {
    this.#fileSystem = fileSystem;
    this.#dataDirectory = path.resolve(dataDirectory);
    this.#indexDirectory = path.resolve(indexDirectory ?? path.join(dataDirectory, 'index'));
    this.#places = this.#identityOfPlaces();
    this.#markers = this.#identityOfMarkers();
    this.#present = this.#presentMarkers();
    this.#versions = this.#chunkVersions();
  }

  /**
   * For an answer that is complete. One that tells of a fault is asked strictly, any other as mildly as volumes need.
   */
  requireOneDatabase({ tellsFault }: { tellsFault: boolean }): void {
    if (tellsFault) this.requireStill();
    else this.#requireNoExchange();
  }

  /**
   * For a verdict, and for a fault: throws DatabaseInUse where the database that was opened is another one now, or where a
   * restore or an undo has begun, gone on or ended meanwhile. Not for other answers: some shared volumes number their files
   * differently from one look to the next, and those volumes are to be looked at too.
   */
  requireStill(): void {
    const isSame = this.#identityOfPlaces() === this.#places && this.#identityOfMarkers() === this.#markers;
    if (!isSame || this.#hasOlderChunks() || this.#isBeingExchanged()) throw this.#changed();
  }

  /** Throws DatabaseInUse only for what no volume can make up: such work has begun or ended meanwhile, or chunks got older. */
  #requireNoExchange(): void {
    if (this.#presentMarkers() !== this.#present || this.#hasOlderChunks() || this.#isBeingExchanged())
      throw this.#changed();
  }

  /** The work of a marker goes on at this moment. A server that holds the directory instead found it unfinished. */
  #isBeingExchanged(): boolean {
    return EXCHANGES.some(
      ({ marker, lock }) =>
        this.#hasFile(marker) &&
        this.#hasFile(lock) &&
        this.#fileSystem.lockHolder(path.join(this.#dataDirectory, lock)) !== undefined
    );
  }

  /**
   * An undo that began and ended meanwhile leaves no marker, but chunks of lower versions than before, or parts of what was
   * merged. A server and a scavenge only raise them.
   */
  #hasOlderChunks(): boolean {
    let newest = -1;
    for (const number of this.#versions.keys()) newest = Math.max(newest, number);
    for (const [number, version] of this.#chunkVersions()) {
      const before = this.#versions.get(number);
      if (before === undefined ? number < newest : version < before) return true;
    }
    return false;
  }

  /** The highest version of each chunk number that has a file. */
  #chunkVersions(): Map<number, number> {
    const versions = new Map<number, number>();
    // A file that was named in place of a directory: what opens it says so.
    if (this.#fileSystem.describe(this.#dataDirectory)?.isDirectory !== true) return versions;
    for (const name of namesIn(this.#fileSystem, this.#dataDirectory)) {
      const chunk = decodeChunkFileName(name);
      if (!chunk) continue;
      const { chunkNumber, fileVersion } = chunk;
      versions.set(chunkNumber, Math.max(fileVersion, versions.get(chunkNumber) ?? 0));
    }
    return versions;
  }

  /** What is to be told of a fault: the exchange, where it may be the reason. */
  faultOf(error: unknown): unknown {
    if (!(error instanceof EngineError) || !SEEN_AS.has(error.code)) return error;
    try {
      this.requireStill();
      return error;
    } catch (exchange) {
      return exchange;
    }
  }

  /** The same for work that only looks so far, and which opens each file that it has listed once. */
  faultAtStart(error: unknown): unknown {
    return error instanceof EngineError && this.#isGone(error) ? this.#changed() : this.faultOf(error);
  }

  /** A file of the database was there when its directory was listed, and is not any more; what removed it may have ended by now. */
  #isGone({ details: { osCode, file } }: EngineError): boolean {
    if (osCode !== 'ENOENT' || typeof file !== 'string') return false;
    const directory = path.dirname(file);
    if (directory !== this.#dataDirectory && directory !== this.#indexDirectory) return false;
    if (!this.#fileSystem.describe(path.join(this.#dataDirectory, WRITER))) return false;
    const names = this.#fileSystem.list(directory);
    return names !== undefined && !names.some(({ name }) => name === path.basename(file));
  }

  #identityOfPlaces(): string {
    const writer = path.join(this.#dataDirectory, WRITER);
    return this.#identityOf([this.#dataDirectory, this.#indexDirectory, writer]);
  }

  #identityOfMarkers(): string {
    return this.#identityOf(EXCHANGES.map(({ marker }) => path.join(this.#dataDirectory, marker)));
  }

  #presentMarkers(): string {
    const present = EXCHANGES.filter(({ marker }) => this.#hasFile(marker));
    return present.map(({ marker }) => marker).join(' ');
  }

  #hasFile(name: string): boolean {
    return this.#fileSystem.describe(path.join(this.#dataDirectory, name)) !== undefined;
  }

  #identityOf(paths: readonly string[]): string {
    const facts = paths.map((one) => this.#fileSystem.describe(one));
    return facts.map((one) => (one ? `${one.device}/${one.inode}` : '-')).join(' ');
  }

  #changed(): EngineError {
    return new EngineError({
      code: 'DatabaseInUse',
      message: `${this.#dataDirectory} was exchanged while it was read, by a restore or by the undo of a scavenge.`,
      remedy: 'Wait until that has ended, and ask again.',
      details: { file: this.#dataDirectory, reason: EXCHANGED }
    });
  }
}
