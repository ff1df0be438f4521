/**
 * Paths and passwords that a person gives for one piece of work. The page gets an id of each; what it names in a request
 * is that id, so that it can use only what a person chose. Types only.
 */
import type { BackupSchedule, NodeEntry } from './node-entry.ts';

/** What a path is chosen for; one that was chosen for something else is refused. */
export type PathPurpose =
  | 'backups'
  | 'restoreTo'
  | 'index'
  | 'keyFile'
  | 'scratch'
  | 'rescueScratch'
  | 'authority'
  | 'output'
  | 'bundleKey'
  | 'configuration';

export interface ChosenPath {
  id: string;
  /** A directory, a file, or `s3://BUCKET/PREFIX`: to show. */
  path: string;
  /** Of an object store other than Amazon's. */
  endpoint?: string;
  /** The node of the list that has this data directory. */
  nodeId: string | null;
}

/** A restore's members for the main process to fill in: ids of chosen paths, nodes, passwords. */
export interface RestoreChoices {
  /** The node whose target has the backup; absent: that of the work. */
  fromNode?: string;
  fromPlace?: string;
  /** Instead of the node's data directory. */
  toPlace?: string;
  indexPlace?: string;
  keyPlace?: string;
  passwordId?: string;
}

export interface PathVerbs {
  /** Asks with a system dialog; null: the user chose nothing. */
  choosePath: { request: { purpose: PathPurpose }; reply: ChosenPath | null };
  /** An object store that has backups, by its name. */
  nameStore: { request: { location: string; endpoint?: string }; reply: ChosenPath };
  /** Opens a chosen data directory as a node. */
  openChosen: { request: { id: string }; reply: NodeEntry };
  /** Keeps a password in memory until the application ends; nothing shows it again. */
  keepPassword: { request: { password: string }; reply: { id: string } };
  /** How the next backups of the node are encrypted. null: the user chose no file. */
  setBackupKey: {
    request: { nodeId: string; key: 'none' | 'file' | 'newFile' | 'password'; password?: string };
    reply: NodeEntry | null;
  };
  /** When backups of the node are taken by themselves; null: no longer. Throws where the expression or the zone is wrong. */
  setBackupSchedule: {
    request: {
      nodeId: string;
      schedule: Pick<BackupSchedule, 'expression' | 'timeZone' | 'compress' | 'retention'> | null;
    };
    reply: NodeEntry;
  };
}
export type PathVerbName = keyof PathVerbs;
