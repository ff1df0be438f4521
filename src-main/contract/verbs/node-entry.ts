/** A node as the list of the window has it. Types only. */

/** A node (or a bare database directory) that was opened before. */
export interface NodeEntry {
  id: string;
  name: string;
  dataDirectory: string;
  /** undefined: `index` inside the data directory. */
  indexDirectory?: string;
  /** The server configuration file it was opened with. */
  configurationFile?: string;
  /** `ClusterSize` of that configuration. */
  clusterSize?: number;
  /** The user's answer to "single node or member of a cluster?"; null: not asked yet. */
  isSingleNode: boolean | null;
  isSample: boolean;
  /** Directory (or `s3://BUCKET/PREFIX`) for this node's backups, once chosen. */
  backupTarget?: string;
  /** Address of an object store other than Amazon's. */
  backupEndpoint?: string;
  /** How the next backups are encrypted; undefined: not at all. */
  backupKey?: BackupKey;
  /** undefined: none. */
  backupSchedule?: BackupSchedule;
  lastOpenedMs: number;
}

/** How the backups of a node are encrypted. */
export interface BackupKey {
  /** `password`: the secret key lies in the target, sealed; `file` has only the public one. */
  kind: 'file' | 'password';
  file: string;
}

/** When backups are taken by themselves, while a window or a service of ours runs, and which are kept. */
export interface BackupSchedule {
  /** CRON, as for scavenges. */
  expression: string;
  timeZone: string;
  compress: boolean;
  /** All zero: nothing is removed. */
  retention: { last: number; daily: number; weekly: number; monthly: number };
  /** Times up to this one are done with; at first, when the schedule was set. */
  handledMs: number;
  last: BackupRun | null;
  /** Begun and not ended: it runs now, or its process was killed. */
  running?: { startedMs: number; dueMs: number; missed: number };
}

/** How the last backup by a schedule ended. */
export interface BackupRun {
  /** When it ended. */
  atMs: number;
  /** Why it failed; null: it did not. */
  message: string | null;
  /** These are missing in what an older version noted. */
  startedMs?: number;
  /** The time of the schedule that it was for. */
  dueMs?: number;
  /** Earlier times that passed without a backup, because nothing of ours ran or the node was occupied. */
  missed?: number;
}
