/** Texts of log records: their list, their JSON, their fields and bytes. */
import { formatNoun } from '../format/count.ts';

export const recordsTexts = {
  records: {
    columns: {
      position: 'Position',
      kind: 'Kind',
      stream: 'Stream',
      number: 'Number',
      type: 'Type',
      time: (zone: string) => `Time (${zone})`,
      size: 'Bytes'
    },
    kinds: { prepare: 'prepare', commit: 'commit', system: 'system' },
    notCommitted: 'not committed',
    fields: 'Fields',
    data: 'Data',
    metadata: 'Metadata',
    notJson: (title: string) => `${title}: not JSON. Its bytes are below.`,
    notText: (title: string) => `${title}: not JSON, not even text. Its bytes are below.`,
    readingWhole: (bytes: string) => `Reading ${bytes}…`,
    cut: (shown: string, total: string) => `Shows the first ${shown} of ${total}.`,
    json: {
      label: 'Data and metadata as JSON',
      menu: 'Actions for the value',
      search: 'Search in names and values',
      previous: 'Previous match',
      next: 'Next match',
      searching: 'searching…',
      noHit: 'no match',
      hit: (place: string, of: string) => `${place} of ${of}`,
      copyValue: 'Copy value',
      copyPath: 'Copy path',
      copyWhole: (title: string) => `Copy ${title.toLowerCase()} as a whole`,
      tooLong: 'The clipboard takes 4 million characters.',
      wholeValue: (name: string) => `Whole value of ${name}`,
      firstOf: (shown: string, of: string) =>
        `The first ${shown} of ${of} characters: Copy value takes them all.`,
      foldAll: 'Fold all',
      unfoldAll: 'Unfold all',
      items: (count: string) => `[${count}]`,
      members: (count: string) => `{${count}}`,
      notJson: (title: string, characters: number) =>
        `${title}: not JSON (${formatNoun(characters, 'character')}).`,
      tooManyLines: (title: string) =>
        `${title}: JSON of more values than a tree can show. Its bytes are below.`
    },
    mark: {
      title: 'Scavenge',
      help: 'Whether the next scavenge keeps the record. The row menu and the details explain why.',
      keep: 'kept',
      discard: 'removable',
      unknown: 'not known',
      whyUnknown: 'Not known before the weights of the chunks are computed, or without a scavenge point.',
      until: (rule: string, time: string) => `${rule}, until ${time}`
    },
    none: 'Select a record to see its JSON, its fields and its bytes.',
    empty: 'There are no records here.',
    onlyStream: 'Only records of this stream',
    copyPosition: 'Copy the position',
    hex: 'Bytes of the record',
    hexGrid: 'Bytes',
    legend: 'Colours of the fields',
    offsets: 'Offsets',
    base: { decimal: 'Dec', hexadecimal: 'Hex' },
    offsetsIn: { decimal: 'Offsets in decimal', hexadecimal: 'Offsets in hexadecimal' },
    meaning: {
      length: 'Lengths',
      number: 'Numbers',
      name: 'Names',
      id: 'Ids',
      time: 'Time',
      data: 'Data',
      metadata: 'Metadata'
    },
    ofLog: 'Records of the log',
    filter: 'Record filter',
    filterHint: 'stream:order-* type:Created kind:prepare after:2026-01-01 pos>4096',
    completions: 'Suggestions',
    keyHelp: {
      'stream:': 'name of the stream, * for anything',
      'type:': 'event type, * for anything',
      'kind:': 'prepare, commit or system',
      'flag:': 'a flag of the record',
      'after:': 'from this day or time on, UTC',
      'before:': 'before this day or time, UTC',
      'pos>': 'after this log position',
      'pos<': 'before this log position',
      'number:': 'event number; also number>5',
      'size>': 'bytes including both length fields; also 1k, 2M',
      'id:': 'event id'
    } as Record<string, string>,
    searching: (share: string) => `searching, ${share} read`,
    stoppedAt: (share: string) => `${share} read`,
    continueSearch: 'Continue search',
    soFar: (count: string) => `${count} so far`,
    noMatch: 'No record matches the filter.',
    copyJson: 'Copy as JSON',
    goTo: 'Go to position',
    noPosition: 'A position is a whole number.'
  }
} as const;
