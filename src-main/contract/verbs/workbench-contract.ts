/**
 * The contract between window and main process: the verbs the window may use, what each takes and
 * answers, and the events that flow to it. Types only. The names of the verbs are in channels.ts, the validation of
 * every request in validate.ts.
 *
 * Invariants: the window never names a path. Directories enter through dialogs in the main process, which
 * registers them as nodes; everything else names a node by its id. A page in a browser has a folder chooser in place of the
 * dialogs, and what it chooses passes one check (folder-contract.ts). A verb answers `{ ok: true, value }` or
 * `{ ok: false, error }`, since error classes do not survive the crossing.
 */
import type { Replies, RequestOf } from '../operations/operation-contract.ts';
import type { FleetNode } from '../operations/fleet-reports.ts';
import type { ErrorReport, IndexEntryRow, Progress } from '../operations/reports.ts';
import type { ApplicationEvent, ApplicationVerbs, Preferences, SavedText } from './application-contract.ts';
import type { ClusterEvent, ClusterVerbs } from './cluster-contract.ts';
import type { FolderVerbs, PathQuestion } from './folder-contract.ts';
import type { CallName, WorkName } from './operation-names.ts';
import type { NodeEntry } from './node-entry.ts';
import type { PathVerbs, RestoreChoices } from './path-contract.ts';

export type { CallName, ErrorReport, Progress, WorkName };
export type * from '../operations/reports.ts';
export type * from '../operations/window-reports.ts';
export type * from '../operations/finding-report.ts';
export type * from '../operations/reading-reports.ts';
export type * from '../operations/explain-reports.ts';
export type * from '../operations/backup-reports.ts';
export type * from '../operations/restore-reports.ts';
export type * from '../operations/repair-reports.ts';
export type * from '../operations/difference-reports.ts';
export type * from '../operations/erasure-reports.ts';
export type * from '../operations/doctor-reports.ts';
export type * from '../operations/health-reports.ts';
export type * from '../operations/rebuild-reports.ts';
export type * from '../operations/usage-reports.ts';
export type * from '../operations/fleet-reports.ts';
export type * from '../operations/extraction-reports.ts';
export type * from '../operations/bundle/bundle-reports.ts';
export type * from './application-contract.ts';
export type * from '../translation.ts';
export type * from './cluster-contract.ts';
export type * from './folder-contract.ts';
export type * from './path-contract.ts';
export type * from './node-entry.ts';
export type {
  ChunkDescription,
  DescribedField,
  Page,
  FieldMeaning,
  FieldName,
  RecordDescription,
  Replies,
  StreamCategories,
  StreamCategory
} from '../operations/operation-contract.ts';

/** What the main process fills in itself: the window neither knows nor chooses paths. */
type FilledInByMain =
  | 'dataDirectory'
  | 'indexDirectory'
  | 'winnowHome'
  | 'scratchDirectory'
  | 'singleNode'
  | 'target'
  | 'backupTargets'
  | 's3Endpoint'
  | 'keyFile'
  | 'newKeys'
  | 'password'
  | 'node'
  | 'fromBackup'
  | 'others'
  | 'name';

/** A request of an operation as the window writes it. */
export type WindowRequestOf<N extends CallName | WorkName> = Omit<
  RequestOf<N>,
  | FilledInByMain
  | (N extends WritesOutput ? 'to' | 'toDatabase' | 'packFile' | 'namesFile' | 'configuration' : never)
> &
  (N extends WritesOutput ? { outputPlace: string } : unknown) &
  (N extends 'extractEvents' | 'exportDatabase'
    ? UsesBackups & Pick<RestoreChoices, 'passwordId'>
    : unknown) &
  (N extends 'runBundle' ? BundleChoices : unknown) &
  (N extends 'repairDatabase' ? UsesBackups : unknown) &
  (N extends 'compareDatabases' ? ComparesWith : unknown) &
  (N extends 'planCluster' ? Pick<ComparesWith, 'otherNodes'> : unknown) &
  (N extends OfBackups ? RestoreChoices : unknown) &
  (N extends ErasesInBackup ? Pick<RestoreChoices, 'keyPlace' | 'passwordId'> : unknown) &
  (N extends 'rekeyBackups' ? Pick<RestoreChoices, 'keyPlace' | 'passwordId'> & NewKeys : unknown) &
  (N extends 'rehearseBackup' | 'planRescue' | 'runRescue' | ErasesInBackup
    ? { scratchPlace?: string }
    : unknown) &
  (N extends 'planBackup' | 'createBackup' ? NodeAccess : unknown);

/** What reads backups: of the node, of another, or of a place that a person chose. */
type OfBackups =
  | 'listBackups'
  | 'verifyBackup'
  | 'rehearseBackup'
  | 'planRestore'
  | 'runRestore'
  | 'continueRestore'
  | 'undoRestore'
  | 'cutLog';

