/**
 * Where rewritten and merged chunks go. One of two implementations writes files and switches them in, the other
 * only measures: a plan is the same run with the second.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { UnsealedChunk } from '../../chunks/unsealed-chunk.ts';
import type { DigestImage } from '../../digest/chunk-digest.ts';
import type { ChunkDigests } from '../../digest/chunk-digests.ts';
import type { LogReader } from '../../log/log-reader.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { Judging } from '../decisions/judge-records.ts';
import type { PreparedRewrite } from './prepare-rewrite.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengedChunk } from './scavenged-chunk.ts';

export interface ChunkOutput {
  /** Format version of new files. */
  readonly formatVersion: number;
  /** These will be prepared, in about this order, and so many new files made of them. */
  expect(chunks: readonly ScavengedChunk[], newFiles: number): void;
  /** Judges the records of a chunk and copies those that stay, unless the new file is larger than `largestBytes`. */
  prepare(chunk: ScavengedChunk, judging: Judging, largestBytes: number): Promise<PreparedRewrite>;
  /** Copies the records of all members, in their place, to one new file. */
  prepareMerge(members: readonly ScavengedChunk[]): Promise<PreparedMerge>;
  /** Another file may be written while so many are sealed. */
  mayWriteMore(sealedBehind: number): boolean;
  /** Somebody waits for what is being sealed, or nobody does any more. */
  awaitSeals(isAwaited: boolean): void;
  /**
   * Resolves once what was prepared is complete, on the disk, and made from sound files; removes it when it cannot be. To be
   * awaited before it is switched in.
   */
  seal(prepared: NewFile): Promise<void>;
  /** Replaces the chunk by what was prepared. */
  switchIn(chunk: ScavengedChunk, prepared: PreparedRewrite): ScavengedChunk;
  /** Replaces the members. */
  switchInMerged(members: readonly ScavengedChunk[], prepared: PreparedMerge): ScavengedChunk;
  /** Gives up what was prepared. */
  abandon(prepared: NewFile): void;
  /** Nothing is read or written any more. */
  close(): Promise<void>;
  /** The chunk of this position counts as rewritten, but its discarded records are still in the log. */
  isOnlyMeasured(position: number): boolean;
}

/** What is not in its place yet. */
export interface NewFile {
  temporaryPath: string;
  /** It lacks its hash. */
  unsealed?: UnsealedChunk | undefined;
  /** Of the new file, where it is wanted. */
  digest?: DigestImage | undefined;
}

export interface PreparedMerge extends NewFile {
  /** What it would be, where nothing is written. */
  measured?: ScavengedChunk | undefined;
}

export interface ChunkOutputParts {
  fileSystem: FileSystem;
  directory: string;
  log: LogReader;
  control: RunControl;
  newGuid: () => string;
  /** Replace a chunk even if the new file is not smaller. */
  alwaysKeepScavenged: boolean;
  /** Where new chunks get a digest in place of those they replace. */
  digests?: ChunkDigests | undefined;
}

/** The newest format version among the chunks: new files are never newer than what the database uses already. */
export function newestFormatVersion(chunks: readonly Chunk[]): number {
  return chunks.reduce((newest, chunk) => Math.max(newest, chunk.header.version), 2);
}
