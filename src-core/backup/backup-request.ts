/** What the caller of a backup provides: the request, and the environment that carries it out. */
import type { OperationControl } from '../database/operation-control.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { BackupTarget } from './backup-target.ts';
import type { BackupEncodings } from './file-encoding.ts';
import type { NodeFacts } from './node-facts.ts';

export interface BackupRequest {
  dataDirectory: string;
  indexDirectory: string;
  /** `auto`: differential where the target holds a backup of this node to build on, else full. */
  mode: 'full' | 'differential' | 'auto' | 'snapshot';
  threads: number;
  /** 0: without a limit. */
  bytesPerSecond: number;
  /** It is the same node, although address or directory have changed. */
  isMoved: boolean;
}

export interface BackupEnvironment {
  fileSystem: FileSystem;
  target: BackupTarget;
  operation: OperationControl;
  now: () => bigint;
  newGuid: () => string;
  toolVersion: string;
  /** How files are stored; plain without them. */
  encodings?: BackupEncodings | undefined;
  /** Asks the running node; absent when no address was given. Asked before and after the copy. */
  askNode?: (() => Promise<NodeFacts>) | undefined;
  /** Throws when a scavenge that rests for this backup has not rested throughout. Asked after the copy. */
  requireRest?: (() => void) | undefined;
  /** For a plan: a scavenge that runs now will rest during the backup. */
  willStopScavenge?: boolean | undefined;
  wait: (ms: number) => Promise<void>;
  /** How long a missing index map of a running source is waited for. */
  mapLimitMs?: number | undefined;
}
