/**
 * Notices that a database was exchanged below somebody who reads it: by a restore, or by the undo of a scavenge. What
 * was read is then partly of one database and partly of another, and where the two do not fit that is no damage.
 */
import path from 'node:path';
import { EngineError, RESTORE_MARKER, UNDO_MARKER, type FileSystem } from '../../../src-core/index.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';

/** Replaced by a restore; a running server, a scavenge and a repair write into it. */
const WRITER = 'writer.chk';
/** Each step of work that exchanges files replaces its marker. */
const MARKERS = [RESTORE_MARKER, UNDO_MARKER];
/** What the mixture of two databases may be taken for. */
const SEEN_AS = new Set([
  'LogCorrupt',
  'IndexCorrupt',
  'DatabaseNotFound',
  'UnsupportedFormat',
  'StorageFailed'
]);

export class ExchangeWatch {
  readonly #fileSystem: FileSystem;
  readonly #dataDirectory: string;
  readonly #indexDirectory: string;
  readonly #places: string;
  readonly #markers: string;

  /** Begin it before the first file is read. */
  constructor(fileSystem: FileSystem, { dataDirectory, indexDirectory }: DatabaseLocation) {
    this.#fileSystem = fileSystem;
    this.#dataDirectory = path.resolve(dataDirectory);
    this.#indexDirectory = path.resolve(indexDirectory ?? path.join(dataDirectory, 'index'));
    this.#places = this.#identityOfPlaces();
    this.#markers = this.#identityOfMarkers();
  }

  /**
   * For a verdict, and for a fault: throws DatabaseInUse where the database that was opened is another one now, or where a
   * restore or an undo has begun, gone on or ended meanwhile. Not for other answers: some shared volumes number their files
   * differently from one look to the next, and those volumes are to be looked at too.
   */
  requireStill(): void {
    const isSame = this.#identityOfPlaces() === this.#places && this.#identityOfMarkers() === this.#markers;
    if (!isSame) throw this.#changed();
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

  #identityOfPlaces(): string {
    const writer = path.join(this.#dataDirectory, WRITER);
    return this.#identityOf([this.#dataDirectory, this.#indexDirectory, writer]);
  }

  #identityOfMarkers(): string {
    return this.#identityOf(MARKERS.map((name) => path.join(this.#dataDirectory, name)));
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
      details: { file: this.#dataDirectory, reason: 'changedWhileRead' }
    });
  }
}
