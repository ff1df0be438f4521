/** Texts of the view Erasure. Values come in formatted. */
export const erasureTexts = {
  erasure: {
    title: 'Where is something left?',
    intro:
      'Every byte of the database, of copies beside it and of its backups is read. Nothing is changed. Use it before a deletion to see all places, and after the clean-up as proof.',
    streams: 'Streams',
    streamsHint: 'one name on each line',
    categories: 'Categories',
    categoriesHint: 'order: all streams order-…; several separated by spaces',
    events: 'Event ids',
    eventsHint: 'several separated by spaces',
    run: 'Look',
    again: 'Look again',
    compare: 'Look again and compare',
    backups: (target: string) => `The backups in ${target} are looked at, too.`,
    noBackups: 'No directory of backups is known for this node, so none are looked at.',
    chooseBackups: 'Choose one in Backups',
    none: 'The places will be listed here, each with what to do about it.',
    erased: 'Nothing is left of what was asked for.',
    erasedHere: 'Nothing was found, but not everything was examined.',
    namesLeft: 'No data is left; names or references are.',
    left: 'Data is left.',
    examined: (files: string, bytes: string) => `${files} examined, ${bytes}.`,
    print: 'Print…',
    savePage: 'Save as a page…',
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
      slack: 'behind the end of the log',
      other: 'other file'
    },
    what: {
      event: 'events with their data',
      tombstone: 'tombstone, the name',
      metadata: 'metadata, the name',
      link: 'links to its events',
      mention: 'mentions elsewhere',
      indexEntry: 'index entries, the hash',
      name: 'the name',
      bytes: 'bytes outside of records'
    },
    more: (count: string) => `Show ${count} more`,
    names: (count: string) => `${count} found`,
    notExamined: 'Not examined',
    notExaminedHint: 'As long as something stands here, the report proves nothing.',
    notes: 'What such a report cannot know',
    files: (count: string) => `${count} with their SHA-256`,
    since: (time: string) => `Since the report of ${time}`,
    unchanged: (files: string) => `${files} unchanged.`,
    changes: { changed: 'changed', gone: 'gone', new: 'new' }
  }
};
