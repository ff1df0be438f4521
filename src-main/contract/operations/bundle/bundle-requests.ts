/** The requests of support bundles. */
import { z } from 'zod';

const bundle = () =>
  z.object({
    dataDirectory: z.string().min(1),
    indexDirectory: z.string().min(1).optional(),
    /** The directory to make; missing or empty. Absent: only the packed file is made. */
    to: z.string().min(1).optional(),
    headersOnly: z.boolean().default(false),
    /** Made if there is none; default: beside the bundle (the packed file, where only that is made), with `.key` behind its name. */
    keyFile: z.string().min(1).optional(),
    /** For the user alone: a line for each name and what it became. */
    namesFile: z.string().min(1).optional(),
    /** A file to make of the whole bundle: a tar archive, compressed by Zstandard. */
    packFile: z.string().min(1).optional(),
    /** A server's configuration, of which the bundle gets a copy without its values. */
    configuration: z.string().min(1).optional()
  });

const unpacking = () =>
  z.object({
    /** A packed bundle. */
    packFile: z.string().min(1),
    /** The directory to make; missing or empty. */
    to: z.string().min(1)
  });

export const bundleRequests = {
  planBundle: bundle,
  runBundle: bundle,
  planUnpackBundle: unpacking,
  unpackBundle: unpacking
} as const;
