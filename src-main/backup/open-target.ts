/** Opens the target that a person named: a directory on this machine. Closing ends the threads that were started. */
import path from 'node:path';
import {
  decodePlain,
  invalidRequest,
  LocalBackupTarget,
  type BackupTarget,
  type DecodeFile,
  type FileEncoding,
  type FileSystem
} from '../../src-core/index.ts';
import { startCopyThreads } from './copy-threads.ts';
import { nodeLinks } from './node-links.ts';

export interface OpenTarget {
  target: BackupTarget;
  /** How files are stored; undefined for plain ones. */
  encoding: FileEncoding | undefined;
  decode: DecodeFile;
  close(): Promise<void>;
}

export interface TargetRequest {
  /** A directory. */
  location: string;
  fileSystem: FileSystem;
  /** Files copied at once; 1 copies in the calling thread. */
  threads: number;
  /** True for commands that read: the directory must be there. */
  mustExist: boolean;
}

export async function openTarget({
  location,
  fileSystem,
  threads,
  mustExist
}: TargetRequest): Promise<OpenTarget> {
  const directory = path.resolve(location);
  const facts = fileSystem.describe(directory);
  if ((!facts && mustExist) || (facts && !facts.isDirectory)) {
    throw invalidRequest(
      facts ? `${directory} is a file, not a directory of backups.` : `There is no directory ${directory}.`,
      'DIR',
      'Name the directory that backups are kept in.'
    );
  }
  const copier = threads > 1 ? startCopyThreads(threads) : undefined;
  const target = new LocalBackupTarget({
    fileSystem,
    directory,
    links: nodeLinks,
    copier,
    parallelFiles: threads
  });
  return {
    target,
    encoding: undefined,
    decode: decodePlain,
    close: async () => copier?.close()
  };
}

/** `DIR@ID` as its two parts. */
export function splitBackupName(name: string): { location: string; id: string | undefined } {
  const match = /^(.+)@(\d{8}T\d{6}Z-[0-9a-f]{4})$/.exec(name);
  return match ? { location: match[1]!, id: match[2] } : { location: name, id: undefined };
}
