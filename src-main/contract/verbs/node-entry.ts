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
  lastOpenedMs: number;
}

/** How the backups of a node are encrypted. */
export interface BackupKey {
  /** `password`: the secret key lies in the target, sealed; `file` has only the public one. */
  kind: 'file' | 'password';
  file: string;
}
