/**
 * The contract of the folder chooser: what a page in a browser sees of the service's folders, and which verbs get the path
 * that is chosen there. In the window a dialog of the system is shown instead.
 */
/** What the names in a folder say that it is. */
export type FolderKind = 'database' | 'index' | 'backups' | 'backup' | 'empty' | 'other';

/**
 * Why an entry cannot be entered or chosen. `outside`: a link that leads out of the allowed folders; `unreadable`: the service
 * may not read it; `missing`: it is not there; `badName`: its name is not valid text.
 */
export type FolderObstacle = 'outside' | 'unreadable' | 'missing' | 'badName';

export interface FolderEntry {
  name: string;
  path: string;
  isFolder: boolean;
  /** null: a file, or a folder that was not looked into. */
  kind: FolderKind | null;
  obstacle: FolderObstacle | null;
}

export interface FolderListing {
  /** Without links; null: the allowed folders themselves. */
  path: string | null;
  /** From the allowed folder down to this one. */
  trail: { name: string; path: string }[];
  /** null: of the allowed folders themselves. */
  kind: FolderKind | null;
  obstacle: FolderObstacle | null;
  /** Folders first, then files of the kinds that were asked for, each by name. */
  entries: FolderEntry[];
  /** There are more than are listed. */
  isCut: boolean;
  /** Between the names of a path. */
  separator: string;
}

export interface FolderVerbs {
  /**
   * `path`: null for the allowed folders. `extensions`: also files with these; without a dot. `purpose`: what the folder is
   * wanted for; databases are opened in fewer folders than others are chosen in.
   */
  listFolder: {
    request: { path: string | null; showsHidden: boolean; extensions: string[]; purpose?: FolderPurpose };
    reply: FolderListing;
  };
}

export const FOLDER_PURPOSES = [
  'database',
  'backupTarget',
  'backups',
  'restoreTo',
  'index',
  'scratch',
  'rescueScratch',
  'output'
] as const;
/** What a folder is wanted for: decides the words of the chooser, which folders it shows, and what fits. */
export type FolderPurpose = (typeof FOLDER_PURPOSES)[number];

export interface FolderQuestion {
  purpose: FolderPurpose;
  /** The folder may be a new one, inside one that exists. */
  mayBeNew: boolean;
}

/** A file of the machine that the browser runs on: it goes along as `uploaded`, with its name and its text. */
export interface UploadQuestion {
  purpose: 'keyFile' | 'authority' | 'licence' | 'bundleKey' | 'configuration';
}

/** A file of the browser's own machine, and no folder of the service's. */
export function isUpload(question: FolderQuestion | UploadQuestion): question is UploadQuestion {
  return !('mayBeNew' in question);
}

export type PathQuestion = (FolderQuestion | UploadQuestion) & {
  verb: string;
  /** Only for requests with these members. */
  when?: Readonly<Record<string, string>>;
};

/**
 * The verbs that ask where: in the window with a dialog of the system, in a browser with the folder chooser, whose answer goes
 * along as `chosenPath`. Each answers null when nothing was chosen. A page gets this list with its start state.
 */
export const PATH_QUESTIONS: readonly PathQuestion[] = [
  { verb: 'chooseBackupTarget', purpose: 'backupTarget', mayBeNew: true },
  { verb: 'choosePath', when: { purpose: 'backups' }, purpose: 'backups', mayBeNew: false },
  { verb: 'choosePath', when: { purpose: 'restoreTo' }, purpose: 'restoreTo', mayBeNew: true },
  { verb: 'choosePath', when: { purpose: 'index' }, purpose: 'index', mayBeNew: true },
  { verb: 'choosePath', when: { purpose: 'scratch' }, purpose: 'scratch', mayBeNew: true },
  { verb: 'choosePath', when: { purpose: 'rescueScratch' }, purpose: 'rescueScratch', mayBeNew: true },
  { verb: 'choosePath', when: { purpose: 'output' }, purpose: 'output', mayBeNew: true },
  { verb: 'openDirectory', purpose: 'database', mayBeNew: false },
  { verb: 'choosePath', when: { purpose: 'keyFile' }, purpose: 'keyFile' },
  { verb: 'choosePath', when: { purpose: 'authority' }, purpose: 'authority' },
  { verb: 'choosePath', when: { purpose: 'bundleKey' }, purpose: 'bundleKey' },
  { verb: 'choosePath', when: { purpose: 'configuration' }, purpose: 'configuration' },
  { verb: 'setBackupKey', when: { key: 'file' }, purpose: 'keyFile' },
  { verb: 'chooseClusterAuthority', purpose: 'authority' },
  { verb: 'chooseLicence', when: { choice: 'file' }, purpose: 'licence' }
];
