/** Texts of the views that show a database. */
import type { ChunkDecision } from '../../src-core/units/scavenge-terms.ts';
import { byCount, formatNoun } from '../format/count.ts';

export const databaseTexts = {
  overview: {
    lastScavenged: {
      history: (age: string) => `last scavenged ${age}`,
      files: (age: string) => `last scavenged ${age} at the latest`,
      unknown: () => 'time of the last scavenge not known',
      never: () => 'never scavenged'
    },
    asItWas: (size: string) => `It cannot be read now. Last known size: ${size}.`,
    health: 'Health',
    logTitle: 'The log, from its start to its end',
    logHint: 'The height shows what is still on disk.',
    figures: 'Figures',
    data: 'Data',
    index: 'Index',
    state: 'Scavenge state',
    free: 'Free disk',
    chunks: 'Chunk files',
    logical: 'Logical chunks',
    scavenged: 'scavenged',
    merged: 'merged',
    entries: 'Index entries',
    lastEpoch: 'Last epoch',
    points: 'Scavenge points',
    sinceLast: (change: string, age: string) => `${change} since ${age}`,
    checkpoints: 'Checkpoints',
    checkpoint: {
      writer: 'the log ends here',
      chaser: 'processed up to here',
      epoch: 'the last epoch record',
      proposal: 'the newest epoch number proposed',
      truncate: 'the server truncates the log here at its next start',
      index: 'the index on disk covers the log up to here',
      scavenge: 'a scavenge has read the log up to here'
    },
    /** Where nothing is set, what that means. */
    checkpointUnset: {
      writer: 'writer.chk is missing: where the log ends is not known',
      chaser: 'the server reads the whole log at its next start',
      epoch: 'the server searches for the last epoch itself',
      proposal: 'no election yet',
      truncate: 'nothing to truncate',
      index: 'no index on disk yet: the server builds it from the log',
      scavenge: 'no scavenge has read the log yet'
    },
    unset: 'none',
    behindWriter: (bytes: string) => `${bytes} behind the writer`,
    atWriter: 'at the writer',
    freeQuestion: 'What would a scavenge free?',
    freeExplained: 'An exact dry run: it reads the log and writes nothing to the database.',
    compute: 'Compute the plan',
    computeAgain: 'Compute again',
    computing: 'Computing the plan…',
    answer: (bytes: string, share: string, chunks: string) =>
      `A scavenge would free ${bytes} (${share}) by rewriting ${chunks}.`,
    answerParts: (log: string, index: string) => `${log} of chunk files, ${index} of index tables.`,
    answerNothing: 'A scavenge would free nothing: no completed chunk holds anything to remove.',
    changedSince: (change: string) => `The log has changed by ${change} since.`,
    axis: 'Scale',
    axes: { position: 'by position', time: 'by time' },
    legend: { epoch: 'epoch', point: 'scavenge point' },
    epochAt: (number: string, position: string) => `Epoch ${number} at ${position}`,
    remedies: {
      verify: 'Verify this database',
      rebuild: 'Plan an index rebuild',
      plan: 'Compute the plan',
      check: 'Check again',
      records: 'Show where the log would be truncated'
    },
    computedAgo: (age: string) => `Computed ${age}.`,
    showPlan: 'Show the plan',
    resume: 'Resume scavenge'
  },

  chunks: {
    mapTitle: 'Chunk map',
    colourBy: 'Colour by',
    colours: {
      removable: 'removable share',
      freed: 'share already freed',
      size: 'size on disk',
      age: 'age',
      version: 'file version',
      weight: 'weight'
    },
    needsPlan: 'Compute the plan to see what is removable.',
    barColumn: { planned: 'Live · removable · freed', unplanned: 'In the file · freed' },
    gap: { missing: 'missing', unreadable: 'unreadable' },
    gapTitle: (count: number, range: string, state: string) =>
      `${byCount(count, 'Chunk', 'Chunks')} ${range} ${byCount(count, 'is', 'are')} ${state}`,
    gapHint:
      'The log needs this chunk, and no usable file in the directory contains it. Reading the log stops here.',
    showFinding: 'Show the finding',
    toFinding: 'finding',
    columns: {
      range: 'Chunk',
      file: 'File',
      state: 'State',
      version: 'Version',
      size: 'On disk',
      weight: 'Weight',
      first: 'First event',
      last: 'Last event'
    },
    columnHelp: {
      state:
        'Active: still written to. Completed: never rewritten. Scavenged: rewritten. Merged: several chunks in one file.',
      version: 'How often the file was rewritten.',
      bar: 'What is live, what a scavenge could remove, and what earlier ones have removed.',
      weight: 'About twice the number of records that a scavenge would remove.'
    },
    copyName: 'Copy the file name',
    zoom: 'Cell size',
    zoomIn: 'Larger cells',
    zoomOut: 'Smaller cells',
    written: 'Written',
    compare: {
      title: 'Compare',
      with: 'With',
      plan: 'what a scavenge would leave',
      backup: 'the newest backup',
      button: 'Compare',
      explained: 'Which records another version of this chunk holds, or would hold.',
      computing: 'Comparing…',
      before: 'Before',
      after: 'After',
      planned: 'as a scavenge would leave it',
      fileFacts: (size: string, records: string) => `${size}, ${records}`,
      removed: (records: string, bytes: string) => `${records} removed, ${bytes}.`,
      wouldGo: (records: string, bytes: string) => `${records} would be removed, ${bytes}.`,
      nothing: 'Both hold the same records.',
      added: (records: number) =>
        `${formatNoun(records, 'record')} ${byCount(records, 'is', 'are')} only in the newer version: these are not two versions of one chunk.`,
      streams: (count: string) => `By stream (${count})`,
      noStream: 'commits and system records',
      rows: (shown: string, total: string) =>
        shown === total ? `Records (${total})` : `Records (the first ${shown} of ${total})`
    },
    state: { active: 'active', completed: 'completed', scavenged: 'scavenged', merged: 'merged' },
    legend: {
      unknown: 'not known yet',
      live: 'live',
      removable: 'removable',
      freed: 'freed',
      active: 'active',
      scavenged: 'scavenged'
    },
    /** Of a file that no plan has read. */
    unknownShare: (bytes: string) => `${bytes} not yet known to be live or removable`,
    barTitleUnknown: (bytes: string, freed: string) =>
      `${bytes} in the file, not yet known to be live or removable; ${freed} already freed`,
    barTitle: (live: string, removable: string, freed: string) =>
      `${live} live, ${removable} removable, ${freed} already freed`,
    chunk: (range: string) => `Chunk ${range}`,
    records: 'Show the records',
    showChunk: 'Show the chunk',
    recordsOf: (range: string) => `Records of chunk ${range}`,
    backToChunk: 'Back to the chunk',
    copy: 'Copy',
    header: 'Header',
    footer: 'Footer',
    noFooter: 'No footer: this is the active chunk, which is not completed yet.',
    map: 'Position map',
    mapEntries: (count: number) => formatNoun(count, 'entry', 'entries'),
    mapLogical: 'logical',
    mapPhysical: 'physical',
    fileName: 'Name',
    fileSize: 'Size',
    modified: 'Modified',
    mode: 'Mode',
    logicalRange: 'Log positions',
    recordCount: 'Records',
    plan: 'In the plan',
    planned: (before: string, after: string, records: string) =>
      `${before} becomes ${after}, ${records} removed`,
    decision: {
      rewritten: 'rewritten',
      emptied: 'emptied',
      skipped: 'unchanged',
      keptLarger: 'kept: not smaller',
      merged: 'merged'
    } satisfies Record<ChunkDecision, string>,
    other: 'Other files in the directory',
    superseded: 'superseded: a newer version of the chunk is in use',
    leftover: 'left over: no server reads it',
    none: 'Select a chunk to see its header, footer and records.',
    empty: 'This directory holds no chunks.'
  },

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
    notJson: 'Not JSON: its bytes are on the right.',
    cut: (shown: string, total: string) => `Shows the first ${shown} of ${total}.`,
    none: 'Select a record to see its fields and bytes.',
    empty: 'There are no records here.',
    onlyStream: 'Only records of this stream',
    copyPosition: 'Copy the position',
    hex: 'Bytes of the record',
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
  },

  streams: {
    search: 'Search streams: part of a name, or order-*',
    parts: 'Parts of the stream',
    tabs: { events: 'Events', metadata: 'Metadata', places: 'Places' },
    history: 'Metadata, newest first',
    noHistory: 'No metadata was ever written, or none is left.',
    inForce: 'in effect',
    replaced: 'replaced',
    noRulesIn: 'no rules',
    notJson: 'not JSON: readers treat it as no metadata',
    versionTitle: (number: string) => `Version ${number}`,
    places: 'Chunks that hold its events',
    placeColumns: { chunk: 'Chunk', file: 'File', events: 'Events', bytes: 'Bytes', first: 'First position' },
    noPlaces: 'The index contains no event of this stream.',
    gone: (entries: number) =>
      `${formatNoun(entries, 'entry', 'entries')} of the index ${byCount(entries, 'points to an event', 'point to events')} that a scavenge has removed.`,
    foreign: (entries: number) =>
      `${formatNoun(entries, 'entry', 'entries')} ${byCount(entries, 'belongs to another stream', 'belong to other streams')} with the same hash.`,
    cutAt: (entries: number) =>
      `Only the newest ${formatNoun(entries, 'entry', 'entries')} ${byCount(entries, 'was', 'were')} read.`,
    columns: {
      stream: 'Stream',
      state: 'State',
      events: 'Events',
      bytes: 'Bytes',
      rules: 'Rules',
      range: 'First – last'
    },
    state: {
      live: 'live',
      truncated: 'truncated',
      softDeleted: 'soft-deleted',
      hardDeleted: 'hard-deleted',
      metadataOnly: 'metadata only'
    },
    stateExplained: {
      live: 'A reader sees all of its events.',
      truncated: 'A reader no longer sees its first events.',
      softDeleted: 'Deleted; it can be written to again and then continues with the next number.',
      hardDeleted: 'Deleted for good by a tombstone; it cannot be written to again.',
      metadataOnly: 'It has only metadata and never had an event.'
    },
    none: 'Select a stream to see its events.',
    empty: 'This log holds no streams.',
    noMatch: (search: string) => `No stream matches “${search}”.`,
    noRules: 'none',
    rules: {
      maxCount: (count: string) => `keep ${count}`,
      maxAge: (age: string) => `keep for ${age}`,
      truncateBefore: (number: string) => `from number ${number}`,
      deleted: 'deleted'
    },
    hash: 'Hash',
    events: 'Events, as a reader sees them',
    noEvents: 'A reader sees no events.',
    columnHelp: {
      state: 'What a reader sees of the stream: all events, only the newer ones, or none.',
      events: 'Events in the log, also those that a reader no longer sees.',
      bytes: 'Bytes that its records take in the chunk files. The bar compares it with the largest stream.',
      rules: 'Metadata rules by which events expire.'
    },
    show: 'Show the stream',
    showRecords: 'Show its records in the log',
    copyName: 'Copy the name',
    physical: 'Physically in the log',
    acl: 'Access list'
  },

  index: {
    title: 'Index',
    none: 'There is no index map. The server builds the index from the log at its next start.',
    mapVersion: 'Map version',
    prepare: 'Prepare checkpoint',
    commit: 'Commit checkpoint',
    entries: 'Entries in tables',
    behind: 'Entries only in the log',
    level: (level: number) => `Level ${level}`,
    columns: {
      level: 'Level',
      file: 'Table',
      version: 'Version',
      entries: 'Entries',
      hashes: 'Hashes',
      filter: 'Filter',
      md5: 'MD5'
    },
    mapText: 'Index map as text',
    noMap: 'There is no index map.',
    choose: 'Select a table to see its filter and entries, or look up a stream.',
    detail: {
      title: (table: string) => `Table ${table}`,
      size: 'Size',
      version: (version: number) => `version ${version}`,
      midpoints: 'Midpoints',
      filter: 'Filter',
      noFilter: 'none',
      bits: (count: number) => formatNoun(count, 'bit'),
      fill: 'Filled',
      fillOf: (share: string) => `${share} of its bits set`,
      falsePositives: 'False positives',
      damaged: 'Damaged lines',
      hash: 'Hash',
      entriesOf: (table: string) => `Entries of ${table}`,
      noEntries: 'This table holds no entries.'
    },
    lookUpOf: (stream: string) => `Index look-up of ${stream}`,
    hashes: (xx: string, murmur: string) => `xxHash ${xx}, murmur ${murmur}`,
    tablesAsked: 'Tables searched',
    inLog: 'entries only in the log',
    filterSays: { no: 'the filter says no', maybe: 'the filter says maybe', none: 'no filter' },
    entriesFound: (count: string) => `${count} found`,
    otherStream: (stream: string) => `of ${stream}`,
    goneRecord: 'its record was removed',
    back: 'Back to the table',
    hasFilter: 'yes',
    noFilter: 'no',
    lookUp: 'Look up a stream',
    lookUpHint: 'Name of a stream',
    lookUpButton: 'Look up',
    found: (entries: string, hash: string) => `${entries} for hash ${hash}`,
    first: (count: string) => `Shows the first ${count}.`,
    foundNothing: 'No entry in the index.',
    lookUpColumns: { number: 'Number', position: 'Position', record: 'Record', table: 'Table' }
  }
} as const;
