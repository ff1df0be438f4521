/** Texts of the comparison of nodes and backups. Values come in formatted. */
export const compareTexts = {
  compare: {
    title: 'Same log?',
    intro:
      'Compares the logs record by record, whatever was scavenged or merged, and changes nothing. What only one side has is explained by the rule that removed it on the other, where there is one.',
    with: 'Compare with',
    backup: (target: string) => `The newest backup in ${target}`,
    chosen: (place: string) => `The directory or backup ${place}`,
    choose: 'Choose a directory or backup…',
    readAll: 'Also read files whose stored hashes are equal',
    readAllHint: 'Without this, files of both sides that end with the same hash count as equal.',
    button: 'Compare',
    again: 'Compare again',
    alone: 'This node is the only one in the list. Open another one, or choose a directory or backup.',
    members: 'Same log on all members?',
    membersIntro: (first: string) =>
      `Compares every other member with ${first}, record by record, whatever was scavenged or merged on each. Run it before and after maintenance.`,
    allMembers: 'Compare all members',
    unopened: (names: string) => `Not compared, because they are not in the list of nodes: ${names}.`,
    remote:
      'The logs of these nodes cannot be compared from here: their files are not on this machine. Compare them where their files are, or compare their backups.',
    tooFew: 'A comparison needs two members whose directories are in the list of nodes.',
    results: 'Compared logs',
    columns: {
      side: 'Compared with',
      verdict: 'Result',
      equal: 'Equal, read',
      explained: 'Removed by rule',
      open: 'Not all right',
      behind: 'Behind'
    },
    verdicts: {
      equal: 'same log',
      explained: 'same log, scavenged differently',
      behind: 'same log, one is behind',
      notKnown: 'not known',
      differs: 'differs'
    },
    first: (name: string) => `Each was compared with ${name}.`,
    trusted: (files: string, bytes: string, proved: string) =>
      `${files} on both sides (${bytes}) not read: the stored hashes are equal. Verified on both sides: ${proved}.`,
    epochs: (number: string) => `Two histories: epoch ${number} is not the same on both.`,
    hash: (file: string, side: string) => `${file} of ${side} still has the hash that it ends with.`,
    hashLost: (file: string, side: string) =>
      `${file} of ${side} no longer has the hash that it ends with: it is damaged.`,
    rules: (side: string) => `Only in ${side}, removed by rule on the other side`,
    ranges: 'Ranges of the log',
    rangeColumns: {
      from: 'From',
      to: 'To',
      verdict: 'Result',
      how: 'Compared',
      equal: 'Equal records',
      what: 'What differs'
    },
    how: {
      hash: 'by stored hash, not read',
      bytes: 'byte by byte',
      records: 'record by record',
      none: ''
    },
    rangeVerdicts: {
      equal: 'equal',
      explained: 'explained',
      behind: 'behind',
      notKnown: 'not known',
      differs: 'differs'
    },
    parts: {
      differing: (records: string) => `other bytes in ${records}`,
      unreadable: (places: string) => `${places} unreadable`,
      only: (records: string, side: string, why: string) => `${records} only in ${side}, ${why}`,
      lag: (bytes: string) => `${bytes} on one side only`,
      byRule: 'by rule',
      byNoRule: 'by no rule',
      notKnown: 'not known why'
    },
    places: (shown: string, all: string) => `What is not all right: the first ${shown} of ${all}`,
    placeColumns: { position: 'Position', side: 'Side', record: 'Record', because: 'What was found' },
    both: 'both',
    foundAt: (side: string, file: string, offset: string, length: string, time: string) =>
      `In ${side}: ${file}, offset ${offset}, ${length}, written ${time}.`,
    bytes: (count: string, first: string, last: string) =>
      `Different: ${count}, between byte ${first} and byte ${last} of the record.`,
    record: (number: string, stream: string, type: string) => `${number} of ${stream}, ${type}`,
    unreadableRecord: 'not a record'
  }
};
