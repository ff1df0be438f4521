/**
 * The port through which backups are kept: a local directory (local-target.ts) or an object store. Names are
 * relative, with `/` between their parts, as `20261121T050000Z-4f2a/data/chunk-000000.000000`. Asynchronous,
 * because a store may be far away.
 *
 * Invariants: an object appears whole under its name or not at all; nothing is ever written through a link; every
 * failure is an EngineError of the family StorageFailed that names the target and the object; `description` and
 * messages hold no secrets.
 */
import { EngineError, osCodeOf } from '../errors.ts';
import type { BackupTrust } from './backup-trust.ts';

export interface ObjectFacts {
  name: string;
  /** Bytes. */
  size: number;
}

export interface ByteRange {
  offset?: number;
  length?: number;
}

/** A file of the source, to be brought into the target as one object. */
export interface FileCopyOrder {
  /** Path in the source's file system. */
  sourcePath: string;
  /** Name of the object. */
  name: string;
  /** Size of the object. */
  bytes: number;
  /** Bytes taken from the source; zeros follow up to `bytes`. */
  sourceBytes: number;
  /** Of one file; 0 is without a limit. */
  bytesPerSecond: number;
}

export interface CopiedFile {
  /** SHA-256 of the object, lower-case hex digits. */
  sha256: string;
}

export interface CopyCallbacks {
  signal: AbortSignal | undefined;
  /** Hears of bytes that were copied since it was last told. */
  onBytes: (count: number) => void;
}

export interface BackupTarget {
  /** For messages, as a person would name it. Never holds a secret. */
  readonly description: string;
  /** Names right below the target that hold objects: the ids of backups, finished or not, and what else lies there. */
  folders(): Promise<string[]>;
  /** All objects whose name begins with `prefix`, sorted by name. */
  list(prefix: string): Promise<ObjectFacts[]>;
  /** undefined if the object does not exist. */
  describe(name: string): Promise<ObjectFacts | undefined>;
  /** The bytes of an object, or of a range of it (which ends at the end of the object at the latest). */
  read(name: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Replaces the object if there is one. It is whole and durable when this resolves. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** A missing object is not an error. */
  remove(name: string): Promise<void>;
  /**
   * A second name for the same bytes (a hard link). False where the target has none: a manifest then names the
   * earlier object. `to` must not exist. Durable, at the latest, before the next `write` is.
   */
  link(from: string, to: string): Promise<boolean>;
  /** undefined where the target cannot tell, or has no end. */
  freeBytes(): Promise<number | undefined>;
  /**
   * Brings a file in faster than read and write could: on other threads, as a clone. Present only where the target
   * has such a way; the object is whole and durable when this resolves, as with `write`.
   */
  copyFile?(order: FileCopyOrder, callbacks: CopyCallbacks): Promise<CopiedFile>;
  /** How many files at once make sense. */
  readonly parallelFiles: number;
  /** Objects that are removed at once, where each removal is a question over a network; one after the other without. */
  readonly parallelRemovals?: number | undefined;
  /** Keys that sign and prove its backups; undefined: signatures are neither made nor compared. */
  trust?: BackupTrust | undefined;
  /**
   * Keeps other writers out until the returned function is called; DatabaseInUse when there is one. Absent where
   * the target has no such thing.
   */
  lock?(): Promise<() => Promise<void>>;
}

/** The target refused: which one, which object, and what to do. */
export function targetFailed(parts: {
  target: string;
  object: string;
  what: string;
  reason: string;
  remedy?: string;
  cause?: unknown;
}): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `Could not ${parts.what} ${parts.object} in the backup target ${parts.target}: ${parts.reason}`,
    remedy:
      parts.remedy ??
      'Check the target (space, permissions, connection), then run the same command again; it resumes.',
    details: { target: parts.target, file: parts.object, osCode: osCodeOf(parts.cause) },
    cause: parts.cause
  });
}

/** The whole of a small object. Undefined when it is missing. `limit` bounds what a wrong file may cost. */
export async function readWholeObject(
  target: BackupTarget,
  name: string,
  limit: number
): Promise<Uint8Array | undefined> {
  const facts = await target.describe(name);
  if (!facts) return undefined;
  const refuseBeyondLimit = (bytes: number): void => {
    if (bytes <= limit) return;
    throw targetFailed({
      target: target.description,
      object: name,
      what: 'read',
      reason: `it has ${bytes} bytes; such an object has at most ${limit}.`,
      remedy: 'The object is not what its name says. Remove this backup, or examine it yourself.'
    });
  };
  refuseBeyondLimit(facts.size);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of target.read(name)) {
    // What is said of an object and what comes may differ.
    refuseBeyondLimit((bytes += part.length));
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Bytes in memory as the content of an object. */
export async function* contentOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}
