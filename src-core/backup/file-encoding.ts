/**
 * How a file of a backup is stored: plain, compressed, encrypted. An encoding is a pair of streams; who makes a
 * backup gives one, who reads it gives what decodes the names that the manifest holds. Plain needs neither.
 */
import { EngineError } from '../errors.ts';
import type { BackupTarget } from './backup-target.ts';
import type { ManifestFile } from './manifest.ts';

export interface FileEncoding {
  /** As the manifest names it, first applied first: `['zstd', 'aes-256-gcm']`. */
  readonly names: readonly string[];
  /** Behind the object's name, as `.zst.enc`. */
  readonly suffix: string;
  /** `object` is the name under which the bytes are stored (encryption binds the bytes to it). */
  encode(plain: AsyncIterable<Uint8Array>, object: string): AsyncIterable<Uint8Array>;
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
