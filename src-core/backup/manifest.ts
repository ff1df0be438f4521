/**
 * The manifest of a backup: what it is a copy of, when and how it was taken, and every file with its size and
 * SHA-256. Written once, as the last object of a backup, and never changed: results of later checks lie in a file
 * beside it. A file's `object` may lie in the folder of an earlier backup, where the target has no hard links.
 *
 * Here: the types and the writer. The strict reader: decode-manifest.ts. Format: docs/format/backup.md.
 */
import type { BackupArea } from './backup-layout.ts';
import { sealDocument } from './manifest-seal.ts';

export const MANIFEST_FORMAT = 'winnow-backup';
export const MANIFEST_VERSION = 1;

/** `snapshot`: a directory that holds a disk snapshot, taken into the catalogue by `adopt`. */
export type BackupMode = 'full' | 'differential' | 'snapshot';

export interface ManifestChunk {
  start: number;
  /** Inclusive, as in names and headers. */
  end: number;
  id: string;
  fileVersion: number;
  formatVersion: number;
  isScavenged: boolean;
  isCompleted: boolean;
  /** From the footer, lower-case hex digits; null while it is not completed. */
  md5: string | null;
}

export interface ManifestFile {
  area: BackupArea;
  /** Relative to the area's directory, with `/`: `stream-existence/streamExistenceFilter.dat`. */
  name: string;
  /** Plain bytes. */
  bytes: number;
  /** Of the plain bytes, lower-case hex digits. */
  sha256: string;
  /** Name in the target; may lie in an earlier backup. */
  object: string;
  /** First applied first; empty for a plain file. */
  encodings: string[];
  storedBytes: number;
  storedSha256: string;
  chunk: ManifestChunk | null;
  /** The hash an index table ends with, lower-case hex digits; null for every other file. */
  tableMd5: string | null;
  /** Id of the backup for which these bytes were copied: the same as that of a file they are shared with. */
  since: string;
}

export interface ManifestMember {
  address: string;
  role: string;
  isAlive: boolean;
  writer: number | null;
}

export interface ManifestNode {
  /** Which files on the disk the checkpoints were (source-identity.ts); an older program did not note it. */
  checkpointFiles?: string | null;
  /** URL of the running node; null when only directories were named. */
  address: string | null;
  dataDirectory: string;
  indexDirectory: string;
  serverVersion: string | null;
  role: string | null;
  /** Members of the cluster as gossip named them; null if no node was asked. */
  cluster: ManifestMember[] | null;
  /** A process had the directory open while it was copied. */
  wasInUse: boolean;
}

export interface ManifestCheckpoints {
  writer: number;
  chaser: number;
  epoch: number | null;
  proposal: number | null;
  /** As the source had it; a backup without the file has null. */
  truncate: number | null;
  /** Commit check point of the index map. */
  index: number | null;
  /** Of the stream existence filter. */
  filter: number | null;
}

export interface ManifestEpoch {
  number: number;
  position: number;
  id: string;
}

export interface ManifestNote {
  code: string;
  message: string;
  remedy: string;
}

/**
 * A point to which a generation of a backup was scavenged and that no log has: of this generation and of those before it. Without it
 * nobody could say later why a record is gone.
 */
export interface DetachedPoint {
  /** Exclusive end of what it could remove. */
  position: number;
  /** As of when ages were judged. ISO 8601. */
  effectiveNow: string;
}

/** Of a backup that was made from another one: what must not be in it any more was removed, or its keys were changed. */
export interface ManifestRewrite {
  /** Id of the generation that it replaces. */
  of: string;
  /** When it was made; `startedAt` and `endedAt` are those of the copy of the node. ISO 8601. */
  at: string;
  /** `rekey`: the same files, encrypted for other keys. */
  work: 'scavenge' | 'redaction' | 'rekey';
  /** What was asked for, as a hash: the same request finds that it was done. */
  question: string;
  /** Of a scavenge: number of the scavenge point, or null for a detached one. */
  scavengePoint: number | null;
  /** Absent where there are none, and in manifests of programs that did not keep them. */
  detachedPoints?: readonly DetachedPoint[];
}

export interface Manifest {
  id: string;
  mode: BackupMode;
  /** The backup that a differential one was seeded from. */
  basedOn: string | null;
  /**
   * One above the highest in the target when this backup was taken: what tells earlier from later whatever the
   * clock says. null in manifests of programs that did not write it.
   */
  generation: number | null;
  toolVersion: string;
  /** ISO 8601 in UTC with seven fraction digits. */
  startedAt: string;
  endedAt: string;
  node: ManifestNode;
  /** tag.chk as decimal digits; null where the server's version has none. */
  databaseTag: string | null;
  checkpoints: ManifestCheckpoints;
  /** The last ten, newest first. */
  epochs: ManifestEpoch[];
  chunkSize: number;
  indexMap: string | null;
  files: ManifestFile[];
  /** Plain bytes that were read from the source for this backup. */
  bytesCopied: number;
  notes: ManifestNote[];
  /** Absent for a copy of a node. */
  rewrite?: ManifestRewrite;
}

export function encodeManifest(manifest: Manifest): Uint8Array {
  const head = { format: MANIFEST_FORMAT, formatVersion: MANIFEST_VERSION, sealed: true } as const;
  return sealDocument({ ...head, ...manifest });
}

/** The detached points of a generation: those of the one that it is made of, and those of its own work. */
export function detachedPointsOf(
  of: Pick<Manifest, 'rewrite'>,
  own: readonly DetachedPoint[] = []
): Pick<ManifestRewrite, 'detachedPoints'> {
  const points = [...(of.rewrite?.detachedPoints ?? []), ...own].slice(-MOST_DETACHED_POINTS);
  return points.length === 0 ? {} : { detachedPoints: points };
}

/** The newest; a record that an older one removed is judged by what is known without it. */
const MOST_DETACHED_POINTS = 100;

/** Sum of the plain sizes: what a restore needs. */
export function plainBytes(manifest: Pick<Manifest, 'files'>): number {
  return manifest.files.reduce((sum, file) => sum + file.bytes, 0);
}

/** The files of one area in the order of their names. */
export function filesOfArea(manifest: Pick<Manifest, 'files'>, area: BackupArea): ManifestFile[] {
  return manifest.files.filter((file) => file.area === area).sort((a, b) => (a.name < b.name ? -1 : 1));
}
