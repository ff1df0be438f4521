/** How operations open the target of a request, and how a manifest becomes a row for people. */
import os from 'node:os';
import {
  describeSignature,
  plainBytes,
  readCheckResults,
  type BackupTarget,
  type Manifest
} from '../../../src-core/index.ts';
import { openTarget, type OpenTarget, type TargetAccess } from '../../backup/open-target.ts';
import type { OperationContext } from '../operation.ts';
import type { BackupRow } from '../../contract/operations/backup-reports.ts';

/** More threads than this only compete for the disk. */
const DEFAULT_THREADS = Math.min(4, os.availableParallelism());

export async function withTarget<T>(
  request: TargetAccess & {
    target: string;
    threads?: number | undefined;
    mustExist: boolean;
    compress?: boolean | undefined;
    recipient?: string | undefined;
    signs?: boolean | undefined;
  },
  context: OperationContext,
  work: (open: OpenTarget, threads: number) => Promise<T>
): Promise<T> {
  const threads = request.threads ?? DEFAULT_THREADS;
  const open = await openTarget({
    location: request.target,
    fileSystem: context.fileSystem,
    threads: request.mustExist ? 1 : threads,
    mustExist: request.mustExist,
    compress: request.compress,
    recipient: request.recipient,
    keyFile: request.keyFile,
    password: request.password,
    s3Endpoint: request.s3Endpoint,
    signKey: request.signKey,
    verifyKeys: request.verifyKeys,
    signs: request.signs
  });
  try {
    return await work(open, threads);
  } finally {
    await open.close();
  }
}

export async function backupRowOf(target: BackupTarget, manifest: Manifest): Promise<BackupRow> {
  const signature = await describeSignature(target, manifest.id);
  const { verified, rehearsed } = await readCheckResults(target, manifest.id);
  const { address, dataDirectory, role, serverVersion } = manifest.node;
  return {
    id: manifest.id,
    mode: manifest.mode,
    startedAt: manifest.startedAt,
    endedAt: manifest.endedAt,
    basedOn: manifest.basedOn,
    node: { address, dataDirectory, role, serverVersion, databaseTag: manifest.databaseTag },
    writer: manifest.checkpoints.writer,
    chaser: manifest.checkpoints.chaser,
    chunkCount: manifest.files.filter((file) => file.chunk !== null).length,
    fileCount: manifest.files.length,
    bytes: plainBytes(manifest),
    bytesCopied: manifest.bytesCopied,
    verified,
    rehearsed,
    encodings: [...new Set(manifest.files.flatMap(({ encodings }) => encodings))].sort(),
    rewrites: manifest.rewrite
      ? { of: manifest.rewrite.of, at: manifest.rewrite.at, work: manifest.rewrite.work }
      : null,
    ...(signature ? { signature } : {}),
    notes: manifest.notes
  };
}
