/** What is said of a support bundle, before and after it is made. */
import { z } from 'zod';

const count = z.number().int().nonnegative();

const leftOut = z.object({ file: z.string(), bytes: count, why: z.string() });

const plan = {
  /** The directory; the packed file where only that is made. */
  target: z.string(),
  headersOnly: z.boolean(),
  keyFile: z.string(),
  namesFile: z.string().nullable(),
  packFile: z.string().nullable(),
  /** A copy of the configuration is in it. */
  configuration: z.boolean(),
  /** A server has the source open: the bundle is its content at one moment. */
  inUse: z.boolean(),
  chunks: count,
  tables: count,
  /** File bytes of the source's chunks and tables: the length of the bundle's files, of which holes take no room. */
  sourceBytes: count,
  /** Files of the source that are in the bundle by name and size only. */
  standIns: z.array(z.string()),
  /** Files of the source that are not in the bundle. */
  leftOut: z.array(leftOut)
};

export const bundlePlanReport = z.object({
  ...plan,
  /** There is a key already, which is used again. */
  keyExists: z.boolean(),
  /** A run that was cut is continued. */
  continues: z.boolean(),
  freeBytes: count
});
export type BundlePlanReport = z.infer<typeof bundlePlanReport>;

export const bundleReport = z.object({
  ...plan,
  keyMade: z.boolean(),
  /** Of the packed file; null: there is none. */
  packedBytes: count.nullable(),
  resumedChunks: count,
  records: count,
  /** Bytes of data and metadata that are not in it. */
  payloadBytes: count,
  indexEntries: count,
  /** Entries whose record is gone; their hash is that of another entry's stream, or made up. */
  entriesWithoutRecord: count,
  /** Metadata records in which the rights found no room. */
  metadataWithoutRights: count,
  /** What could not be read and is zeros in the bundle: log positions, half-open. */
  unreadable: z.array(z.object({ file: z.string(), from: count, to: count, why: z.string() }))
});
export type BundleReport = z.infer<typeof bundleReport>;

/** A packed bundle that was read to its end, and unpacked where that was not only planned. */
export const unpackedBundleReport = z.object({
  packFile: z.string(),
  packedBytes: count,
  target: z.string(),
  /** All that is in it, and the length of it: zeros of its files are holes. */
  files: count,
  bytes: count,
  headersOnly: z.boolean(),
  /** When the bundle was made. */
  madeAt: z.string(),
  chunks: count,
  records: count
});
export type UnpackedBundleReport = z.infer<typeof unpackedBundleReport>;

/** File names in resources/schemas. */
export const BUNDLE_SCHEMAS = { bundle: z.union([bundleReport, unpackedBundleReport]) } as const;

export interface BundleReplies {
  planBundle: BundlePlanReport;
  runBundle: BundleReport;
  planUnpackBundle: UnpackedBundleReport;
  unpackBundle: UnpackedBundleReport;
}
