/** Texts of what is taken out of a database: events as a file, and a support bundle. */
export const extractTexts = {
  extract: {
    title: 'Extract and give away',
    output: 'Folder',
    noOutput: 'none chosen',
    choose: 'Choose a folder…',
    chooseFirst: 'Choose a folder first: a new file is made in it, and nothing there is replaced.',
    stopped: 'Stopped. The same request continues with what was written.',
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
      button: 'Make the bundle',
      made: (records: string, chunks: string) => `The bundle is made: ${records} in ${chunks}.`,
      directory: 'Bundle',
      key: 'Key',
      keyNote: 'keep it, do not send it',
      packed: 'Small file',
      left: 'Payload left out',
      notThere: 'Not in it',
      unreadable: 'Not read'
    }
  }
} as const;