type ErasesInBackup = 'planBackupErasure' | 'eraseInBackup';

interface NewKeys {
  /** A file with public keys; absent: the key of the node's next backups. */
  newKeysPlace?: string;
}

/** Writes something new outside the database, into a directory that a person chose. */
type WritesOutput = 'extractEvents' | 'exportDatabase' | 'runBundle';

interface BundleChoices {
  /** Also as one small file. */
  packs?: boolean;
  /** Also a table of what each name became, beside the bundle. */
  listsNames?: boolean;
  /** The key of an earlier bundle, so that the same names become the same. */
  bundleKeyPlace?: string;
  /** A copy of the configuration that the node was opened with. */
  usesConfiguration?: boolean;
  /** Of another file. */
  configurationPlace?: string;
}

/** What a node is compared with. */
export interface ComparesWith extends Pick<RestoreChoices, 'fromPlace' | 'keyPlace' | 'passwordId'> {
  /** Ids of nodes. */
  otherNodes?: string[];
  /** With the newest backup of its target. */
  usesBackups?: boolean;
}

/** The running server that a backup asks for its role, its lag and its scavenges. */
interface NodeAccess {
  nodeUrl?: string;
  nodeUser?: string;
  /** Of the user of the server. */
  passwordId?: string;
  authorityPlace?: string;
}

/** Chunks may be taken from a backup of the node's target, or of a chosen place; with its key. */
interface UsesBackups extends Pick<RestoreChoices, 'fromPlace' | 'keyPlace'> {
  usesBackups?: boolean;
  /** Absent: the newest one. */
  backupId?: string;
}

export type Reply<Value> = { ok: true; value: Value } | { ok: false; error: ErrorReport };

export type Theme = 'system' | 'light' | 'dark';

export type WorkState = 'running' | 'stopping' | 'stopped' | 'done' | 'failed';

export interface WorkPhase {
  phase: string;
  startedMs: number;
  endedMs: number | null;
}

/** Snapshot of one long operation, complete in itself. */
/** Who started work of a service: a user on a page or over HTTP, or a schedule. */
export interface StartedBy {
  door: 'page' | 'http' | 'schedule';
  /** null: no user, but a schedule. */
  user: string | null;
}

export interface WorkSnapshot {
  id: string;
  name: WorkName;
  /** The node it works on; null while a sample is being written. */
  nodeId: string | null;
  title: string;
  state: WorkState;
  startedMs: number;
  endedMs: number | null;
  progress: Progress | null;
  /** Units of `progress` per second over the last seconds; null while unknown. */
  ratePerSecond: number | null;
  remainingMs: number | null;
  phases: WorkPhase[];
  /** Last lines of the operation's log, oldest first. */
  log: string[];
  error: ErrorReport | null;
  /** The request as the window sent it, to show a result together with its options. */
  request: Record<string, unknown>;
  /** End of the log when the work began; null if that does not matter. A plan is valid for this log only. */
  writerCheckpoint: number | null;
  /**
   * The identity of the node's files when the work began, as in an inspection; null if it could not be determined. A
   * result is valid for these files only.
   */
  directory: string | null;
  /** The node's backup target when the work began. A plan is valid for this target only. */
  backupTarget: string | null;
  /** Not there in the window, where it is the person in front of it. */
  startedBy?: StartedBy;
}

export type WorkReply = Replies[WorkName];

/** What the page may do. In the window everything; in a browser less, depending on the user. */
export interface Capabilities {
  /** Targets and other places can be chosen: with system dialogs, in a browser with the folder chooser. */
  choosesPaths: boolean;
  /** The window of this machine, with dialogs, a file manager and a menu of the system; not a page in a browser. */
  isWindow: boolean;
  /** Writing operations are allowed. */
  writes: boolean;
  /** Users, object stores, clusters and the licence may be managed. */
  administers: boolean;
  /** The logged-in user; null if no log-in is needed. */
  user: string | null;
}

/** Everything the window needs for its first content, in one answer. */
export interface StartState {
  version: string;
  platform: string;
  theme: Theme;
  preferences: Preferences;
  nodes: NodeEntry[];
  work: WorkSnapshot[];
  /** The node named on the command line. */
  openNodeId: string | null;
  engine: EngineState;
  capabilities: Capabilities;
  /** In a browser, what the folder chooser is shown for; in the window nothing. */
  pathQuestions: readonly PathQuestion[];
}

export interface EngineState {
  isAlive: boolean;
  /** Why it exited. */
  reason: string | null;
}

/** What has changed in the directories of a node. */
export type ChangedPart = 'chunks' | 'checkpoints' | 'index' | 'scavengeState' | 'lock';

