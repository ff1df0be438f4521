/**
 * Opens the target that a person named: a directory on this machine, or a place in an object store. Closing ends the
 * threads and connections that it started.
 */
import path from 'node:path';
import { EngineError, LocalBackupTarget, type BackupTarget, type FileSystem } from '../../src-core/index.ts';
import { readTrust, signingFiles, type SigningFiles } from './signing/signing-keys.ts';
import type { FileEncodings } from './encodings/file-encodings.ts';
import { isRemoteLocation } from '../settings/s3-location.ts';
import { startCopyThreads } from '../threads/copy-threads.ts';
import { nodeLinks } from '../threads/node-links.ts';

export interface OpenTarget extends FileEncodings {
  target: BackupTarget;
  close(): Promise<void>;
}

/** How to reach a target and read its backups. */
export interface TargetAccess extends SigningFiles {
  /** Address of an object store other than Amazon's; else from the environment. */
  s3Endpoint?: string | undefined;
  /** Keys of encrypted backups; a new backup is encrypted with it. */
  keyFile?: string | undefined;
  /** Opens keys that are kept in the target, sealed. For reading only; instead of a key file. */
  password?: string | undefined;
}

export interface TargetRequest extends TargetAccess {
  /** A directory, or `s3://BUCKET/PREFIX`. */
  location: string;
  fileSystem: FileSystem;
  /** Files to copy at once; 1 copies in the calling thread. */
  threads: number;
  /** True for commands that read: the directory must exist. */
  mustExist: boolean;
  /** For commands that read and then write a backup: the secret key is read too. */
  signs?: boolean | undefined;
  /** Completed chunks of a new backup are compressed. */
  compress?: boolean | undefined;
  /** For a new backup: the public key it is encrypted for, where several keys are given. */
  recipient?: string | undefined;
}

export async function openTarget(request: TargetRequest): Promise<OpenTarget> {
  const { keyFile, password, compress = false, mustExist, recipient } = request;
  const trust = readTrust(signingFiles(request, process.env), {
    signs: !mustExist || request.signs === true
  });
  // Loaded here because few commands need them and they are large.
  const { openFileEncodings } = await import('./encodings/file-encodings.ts');
  const open = (keys?: { text: string; from: string }): Promise<FileEncodings> =>
    openFileEncodings({ compress, keyFile, isForWriting: !mustExist, recipient, opened: keys });
  const encodings = password === undefined ? await open() : undefined;
  const opened = isRemoteLocation(request.location) ? await openRemote(request) : openDirectory(request);
  if (trust) opened.target.trust = trust;
  if (encodings) return { ...encodings, ...opened };
  try {
    return { ...(await open(await keysBehind(password!, opened.target))), ...opened };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function keysBehind(password: string, target: BackupTarget): Promise<{ text: string; from: string }> {
  const { openKeysOf } = await import('./encodings/sealed-key.ts');
  return { text: await openKeysOf(target, password), from: target.description };
}

async function openRemote({
  location,
  s3Endpoint,
  threads
}: TargetRequest): Promise<Pick<OpenTarget, 'target' | 'close'>> {
  const { openS3 } = await import('./targets/s3-connection.ts');
  const connection = openS3({
    location,
    endpoint: s3Endpoint,
    parallelFiles: threads,
    environment: process.env
  });
  return { target: connection.target, close: async () => connection.close() };
}

function openDirectory({
  location,
  fileSystem,
  threads,
  mustExist
}: TargetRequest): Pick<OpenTarget, 'target' | 'close'> {
  const directory = path.resolve(location);
  const facts = fileSystem.describe(directory);
  if ((!facts && mustExist) || (facts && !facts.isDirectory)) {
    throw new EngineError({
      code: 'DatabaseNotFound',
      message: facts
        ? `${directory} is a file, not a directory of backups.`
        : `There is no directory ${directory}.`,
      remedy: 'Name the directory with the backups.',
      details: { file: directory }
    });
  }
  const copier = threads > 1 ? startCopyThreads(threads) : undefined;
  const target = new LocalBackupTarget({
    fileSystem,
    directory,
    links: nodeLinks,
    copier,
    parallelFiles: threads
  });
  return { target, close: async () => copier?.close() };
}

/** Splits `DIR@ID`, `DIR#ID` or `s3://BUCKET/PREFIX@ID` into its two parts. */
export function splitBackupName(name: string): { location: string; id: string | undefined } {
  const match = /^(.+)[@#](\d{8}T\d{6}Z-[0-9a-f]{4})$/.exec(name);
  return match ? { location: match[1]!, id: match[2] } : { location: name, id: undefined };
}
