/**
 * What was set aside before a scavenge, as a file in its folder: which files, how large, with which hash, until when. It is
 * written when all of them are there and on the disk, and goes first when they go; a folder without one is nobody's.
 *
 * The document is one object: `content`, and `sha256` of the text of that. It lies in a directory that may come from
 * anywhere: names are plain names, and of known kinds.
 */
import { createHash } from 'node:crypto';
import { decodeChunkFileName, isTemporaryFileName } from '../chunks/chunk-file-name.ts';
import { readInt64 } from '../codec/int64.ts';
import { EngineError, logCorrupt } from '../errors.ts';
import { CHECKPOINT_NAMES, type CheckpointName } from '../log/checkpoint-file.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import { replaceFile } from '../storage/replace-file.ts';

export const KEPT_MANIFEST = 'manifest.json';
/** Of a checkpoint file. */
const CHECKPOINT_BYTES = 8;
const FORMAT_VERSION = 1;
/** A million files take less. */
const LARGEST_BYTES = 512 * 1024 * 1024;
const ID = /^\d{8}T\d{6}Z(-\d{1,3})?$/;

export type KeptArea = 'data' | 'index';
/**
 * `chunk`, `table`, `filter`: completed and never changed, a second name or a clone of the same file. `open`: the chunk that
 * is being written, and `map`, `state`: copies. `leftover`: what a scavenge sweeps away.
 */
export const KEPT_KINDS = ['chunk', 'open', 'table', 'filter', 'map', 'state', 'leftover'] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

export interface KeptFile {
  area: KeptArea;
  /** Relative to the directory of its area, with `/`. */
  name: string;
  kind: KeptKind;
  bytes: number;
  /** Permission bits, which two names of one file share. */
  mode: number;
  /** Lower-case hex: the MD5 a chunk or table ends with, the SHA-256 of a copy; null of others. */
  hash: string | null;
  /** Chunk numbers, inclusive; of chunks only. */
  start: number | null;
  end: number | null;
}

export interface KeptManifest {
  /** `20261121T050000Z`: when it was set aside, UTC; the name of the folder too. */
  id: string;
  /** ISO 8601. */
  keptAt: string;
  expiresAt: string;
  keepMs: number;
  /** Position where the log ended. */
  writer: number;
  chunkSizeBytes: number;
  /** Bytes of the checkpoint files, hex; null where there was none. */
  checkpoints: Record<CheckpointName, string | null>;
  /** The run may append to the log: its scavenge point, its history. */
  mayAppend: boolean;
  /** The index lies in the data directory under this name; null: elsewhere, and what is kept of it lies there. */
  indexWithin: string | null;
  hadIndex: boolean;
  hadState: boolean;
  /** States that runs had moved aside before. */
  asideStates: string[];
  files: KeptFile[];
  /** The existence filter, which no scavenge of ours touches, and of which nothing is kept. */
  existence: { name: string; hash: string }[];
  /** Null until it is chosen. */
  point: { number: number; position: number; placement: string } | null;
  /** Chunks of the old log that were completed when the point was written: a longer log needs them too. */
  completed: KeptFile[];
  /** When the run reached its end; null as long as it is unfinished. */
  finishedAt: string | null;
}

export function isKeptId(text: string): boolean {
  return ID.test(text);
}

export function writeKeptManifest(fileSystem: FileSystem, folder: string, manifest: KeptManifest): void {
  replaceFile(fileSystem, {
    directory: folder,
    name: KEPT_MANIFEST,
    temporaryName: `${KEPT_MANIFEST}.new`,
    bytes: encodeChecked({ formatVersion: FORMAT_VERSION, ...manifest })
  });
}

/** undefined where there is none. LogCorrupt for one that says nothing reliable. */
export function readKeptManifest(fileSystem: FileSystem, folder: string): KeptManifest | undefined {
  const path = fileSystem.join(folder, KEPT_MANIFEST);
  const bytes = readWholeFile(fileSystem, path, LARGEST_BYTES);
  if (!bytes) return undefined;
  const content = decodeChecked(bytes);
  if (typeof content === 'string') throw unreliable(path, content);
  if (content['formatVersion'] !== FORMAT_VERSION) {
    throw new EngineError({
      code: 'UnsupportedFormat',
      message: `${path} has the format version ${String(content['formatVersion'])}.`,
      remedy: 'Use the version of Winnow that kept these files, or a newer one. Nothing was changed.',
      details: { file: path }
    });
  }
  const { formatVersion: _, ...manifest } = content;
  const wrong = whatIsWrong(manifest);
  if (wrong !== undefined) throw unreliable(path, wrong);
  return manifest as unknown as KeptManifest;
}

function unreliable(path: string, why: string): EngineError {
  return logCorrupt(
    `${path} cannot be used: ${why}.`,
    { file: path },
    'These files cannot be put back by Winnow. "winnow scavenge --undo --forget" removes them; the database is not affected.'
  );
}

/** With the hash of its text, so that a document that was cut or changed is known. */
export function encodeChecked(content: object): Uint8Array {
  const text = JSON.stringify(content);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return new TextEncoder().encode(`${JSON.stringify({ sha256, content })}\n`);
}

