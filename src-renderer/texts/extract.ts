/** Texts of what is taken out of a database: events as a file, streams as a new database, and a support bundle. */
export const extractTexts = {
  extract: {
    title: 'Extract and give away',
    output: 'Folder',
    noOutput: 'none chosen',
    choose: 'Choose a folder…',
    chooseFirst: 'Choose a folder first: a new file is made in it, and nothing there is replaced.',
    stopped: 'Stopped. The same request continues with what was written.',
    source: {
      label: 'From',
      hint: 'Of events and streams; a support bundle is always made of the node.',
      node: (name: string) => `This node, ${name}`,
      backup: (when: string, kind: string) => `Backup of ${when}, ${kind}`,
      newestIn: (path: string) => `The newest backup in ${path}`,
      choose: 'Choose a directory or backup…',
      noList: (why: string) => `The backups could not be listed: ${why}`
    },
    streams: {
      title: 'Export streams',
      intro:
        'Makes a new database that holds only these streams, with their numbers, metadata and tombstones: a server opens it. Log positions are new. The source is only read.',
      streamsHint: 'One name a line.',
      startAfresh: 'Start afresh',
      startAfreshHint: 'Forgets an unfinished export in this folder instead of continuing it.',
      plan: 'Plan the export',
      planTitle: 'Plan of the export',
      reads: 'Reads',
      readsOf: (bytes: string, end: string) => `${bytes} of chunk files, to position ${end}`,
      continues: 'Continues at',
      source: 'From',
      start: 'Make the new database',
      dismiss: 'Dismiss',
      done: (events: string) => `The new database has ${events}; all of the log could be read.`,
      directory: 'New database',
      records: 'Events',
      recordsOf: (bytes: string) => `${bytes} of records`,
      written: 'Written',
      writtenOf: (chunks: string, end: string, entries: string) =>
        `${chunks}, log to ${end}, ${entries} in the index`,
      links: 'Links',
      linksOf: (links: string, dangling: string) =>
        `${links}, of which ${dangling} lead to streams that were not chosen`
    },
    events: {
      title: 'Extract events',
      intro:
        'Writes events as rows: everything that lies in the log, whatever rules of retention would hide, also past damage. The database is only read.',
      streams: 'Streams',
      streamsHint: 'One name a line; empty: all.',
      categories: 'Categories',
      categoriesHint: 'What comes before the first dash; one a line.',
      types: 'Event types',
      typesHint: 'One a line; empty: all.',
      from: 'From',
      fromHint: 'The first moment (UTC); empty: the beginning.',
      to: 'Until',
      toHint: 'The moment after the last (UTC); empty: the end.',
      format: 'Form',
      formats: {
        jsonl: { name: 'JSON lines', hint: 'One object a line, JSON data as JSON.' },
        csv: { name: 'CSV', hint: 'For spreadsheets.' },
        parquet: { name: 'Parquet', hint: 'For analysis; small, and read in columns.' }
      },
      system: 'Also streams of the system',
      systemHint: 'Those that begin with $, where no stream is named.',
      done: (events: string) => `${events} extracted; all of the log that was asked for could be read.`,
      button: 'Extract',
      file: 'File',
      count: 'Events',
      size: 'Size',
      checked: 'Counted again',
      unreadable: 'Not read',
      unreadableOf: (places: string, bytes: string) => `${places}, ${bytes}`,
      ranges: 'What could not be read',
      rangeColumns: { file: 'File', from: 'From', to: 'To', why: 'Why' }
    },
    bundle: {
      title: 'Support bundle',
      intro:
        'Makes a database of the same shape for those who are to help: the same sizes, positions, rules and index; names are others, payloads are not in it. Plans, usage and the doctor say of it what they say of this node.',
      tells:
        'It still tells how long names are, their punctuation, how often each comes and when. The key beside it turns names back: keep it, and do not send it.',
      headersOnly: 'Headers only',
      headersOnlyHint: 'Payloads are zeros throughout, which take hardly any room.',
      packs: 'Also as one small file',
      packsHint: 'A compressed archive beside it, to send.',
      lists: 'Also the table of names',
      listsHint: 'A file beside it that says what each name became. Keep it, do not send it.',
      usesKey: 'Key of the names',
      usesKeyHint: 'With the key of an earlier bundle the same names become the same again.',
      newKey: 'a new one, beside the bundle',
      chooseKey: 'Choose a key…',
      configuration: 'Configuration',
      configurationHint:
        'A copy goes with it, without paths, hosts, users and other values that could be secret.',
      noConfiguration: 'none',
      ownConfiguration: 'Take that of this node',
      chooseConfiguration: 'Choose a file…',
      leaveOut: 'Leave it out',
      button: 'Make the bundle',
      made: (records: string, chunks: string) => `The bundle is made: ${records} in ${chunks}.`,
      directory: 'Bundle',
      key: 'Key',
      keyNote: 'keep it, do not send it',
      packed: 'Small file',
      names: 'Table of names',
      configured: 'Configuration',
      configuredValue: 'a copy without values that could be secret',
      left: 'Payload left out',
      notThere: 'Not in it',
      unreadable: 'Not read'
    }
  }
} as const;
