/** Texts of "Will a server start here?", the first part of the view Verify. */
export const doctorTexts = {
  doctor: {
    title: 'Will a server start here?',
    intro: 'Goes through the start of a server without starting one. It only reads.',
    look: 'Look',
    again: 'Look again',
    none: 'Nobody has looked yet.',
    version: 'Server version',
    byChunks: 'as the chunks tell',
    thorough: 'Thorough',
    thoroughHint: 'Reads everything that the server reads, however much that is',
    stale: 'The database was changed after this look.',
    wouldDo: 'The server:',
    says: 'In its log:',
    damage: 'Reasons',
    hints: (count: string) => `${count}, for information`,
    deletes: (count: string) => `That start deletes ${count}`,
    work: 'What the start has to do',
    rates: 'at stated rates',
    inBackground: 'in the background',
    whatWork: {
      hashTables: 'Hash the index tables',
      copyIndexAside: 'Copy the old index aside',
      readLogIntoIndex: 'Read the log into the index',
      hashChunks: 'Hash the chunks'
    },
    server: (version: string) => `Judged for a server ${version}`,
    notChecked: 'Not looked at',
    askHere: 'Will a server start here?'
  }
} as const;
