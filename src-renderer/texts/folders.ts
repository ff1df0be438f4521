import { counted } from '../format/count.ts';

/** Texts of the folder chooser, which stands in a browser where the window has a dialog of the system. */
export const foldersTexts = {
  folders: {
    titles: {
      database: 'Open a data directory',
      backupTarget: 'Choose a folder for backups',
      backups: 'Choose a folder with backups',
      restoreTo: 'Choose the data directory to restore to',
      index: 'Choose the index directory',
      scratch: 'Choose a folder for the test restore',
      rescueScratch: 'Choose a folder for the state of the rescue',
      output: 'Choose a folder for what is written'
    },
    hints: {
      database: 'The directory of a stopped node: it holds the chunk files and writer.chk.',
      backupTarget: 'Outside the database, preferably on another disk.',
      backups: 'A folder that Winnow backs up to, one backup in it, or a copy made by hand.',
      restoreTo: 'An empty folder, or the data directory of a stopped node.',
      index: 'Where the index of the restored database goes.',
      scratch: 'An empty folder with room for the whole database.',
      rescueScratch: 'On another volume than the database.',
      output: 'Outside the database. A new file or folder is made in it.'
    },
    path: 'Path on the machine of the service',
    placeholder: 'Choose below, or type a path',
    keys: 'Down and Up choose, Enter opens, Tab completes, Alt and Up goes to the folder above.',
    allowed: 'Allowed folders',
    up: 'Folder above',
    showHidden: 'Show hidden folders',
    cancel: 'Cancel',
    choose: 'Choose',
    list: 'Folders',
    loading: 'Reading…',
    again: 'Try again',
    kinds: {
      database: 'Database',
      index: 'Index',
      backups: 'Backups',
      backup: 'One backup',
      empty: 'Empty',
      other: ''
    },
    obstacles: {
      outside: 'Leads outside the allowed folders',
      unreadable: 'Cannot be read',
      missing: 'Does not exist',
      badName: 'Its name is not valid text'
    },
    noFolders: 'There are no folders here.',
    noMatch: (typed: string) => `No folder here begins with “${typed}”.`,
    noneAllowed: 'No folder is allowed yet. Start the service with --allow-path DIR.',
    moreAllowed: 'For other folders, the service is started with --allow-path DIR.',
    notReadable: 'The service may not read this folder.',
    gone: 'This folder does not exist.',
    cut: 'Not all folders are listed: there are too many. Type the path of another one.',
    count: (count: number) => counted(count, 'folder'),
    isNew: 'This folder does not exist yet. “Choose” creates it.',
    fits: {
      database: {
        backupTarget: 'This is a database. Backups go outside it.',
        scratch: 'This is a database. The test restore needs an empty folder.',
        rescueScratch: 'This is a database. Choose a folder outside it.',
        output: 'This is a database. Choose a folder outside it.',
        index: 'This is a database. Its index goes elsewhere.',
        restoreTo: 'This is a database. The plan of the restore says what becomes of its files.'
      },
      index: {
        database: 'This is an index. Choose the data directory beside it.',
        backupTarget: 'This is an index. Backups go elsewhere.',
        output: 'This is an index. Choose another folder.',
        scratch: 'This is an index. The test restore needs an empty folder.',
        restoreTo: 'This is an index, not a data directory.'
      },
      backup: {
        database: 'This is a backup. Restore it to a folder of its own first.',
        backupTarget: 'This is one backup. Choose the folder that holds it.',
        restoreTo: 'This is a backup. Restore to another folder.',
        scratch: 'This is a backup. The test restore needs an empty folder.'
      },
      backups: {
        database: 'Backups are kept here. Restore one to a folder of its own first.',
        backupTarget: 'Backups are kept here already. New ones join them.',
        restoreTo: 'Backups are kept here. Restore to another folder.',
        scratch: 'Backups are kept here. The test restore needs an empty folder.'
      },
      other: {
        database: 'There is no database in this folder.',
        scratch: 'This folder holds other files. The test restore needs an empty folder.',
        restoreTo: 'This folder holds other files. The plan of the restore says whether that is possible.'
      }
    }
  }
} as const;
