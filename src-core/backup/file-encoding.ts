/**
 * How a file of a backup is stored: plain, compressed, encrypted. An encoding is a pair of streams; who makes a
 * backup gives one, who reads it gives what decodes the names that the manifest holds. Plain needs neither.
 */
import { EngineError, logCorrupt } from '../errors.ts';
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

/**
 * The plain bytes of one file of a backup, never more than the manifest says: a few compressed bytes may stand for
 * more than any disk holds. Throws LogCorrupt if it continues, and where more is stored than the manifest says.
 * Otherwise checks nothing: see verify-backup.ts and hashing readers. `onStored` sees the stored bytes.
 */
export async function* readBackupFile(
  target: BackupTarget,
  file: ManifestFile,
  decode: DecodeFile = decodePlain,
  onStored: (block: Uint8Array) => void = () => undefined
): AsyncIterable<Uint8Array> {
  const tapped = async function* (): AsyncIterable<Uint8Array> {
    for await (const block of bounded(target.read(file.object), file.storedBytes, file)) {
      onStored(block);
      yield block;
    }
  };
  yield* bounded(decode(tapped(), file), file.bytes, file);
}

async function* bounded(
  blocks: AsyncIterable<Uint8Array>,
  most: number,
  { object }: ManifestFile
): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const block of blocks) {
    bytes += block.length;
    if (bytes > most) {
      throw logCorrupt(
        `${object} continues after byte ${most}, where it ends according to the manifest.`,
        { file: object },
        'Use another backup of this catalogue; "winnow backup verify" names those that are whole.'
      );
    }
    yield block;
  }
}
