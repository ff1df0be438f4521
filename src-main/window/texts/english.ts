/** What the window says outside its page: menu, dialogs, notifications. */
import type { Translation } from '../../contract/translation.ts';

export const english = {
  title: (title: string) => title,
  menu: {
    file: '&File',
    open: '&Open…',
    openConfiguration: 'Open server &configuration…',
    openRecent: 'Open &Recent',
    createSample: 'Create the sample database',
    newCluster: 'New cluster…',
    addCluster: 'Add a running cluster…',
    restore: 'Restore…',
    settings: 'Settings…',
    about: 'About Winnow',
    close: '&Close',
    closeWindow: 'Close Window',
    node: '&Node',
    plan: 'What would a scavenge free?',
    scavenge: 'Scavenge…',
    schedule: 'Schedule…',
    backup: 'Back up…',
    doctor: 'Will a server start here?',
    verify: 'Verify',
    repair: 'Repair…',
    rebuildIndex: 'Rebuild the index…',
    erasure: 'Erasure report…',
    rescue: 'Rescue a full disk…',
    showInFolder: 'Show in file manager',
    copyPath: 'Copy the path',
    rename: 'Rename…',
    forget: 'Remove from the list',
    stop: 'Stop the running operation',
    view: '&View',
    overview: 'Overview',
    chunks: 'Chunks',
    records: 'Records',
    streams: 'Streams',
    index: 'Index',
    usage: 'Usage',
    back: 'Back',
    forward: 'Forward',
    refresh: 'Refresh',
    sideBar: 'Side bar',
    theme: 'Change theme',
    actualSize: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    help: '&Help',
    documentation: '&Documentation',
    documentationAbout: 'Documentation of this view',
    shortcuts: 'Keyboard shortcuts',
    tour: 'Tour of the sample database',
    palette: 'Search or run…'
  },
  /** By the role of a menu item; null: as Electron names it. */
  roles: null as Readonly<Record<string, string>> | null,
  choose: {
    database: 'Open a data directory',
    databaseHint: 'The directory that holds the chunk files and writer.chk',
    serverConfiguration: 'Open a server configuration file',
    configurations: 'Configuration',
    allFiles: 'All files',
    backupTarget: 'Choose a directory for backups',
    backupTargetHint: 'A directory outside the database, preferably on another disk',
    licence: 'Choose a licence file',
    backups: 'Choose a directory with backups, one backup, or a copy',
    restoreTo: 'Choose the data directory to restore to',
    index: 'Choose the index directory',
    keyFile: 'Choose a key file',
    scratch: 'Choose a scratch directory',
    rescueScratch: 'Choose a directory for the state of the rescue',
    output: 'Choose a directory for what is written',
    bundleKey: 'Choose the key of an earlier bundle',
    configuration: 'Choose the configuration file of the server',
    authority: 'Choose the certificate of the authority (PEM)'
  },
  /** Of a dialog that saves, by its English title. */
  saves: {} as Readonly<Record<string, string>>,
  closing: {
    running: (titles: string, count: number) => `${titles} ${count === 1 ? 'is' : 'are'} still running`,
    keep: 'Keep running',
    stop: 'Stop and close',
    close: 'Close',
    late: (titles: string, count: number, seconds: number) =>
      `${titles} did not stop within ${seconds} seconds and ${count === 1 ? 'was' : 'were'} ended`,
    /** What closing does to the work that runs. */
    does: {
      restore:
        'Closing stops it. An unfinished restore is then finished or undone from the overview of the node.',
      scavenge:
        'Closing stops it in an orderly way. What is done is kept, and the next scavenge resumes there.',
      undo: 'Closing stops it. An unfinished undo is then finished from the scavenge view of the node; until then no server starts there.',
      repair: 'Closing stops it. Each file is left in its old or its new form; start it again to finish it.',
      extract:
        'Closing stops it. Nothing is left under the final name; the same request continues with what is there.',
      backup: 'Closing stops it. The next backup resumes with what was copied.',
      eraseInBackup:
        'Closing stops it. The old generation of the backup is whole; erase in it again to make the new one.',
      rekey: 'Closing stops it. Each backup has its old keys or the new ones; start it again to finish it.',
      prune: 'Closing stops it. Backups that are still listed are whole.',
      other: 'Closing stops it. It has not changed anything in the database.'
    },
    /** What is left of work that was ended in the middle. */
    left: {
      restore:
        'The restore is unfinished: finish or undo it from the overview of the node. Until then no server starts there.',
      scavenge: 'What is done is kept, and nothing half-written is in use. The next scavenge resumes there.',
      undo: 'The undo may be unfinished: finish it from the scavenge view of the node. Until then no server starts there.',
      repair: 'Each file has its old or its new form. Start it again to finish it.',
      extract: 'Nothing is left under the final name. The same request continues with what is there.',
      backup: 'The next backup resumes with what was copied.',
      eraseInBackup: 'The old generation of the backup is whole. Erase in it again to make the new one.',
      rekey: 'Each backup has its old keys or the new ones. Start it again to finish it.',
      prune: 'Backups that are still listed are whole.',
      other: 'It has not changed anything in the database.'
    }
  },
  notices: {
    failed: (code: string) => `Failed: ${code}. The window shows what to do next.`,
    stopped: 'Stopped. What is done is kept.',
    done: 'Done.'
  },
  crash: {
    message: 'The page of this window keeps crashing',
    detail: (reason: string) =>
      `The last reason was "${reason}". Running work continues, and its result is kept.`,
    reload: 'Reload page',
    leave: 'Leave it'
  }
} as const;

export type WindowTexts = Translation<typeof english>;
