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
