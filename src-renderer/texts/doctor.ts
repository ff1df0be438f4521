/** Texts of "Will a server start here?", the first part of the view Verify. */
export const doctorTexts = {
  doctor: {
    title: 'Will a server start here?',
    checked: (age: string) => `checked ${age}`,
    options: 'More options',
    optionsHint: 'Another server, or a thorough check',
    check: 'Check start',
    again: 'Check again',
    none: 'Not checked yet.',
    version: 'Server version',
    byChunks: 'as detected from the chunks',
    thorough: 'Thorough',
    thoroughHint: 'Reads everything that the server reads, however long it takes',
    unreadable: 'This cannot be told: the directory cannot be read.',
    stale: 'The database has changed since this check.',
    wouldDo: 'The server:',
    says: 'In its log:',
    hints: (count: string) => `${count}, for information`,
    deletes: (count: string) => `That start deletes ${count}`,
    work: 'Work during the start',
    rates: 'at the stated rates',
    inBackground: 'in the background',
    whatWork: {
      openChunks: 'Open the chunk files',
      hashTables: 'Hash the index tables',
      copyIndexAside: 'Copy the old index aside',
      readLogIntoIndex: 'Read the log into the index',
      loadFilter: 'Load the filter of existing streams',
      rebuildFilter: 'Rebuild the filter of existing streams',
      readLogIntoFilter: 'Read the log into the filter',
      hashChunks: 'Hash the chunks'
    },
    server: (version: string) => `Predicted for server version ${version}`,
    notChecked: 'Not checked',
    askHere: 'Will a server start here?'
  }
} as const;
