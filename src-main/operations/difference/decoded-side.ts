/**
 * A backup that cannot be read where it is (compressed, encrypted, in an object store, or with files in the folders of
 * earlier backups) as a side of a comparison: each chunk is decoded into a scratch directory when its turn comes, and
 * removed when it is read, so that no more than one lies there.
 */
import path from 'node:path';
import {
  CHUNK_HEADER_LENGTH,
  Chunk,
  EngineError,
  decodeChunkFileName,
  decodeChunkHeader,
  readBackupFile,
  type BackupTarget,
  type DecodeFile,
  type DifferenceSide,
  type Manifest,
  type ManifestFile,
  type OpenedChunk,
  type SideChunk
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import { chunkOfFile } from '../chunks/chunk-of-file.ts';

export interface DecodedBackup {
  target: BackupTarget;
  manifest: Manifest;
  decode: DecodeFile;
  description: string;
  /** An empty directory of its own. */
  scratch: string;
}

export function decodedSide(backup: DecodedBackup, context: OperationContext): DifferenceSide {
  const { manifest, description } = backup;
  const files = new Map<SideChunk, ManifestFile>();
  for (const file of manifest.files) {
    if (file.area !== 'data' || file.chunk === null) continue;
    const { start, end, isScavenged, md5 } = file.chunk;
    // What lies after the writer was not log yet when the backup was taken.
    if (start * manifest.chunkSize >= manifest.checkpoints.writer) continue;
    const { name: fileName, bytes: fileSize } = file;
    files.set({ fileName, startNumber: start, endNumber: end, fileSize, isScavenged, md5 }, file);
  }
  const chunks = [...files.keys()].sort((a, b) => a.startNumber - b.startNumber);
  return {
    description,
    chunkSizeBytes: manifest.chunkSize,
    end: manifest.checkpoints.writer,
    chunks,
    open: (chunk) => openDecoded(files.get(chunk)!, backup, context)
  };
}

async function openDecoded(
  file: ManifestFile,
  backup: DecodedBackup,
  context: OperationContext
): Promise<OpenedChunk> {
  const { fileSystem } = context;
  const place = path.join(backup.scratch, file.name);
  fileSystem.remove(place);
  const remove = (): void => fileSystem.remove(place);
  try {
    await decodeInto(place, file, backup, context);
    const chunk = describe(file, backup, context);
    const opened = fileSystem.open(place, 'read');
    return {
      chunk,
      file: opened,
      close: () => {
        opened.close();
        remove();
      }
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function decodeInto(
  place: string,
  file: ManifestFile,
  { target, decode }: DecodedBackup,
  { fileSystem, control }: OperationContext
): Promise<void> {
  const written = fileSystem.open(place, 'createNew');
  try {
    let offset = 0;
    for await (const block of readBackupFile(target, file, decode)) {
      written.write(block, 0, block.length, offset);
      offset += block.length;
      if (control.isDue) await control.breathe();
    }
  } finally {
    written.close();
  }
}

function describe(
  file: ManifestFile,
  { manifest, scratch }: DecodedBackup,
  context: OperationContext
): Chunk {
  const { start, isCompleted } = file.chunk!;
  if (isCompleted) return chunkOfFile(context.fileSystem, scratch, file.name);
  const place = path.join(scratch, file.name);
  const opened = context.fileSystem.open(place, 'read');
  try {
    const bytes = Buffer.alloc(CHUNK_HEADER_LENGTH);
    const header = decodeChunkHeader(bytes.subarray(0, opened.read(bytes, 0, bytes.length, 0)));
    if (typeof header === 'string' || header.startNumber !== start) {
      throw new EngineError({
        code: 'LogCorrupt',
        message: `${file.name} in ${manifest.id} is damaged: its header is not that of chunk ${start}.`,
        remedy: 'Verify the backup ("winnow backup verify"), and compare with another one.',
        details: { file: file.name, offset: 0 }
      });
    }
    return new Chunk({
      fileName: file.name,
      path: place,
      fileVersion: decodeChunkFileName(file.name)?.fileVersion ?? 0,
      fileSize: opened.size(),
      header,
      footer: null,
      isActive: true,
      dataSize: Math.min(manifest.checkpoints.writer - start * manifest.chunkSize, manifest.chunkSize)
    });
  } finally {
    opened.close();
  }
}