export type WindowEvent =
  | { kind: 'work'; snapshot: WorkSnapshot }
  | { kind: 'workForgotten'; id: string }
  | { kind: 'nodes'; nodes: NodeEntry[] }
  | { kind: 'changed'; nodeId: string; parts: ChangedPart[] }
  | { kind: 'engine'; engine: EngineState }
  | { kind: 'open'; nodeId: string }
  | ApplicationEvent
  | ClusterEvent;

export interface NodeChange {
  id: string;
  name?: string;
  isSingleNode?: boolean;
}

/** The verbs. Each has its own channel. */
export interface Verbs extends ClusterVerbs, ApplicationVerbs, FolderVerbs, PathVerbs {
  start: { request: Record<string, never>; reply: StartState };
  /** `callId`: chosen by the page, to stop this question. */
  call: {
    request: { name: CallName; nodeId?: string; request: unknown; callId?: string };
    reply: unknown;
  };
  lookUpIndex: { request: { nodeId: string; stream: string }; reply: IndexEntryRow[] };
  /** How a node stands, beside others: reads no log. Its cluster is not in it: the page knows it. */
  nodeStanding: { request: { nodeId: string }; reply: FleetNode };
  startWork: {
    /** `nodeId`: null only for a restore to a chosen directory. `planId`: from the report of the plan; refused if the plan was for something else, or the state has changed since. */
    request: {
      name: Exclude<WorkName, 'writeSample'>;
      nodeId: string | null;
      request: unknown;
      planId?: string;
    };
    reply: WorkSnapshot;
  };
  createSample: { request: Record<string, never>; reply: WorkSnapshot };
  stopWork: { request: { id: string }; reply: null };
  forgetWork: { request: { id: string }; reply: null };
  workResult: { request: { id: string }; reply: WorkReply | null };
  /** Both ask with a system dialog; null: the user chose nothing. */
  openDirectory: { request: Record<string, never>; reply: NodeEntry | null };
  openConfiguration: { request: Record<string, never>; reply: NodeEntry | null };
  /** Opens what was dropped on the window. The preload script passes on its path; a file made by the page has none. */
  openDropped: { request: { file: File }; reply: NodeEntry };
  /** Asks with a dialog for the directory of a node's backups, and remembers it; null: the user chose nothing. */
  chooseBackupTarget: { request: { nodeId: string }; reply: NodeEntry | null };
  /** The node has none any longer; its backups stay. */
  forgetBackupTarget: { request: { nodeId: string }; reply: NodeEntry };
  /** Puts back what was forgotten in this process, with the key of its backups. */
  recallBackupTarget: { request: { nodeId: string }; reply: NodeEntry };
  /** Keeps this node's backups in an object store, with the credentials of the machine's AWS settings. */
  nameBackupStore: { request: { nodeId: string; location: string; endpoint?: string }; reply: NodeEntry };
  changeNode: { request: NodeChange; reply: NodeEntry };
  forgetNode: { request: { id: string }; reply: null };
  /** Puts a node back that was forgotten since the window was opened, as it was. */
  recallNode: { request: { id: string }; reply: NodeEntry };
  /** Opens the data directory in the file manager of the system. */
  showInFolder: { request: { nodeId: string }; reply: null };
  /** Follows the directories of one node; null: of none. */
  watchNode: { request: { id: string | null }; reply: null };
  setTheme: { request: { theme: Theme }; reply: null };
  restartEngine: { request: Record<string, never>; reply: null };
  /** Asks for a file with a dialog, and writes an erasure report there; null: the user chose nothing. */
  saveErasure: { request: { id: string; form: ErasureForm }; reply: SavedText | null };
  /** Asks for a file with a dialog, to be written piece by piece; null: the user chose nothing. */
  openSavedFile: { request: { name: string; form: SavedForm }; reply: { id: string } | null };
  writeSavedFile: { request: { id: string; text: string }; reply: null };
  /** Moves a complete file to its place, or discards it. */
  endSavedFile: { request: { id: string; isComplete: boolean }; reply: { file: string } };
  copyText: { request: { text: string }; reply: null };
}

/** A page to print, or the document to compare later reports with. */
export type ErasureForm = 'html' | 'json';

export type VerbName = keyof Verbs;

/** Rows of a table, for a spreadsheet or a program. */
export type SavedForm = 'csv' | 'json';

/** The verbs as functions of the page. */
export type VerbFunctions = {
  readonly [V in VerbName]: (request: Verbs[V]['request']) => Promise<Reply<Verbs[V]['reply']>>;
};

/** What the preload script exposes to the page. */
export interface Workbench extends VerbFunctions {
  /** Ends a question whose answer is no longer wanted: it is answered at once, with an empty failure. */
  readonly stopCall: (callId: string) => Promise<Reply<null>>;
  /** Receives events until the returned function is called. */
  readonly follow: (listener: (event: WindowEvent) => void) => () => void;
}

declare global {
  interface Window {
    readonly workbench: Workbench;
  }
}