/** The content, or what is wrong with the document. */
export function decodeChecked(bytes: Uint8Array): Record<string, unknown> | string {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return 'it is not a JSON document';
  }
  const { sha256, content } = (document ?? {}) as { sha256?: unknown; content?: unknown };
  if (typeof content !== 'object' || content === null) return 'it has no content';
  const found = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return found === sha256 ? (content as Record<string, unknown>) : 'its hash is not that of its content';
}

function whatIsWrong(manifest: Partial<KeptManifest>): string | undefined {
  const { id, keptAt, expiresAt, keepMs, writer, chunkSizeBytes, checkpoints, point } = manifest;
  const { files, completed, existence, asideStates, indexWithin, finishedAt } = manifest;
  if (typeof id !== 'string' || !isKeptId(id)) return 'its id is no time';
  if (![keptAt, expiresAt].every((time) => typeof time === 'string' && !Number.isNaN(Date.parse(time))))
    return 'its times are no times';
  if (finishedAt !== null && typeof finishedAt !== 'string') return 'its end is no time';
  if (![keepMs, writer, chunkSizeBytes].every(isCount)) return 'its sizes are no numbers';
  if (chunkSizeBytes === 0) return 'its sizes are no numbers';
  const isHex = (text: unknown): boolean =>
    text === null || (typeof text === 'string' && /^[0-9a-f]{2,64}$/.test(text));
  if (!checkpoints || !CHECKPOINT_NAMES.every((name) => isHex(checkpoints[name])))
    return 'its checkpoints are missing';
  if (checkpoints.writer !== null && positionOf(checkpoints.writer) !== writer)
    return 'its writer.chk does not end the log where it says that the log ended';
  if (indexWithin !== null && !(typeof indexWithin === 'string' && isPlainName(indexWithin)))
    return 'it names no index directory';
  if (typeof manifest.mayAppend !== 'boolean' || typeof manifest.hadIndex !== 'boolean')
    return 'members are missing';
  if (typeof manifest.hadState !== 'boolean') return 'members are missing';
  if (point !== null && !(isCount(point?.number) && isCount(point?.position)))
    return 'its scavenge point is no point';
  if (
    !Array.isArray(asideStates) ||
    !asideStates.every((name) => typeof name === 'string' && isPlainName(name))
  )
    return 'it names states that have no names';
  if (
    !Array.isArray(existence) ||
    !existence.every((one) => typeof one?.name === 'string' && isHex(one.hash))
  )
    return 'it does not tell of the existence filter';
  if (!Array.isArray(files) || !files.every(isKeptFile)) return 'it names files that no scavenge replaces';
  if (!Array.isArray(completed) || !completed.every((file) => isKeptFile(file) && file.kind === 'chunk'))
    return 'it names files that no scavenge replaces';
  return undefined;
}

/** That a checkpoint file with these bytes holds, in hex; one that is shorter is read as if zeros followed. */
function positionOf(hex: string): number {
  const bytes = Buffer.alloc(CHECKPOINT_BYTES);
  Buffer.from(hex, 'hex').copy(bytes);
  return readInt64(new DataView(bytes.buffer, bytes.byteOffset, CHECKPOINT_BYTES), 0);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function isPlainName(name: string): boolean {
  return /^[^/\\\0]+$/.test(name) && name !== '.' && name !== '..';
}

const GUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const TABLE = new RegExp(`^${GUID}$`, 'i');
const FILTER = new RegExp(`^${GUID}\\.bloomfilter$`, 'i');
const INDEX_LEFTOVER = new RegExp(`^(${GUID}\\.run\\.tmp|indexmap\\..*\\.tmp)$`, 'i');
const INDEX_MAP = 'indexmap';
const STATE = /^scavenging\/[^/\\\0]+$/;

/** What a file directly in a directory, or of the scavenge state, is to a scavenge; undefined: nothing. */
export function kindOfName(area: KeptArea, name: string): KeptKind | undefined {
  if (area === 'data') {
    if (decodeChunkFileName(name)) return 'chunk';
    return isTemporaryFileName(name) ? 'leftover' : undefined;
  }
  if (name === INDEX_MAP) return 'map';
  if (TABLE.test(name)) return 'table';
  if (FILTER.test(name)) return 'filter';
  if (INDEX_LEFTOVER.test(name)) return 'leftover';
  return STATE.test(name) && !/\/\.\.?$/.test(name) ? 'state' : undefined;
}

function isKeptFile(file: unknown): boolean {
  const { area, name, kind, bytes, mode, hash, start, end } = (file ?? {}) as Partial<KeptFile>;
  if ((area !== 'data' && area !== 'index') || typeof name !== 'string') return false;
  if (!isCount(bytes) || !isCount(mode) || !(hash === null || typeof hash === 'string')) return false;
  const expected = kindOfName(area, name);
  // A chunk file may be a completed one, the open one, or an older version that would be swept.
  const isChunk = expected === 'chunk';
  if (isChunk ? kind !== 'chunk' && kind !== 'open' && kind !== 'leftover' : kind !== expected) return false;
  if (expected === undefined) return false;
  if (kind !== 'chunk' && kind !== 'open') return true;
  return isCount(start) && isCount(end) && start! <= end!;
}
