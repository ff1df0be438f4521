/**
 * How a file of a backup is stored: plain, compressed, encrypted. An encoding is a pair of streams; who makes a
 * backup gives one, who reads it gives what decodes the names that the manifest holds. Plain needs neither.
 */
import { EngineError } from '../errors.ts';
import type { BackupTarget } from './backup-target.ts';
import type { ManifestChunk, ManifestFile } from './manifest.ts';

export interface FileEncoding {
  /** As the manifest names it, first applied first: `['zstd', 'age:age1…']`. */
  readonly names: readonly string[];
  /** Behind the object's name, as `.zst.age`. */
  readonly suffix: string;
  readonly encode: (plain: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

/** Compression is for completed chunks, which are large and never change; encryption for every file. */
export interface BackupEncodings {
  readonly completedChunks: FileEncoding | undefined;
  readonly others: FileEncoding | undefined;
}

/** The encoding of one file; undefined for a plain one. */
export function encodingFor(
  { chunk }: { chunk: Pick<ManifestChunk, 'isCompleted'> | null },
  encodings: BackupEncodings | undefined
): FileEncoding | undefined {
  return chunk?.isCompleted === true ? encodings?.completedChunks : encodings?.others;
}

/** Stored exactly as a backup with these encodings would store it: only then is it shared with one. */
export function isStoredAs(
  file: Pick<ManifestFile, 'chunk' | 'encodings'>,
  encodings: BackupEncodings | undefined
): boolean {
  return file.encodings.join() === (encodingFor(file, encodings)?.names ?? []).join();
}

/** Turns stored bytes into plain ones; throws a clear error for an encoding it does not know or has no key for. */
export type DecodeFile = (
  stored: AsyncIterable<Uint8Array>,
  file: Pick<ManifestFile, 'object' | 'encodings'>
) => AsyncIterable<Uint8Array>;

/** For those who know plain files only. */
export const decodePlain: DecodeFile = (stored, file) => {
  if (file.encodings.length === 0) return stored;
  throw new EngineError({
    code: 'UnsupportedFormat',
    message: `${file.object} is stored as ${file.encodings.join(', ')}, which cannot be read here.`,
    remedy: 'Give the key of this backup, or use a newer workbench. Nothing was changed.',
    details: { file: file.object }
  });
};

/** The plain bytes of one file of a backup. Checks nothing: see verify-backup.ts and hashing readers. */
export function readBackupFile(
  target: BackupTarget,
  file: ManifestFile,
  decode: DecodeFile = decodePlain
): AsyncIterable<Uint8Array> {
  return decode(target.read(file.object), file);
}
