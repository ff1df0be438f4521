/**
 * `bundle.json` in a bundle: what it is, what is in it and what is not, for those who receive it. Holds no name of the
 * source: no path, no stream, no key.
 */
import type { SkippedRange } from '../repair/salvage-chunk.ts';
import type { LeftOut } from './bundle-plan.ts';

export const BUNDLE_MANIFEST = 'bundle.json';
export const BUNDLE_VERSION = 1;

export interface BundleManifest {
  bundle: typeof BUNDLE_VERSION;
  /** All other files of the bundle, and the bytes of them: what a packed one must come to. */
  files: number;
  bytes: number;
  headersOnly: boolean;
  madeAt: string;
  chunks: number;
  records: number;
  /** File bytes of the source's chunks and tables, and the payload bytes that are not here. */
  sourceBytes: number;
  payloadBytes: number;
  indexEntries: number;
  /** Entries whose record is gone: their hash may be a made-up one. */
  entriesWithoutRecord: number;
  /** Records whose rights found no room in their length. */
  metadataWithoutRights: number;
  /** Files that are here by name and size only. */
  standIns: string[];
  /** What could not be read and is zeros here. Log positions, half-open. */
  unreadable: Pick<SkippedRange, 'file' | 'from' | 'to'>[];
  leftOut: LeftOut[];
}

export function encodeBundleManifest(manifest: BundleManifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** What is taken from the description of a bundle that somebody sent. */
export type UnpackedManifest = Pick<
  BundleManifest,
  'files' | 'bytes' | 'headersOnly' | 'madeAt' | 'chunks' | 'records'
>;

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]{5,20}Z$/;

/** undefined: it is no description of a bundle; `newer`: of a version that is not known here. */
export function decodeBundleManifest(bytes: Buffer): UnpackedManifest | 'newer' | undefined {
  let members: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    members = parsed as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { bundle, files, bytes: size, headersOnly, madeAt, chunks, records } = members;
  if (typeof bundle === 'number' && bundle > BUNDLE_VERSION) return 'newer';
  if (bundle !== BUNDLE_VERSION || !isCount(files) || !isCount(size) || !isCount(chunks) || !isCount(records))
    return undefined;
  if (typeof headersOnly !== 'boolean' || typeof madeAt !== 'string' || !TIME.test(madeAt)) return undefined;
  return { files, bytes: size, headersOnly, madeAt, chunks, records };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
