/**
 * The one list of what a backup copies: a plan counts it, the copying takes its parts from here in their order, and
 * the manifest of a source that nobody changed meanwhile has just these files.
 */
import { INDEX_MAP_NAME } from '../index/index-map.ts';
import type { BackupMode } from './manifest.ts';
import {
  indexFile,
  isTableOrFilterName,
  listChunkFiles,
  listIndexNames,
  listTableFiles,
  readSourceMap,
  type SourceFile,
  type SourcePlace
} from './source-files.ts';

export type CheckpointFile = 'chaser' | 'epoch' | 'proposal' | 'tag' | 'truncate' | 'writer';

/** What the server reads of a checkpoint, and what a backup holds. */
export const CHECKPOINT_BYTES = 8;
const FULL_ORDER: readonly CheckpointFile[] = ['chaser', 'epoch', 'proposal', 'tag', 'truncate', 'writer'];
const DIFFERENTIAL_ORDER: readonly CheckpointFile[] = ['chaser', 'epoch', 'writer', 'proposal', 'tag'];
export const FILTER_CHECKPOINT = /^stream-existence\/[^/]+\.chk$/;
const FILTER_BITS = /^stream-existence\/[^/]+\.dat$/;
const STATE_FOLDER = 'scavenging/';

/** Every file of a backup of this moment. `writer`: the checkpoint. Throws LogCorrupt for a log that is not whole. */
export function listBackupFiles(place: SourcePlace, mode: BackupMode, writer: number): SourceFile[] {
  return [
    ...listIndexFiles(place, mode),
    ...listLogCheckpoints(place, mode),
    ...listChunkFiles(place, writer).files
  ];
}

function listIndexFiles(place: SourcePlace, mode: BackupMode): SourceFile[] {
  const source = readSourceMap(place);
  const map = source && indexFile(place, INDEX_MAP_NAME);
  return [
    ...existing(place, listIndexCheckpoints(place, mode)),
    ...(map ? [map] : []),
    ...(source ? listTableFiles(place, source.map).files : []),
    ...listOtherIndexFiles(place, mode)
  ];
}

/** In the order in which they are copied: those that promise less first. */
export function logCheckpointsOf(mode: BackupMode): readonly CheckpointFile[] {
  return mode === 'differential' ? DIFFERENTIAL_ORDER : FULL_ORDER;
}

function listLogCheckpoints({ fileSystem, dataDirectory }: SourcePlace, mode: BackupMode): SourceFile[] {
  return logCheckpointsOf(mode).flatMap((checkpoint) => {
    const name = `${checkpoint}.chk`;
    const path = fileSystem.join(dataDirectory, name);
    const facts = fileSystem.describe(path);
    if (!facts || facts.isDirectory) return [];
    const bytes = CHECKPOINT_BYTES;
    const file = { area: 'data', name, path, bytes, sourceBytes: bytes } as const;
    return [{ ...file, isImmutable: false, chunk: null, tableMd5: null }];
  });
}

/** Names of the checkpoints of the index directory that a backup of this kind holds. */
export function listIndexCheckpoints(place: SourcePlace, mode: BackupMode): string[] {
  const isWanted = (name: string): boolean =>
    mode === 'differential' ? FILTER_CHECKPOINT.test(name) : name.endsWith('.chk');
  return listIndexNames(place, isWanted);
}

/** Beside checkpoints, map, tables and their filters. */
export function listOtherIndexFiles(place: SourcePlace, mode: BackupMode): SourceFile[] {
  if (mode === 'differential') {
    return existing(
      place,
      listIndexNames(place, (name) => FILTER_BITS.test(name))
    );
  }
  const state = isStateAtRest(place) ? () => true : (name: string) => !name.startsWith(STATE_FOLDER);
  const isOther = (name: string): boolean =>
    name !== INDEX_MAP_NAME && !isTableOrFilterName(name) && !/\.(chk|tmp)$/.test(name) && state(name);
  return existing(place, listIndexNames(place, isOther));
}

/** The scavenge database is a single file only while no process has it open and none was killed with it open. */
function isStateAtRest(place: SourcePlace): boolean {
  return !listIndexNames(place, (name) => name.startsWith(STATE_FOLDER)).some((name) =>
    /-(wal|shm|journal)$/.test(name)
  );
}

function existing(place: SourcePlace, names: readonly string[]): SourceFile[] {
  return names.map((name) => indexFile(place, name)).filter((file) => file !== undefined);
}
