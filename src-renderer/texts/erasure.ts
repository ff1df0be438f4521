/** Texts of the view Erasure. Values come in formatted. */
export const erasureTexts = {
  erasure: {
    title: 'Erasure',
    intro:
      'Finds every trace of streams, categories or events: it reads each byte of the database, of copies beside it and of its backups, and changes nothing. Use it before a deletion to see all places, and after the clean-up as proof.',
    streams: 'Streams',
    streamsHint: 'one per line',
    categories: 'Categories',
    categoriesHint: 'order: all streams order-…; several separated by spaces',
    events: 'Event ids',
    eventsHint: 'several separated by spaces',
    run: 'Check',
    again: 'Check again',
    compare: 'Check again and compare',
    earlier: {
      label: 'Compare with a saved report',
      choose: 'Choose a report…',
      hint: 'The JSON of an earlier report. The check runs with the names above.',
      wrong: 'This file is no erasure report. Choose the JSON that “Save” wrote.'
    },
    backups: (target: string) => `Includes the backups in ${target}.`,
    noBackups: 'This node has no backup target in a directory, so no backups are checked.',
    chooseBackups: 'Choose a target in Backups',
    none: 'The places are listed here, each with its remedy.',
    erased: 'Nothing is left.',
    erasedHere: 'Nothing was found, but not everything could be checked.',
    namesLeft: 'No data is left, but names or references are.',
    left: 'Data is left.',
    examined: (files: string, bytes: string) => `${files} examined, ${bytes}.`,
    print: 'Print…',
    savePage: 'Save as HTML…',
    saveJson: 'Save as JSON…',
    saved: (file: string) => `Saved as ${file}.`,
    asked: { stream: 'Stream', category: 'Category', event: 'Event' },
    states: { erased: 'erased', data: 'data erased, name left', left: 'not erased', open: 'nothing found' },
    columns: {
      place: 'Place',
      what: 'What',
      file: 'File',
      count: 'Count',
      first: 'First at',
      remedy: 'Remedy'
    },
    kinds: {
      log: 'log',
      index: 'index',
      scavengeState: 'scavenge state',
      backup: 'backup',
      supersededChunk: 'older chunk',
      temporaryFile: 'temporary file',
      slack: 'after the end of the log',
      other: 'other file'
    },
    what: {
      event: 'events with their data',
      redacted: 'redacted events, data overwritten',
      tombstone: 'tombstone, the name',
      metadata: 'metadata, the name',
      link: 'links to its events',
      mention: 'mentions elsewhere',
      indexEntry: 'index entries, the hash',
      name: 'the name',
      bytes: 'bytes outside records'
    },
    placesOf: (name: string) => `Places of ${name}`,
    names: (count: string) => `${count} found`,
    notExamined: 'Not examined',
    notExaminedHint: 'While anything is listed here, the report proves nothing.',
    notes: 'What this report cannot know',
    files: (count: string) => `${count} with their SHA-256`,
    since: (time: string) => `Since the report of ${time}`,
    unchanged: (files: string) => `${files} unchanged.`,
    changes: { changed: 'changed', gone: 'removed', new: 'new' }
  },
  redaction: {
    title: 'Redaction',
    intro:
      'Overwrites the data of these events in the chunk files; the events stay, with empty data for readers. Stream, type, id and metadata are not touched, and backups are not reached.',
    plan: (events: string) => `Redact ${events}`,
    planTitle: 'Plan of the redaction',
    overwritten: 'Overwritten',
    of: (records: string, bytes: string) => `data of ${records}, ${bytes}`,
    chunks: 'Made again',
    removed: 'Removed as well',
    space: 'Space needed meanwhile',
    free: (bytes: string) => `${bytes} free`,
    refused: 'Refused',
    notFound: 'Not in the log',
    nothing: 'There is nothing to overwrite.',
    dismiss: 'Dismiss',
    start: 'Overwrite for good',
    confirmTitle: (node: string) => `Redact events in ${node}?`,
    confirm: (records: string) =>
      `The data of ${records} are overwritten. They can only come back from a backup that still holds them.`,
    done: (records: string) =>
      `The data of ${records} are overwritten. Check again for what else holds them.`,
    stopped: 'The redaction was stopped between two chunks: plan it again to do the rest.',
    chunk: (before: string, after: string) => `${before} became ${after}`
  }
};
