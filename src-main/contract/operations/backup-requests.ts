/** Requests of the operations on backups. */
import { z } from 'zod';
import { planOption } from './plan-option.ts';

/** A directory, or `s3://BUCKET/PREFIX`. */
const target = z.string().min(1);
/** For an object store other than Amazon's. Credentials are never in a request: they come from the environment. */
const s3Endpoint = z.string().min(1).optional();
/** Path of the file with the keys of encrypted backups. */
const keyFile = z.string().min(1).optional();
/** Of keys that lie in the target, sealed. Never recorded nor written anywhere. */
const password = z.string().min(1).max(1000).optional();
/** Paths of files with public keys: a backup that none of them proves is refused. */
const verifyKeys = z.array(z.string().min(1)).max(100).optional();
/** Path of the file with the secret key that signs. */
const signKey = z.string().min(1).optional();
export const targetAccess = { s3Endpoint, keyFile, password, verifyKeys };
const storage = { s3Endpoint, keyFile, signKey, verifyKeys, compress: z.boolean().default(false) };
const backupName = { target, id: z.string().optional() };
const whole = z.number().int().nonnegative();

/** The running server behind a data directory. The password is never logged nor written anywhere. */
export const nodeConnection = z.object({
  url: z.string().min(1),
  user: z.string().optional(),
  password: z.string().optional(),
  /** PEM text. */
  ca: z.string().optional()
});
export type NodeConnection = z.infer<typeof nodeConnection>;

const createBackup = () =>
  z.object({
    dataDirectory: z.string().min(1),
    indexDirectory: z.string().min(1).optional(),
    target,
    ...storage,
    mode: z.enum(['full', 'differential', 'auto']).default('auto'),
    threads: z.number().int().min(1).max(64).optional(),
    /** 0: without a limit. */
    bytesPerSecond: whole.default(0),
    moved: z.boolean().default(false),
    node: nodeConnection.optional(),
    /** Stop a scavenge of the running server, and start it again afterwards. */
    stopScavenge: z.boolean().default(false),
    /** Where our own scavenges are recorded. */
    winnowHome: z.string().optional()
  });

export const retention = z.object({
  last: whole.default(0),
  daily: whole.default(0),
  weekly: whole.default(0),
  monthly: whole.default(0)
});

export const backupRequests = {
  createBackup,
  planBackup: createBackup,
  adoptBackup: () =>
    z.object({
      target,
      ...storage,
      /** The directory that holds the snapshot. */
      dataDirectory: z.string().min(1),
      indexDirectory: z.string().min(1).optional(),
      threads: z.number().int().min(1).max(64).optional(),
      bytesPerSecond: whole.default(0)
    }),
  listBackups: () => z.object({ target, s3Endpoint, verifyKeys }),
  verifyBackup: () => z.object({ ...backupName, ...targetAccess, quick: z.boolean().default(false) }),
  verifyAllBackups: () => z.object({ target, ...targetAccess, quick: z.boolean().default(false) }),
  makeBackupKey: () => z.object({ file: z.string().min(1) }),
  /** A key for backups of this target, which stays there, sealed. */
  sealBackupKey: () => z.object({ target, s3Endpoint, password: z.string().min(1).max(1000) }),
  pruneBackups: () =>
    z.object({
      target,
      s3Endpoint,
      verifyKeys,
      signKey,
      retention,
      unfinished: z.boolean().default(false),
      /** Signed backups that someone else removed are accepted as gone. */
      acceptMissing: z.boolean().default(false),
      /** Only reports what would be removed. */
      dryRun: z.boolean().default(false),
      plan: planOption
    }),
  rekeyBackups: () =>
    z.object({
      target,
      ...targetAccess,
      signKey,
      /** Path of the file with the public keys that open the backups from then on. */
      newKeys: z.string().min(1),
      /** Only reports what would be done. */
      dryRun: z.boolean().default(false),
      plan: planOption
    })
} as const;
