/** Texts of the views that show a database. */
export const databaseTexts = {
  overview: {
    neverScavenged: 'never scavenged',
    lastScavenged: (age: string) => `last scavenged ${age}`,
    stopped: 'stopped',
    nothingWrong: 'nothing is wrong',
    warnings: (count: string) => `${count} to look at`,
    logTitle: 'The log, from its start to its end',
    logHint: 'Each bar is a piece of the log: its height is what is still on disk.',
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
      chaser: 'indexed and handed on up to here',
      epoch: 'the last epoch record',
      proposal: 'the newest epoch number proposed',
      truncate: 'at its next start the server cuts the log here',
      index: 'the index on disk covers the log up to here',
      scavenge: 'a scavenge has read the log up to here'
    },
    /** Where nothing is set, what that means. */
    checkpointUnset: {
      writer: 'writer.chk is missing: where the log ends is not known',
      chaser: 'the server goes through the whole log at its next start',
      epoch: 'the server looks for the last epoch itself',
      proposal: 'no election yet',
      truncate: 'nothing is to be cut off',
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
    answerNothing: 'A scavenge would free nothing: no completed chunk holds anything to remove.',
    computedAgo: (age: string) => `Computed ${age}.`,
    showPlan: 'Show the plan',
    unfinished: (stage: string) => `An unfinished scavenge stopped in ${stage}.`,
    resume: 'Go on with it'
  },

  chunks: {
    mapTitle: 'Map of chunk files',
    colourBy: 'Colour by',
    colours: {
      removable: 'removable share',
      freed: 'share freed before',
      size: 'size on disk',
      version: 'file version',
      weight: 'weight'
    },
    needsPlan: 'Compute the plan to see what is removable.',
    columns: {
      range: 'Chunk',
      file: 'File',
      state: 'State',
      version: 'Version',
      size: 'On disk',
      bar: 'Live · removable · freed',
      weight: 'Weight'
    },
    state: { active: 'active', completed: 'completed', scavenged: 'scavenged', merged: 'merged' },
    legend: {
      live: 'live',
      removable: 'removable',
      freed: 'freed',
      active: 'active',
      scavenged: 'scavenged'
    },
    barTitle: (live: string, removable: string, freed: string) =>
      `${live} live, ${removable} removable, ${freed} freed before`,
    chunk: (range: string) => `Chunk ${range}`,
    records: 'Show the records',
    recordsOf: (range: string) => `Records of chunk ${range}`,
    backToChunk: 'Back to the chunk',
    copy: 'Copy',
    header: 'Header',
    footer: 'Footer',
    noFooter: 'No footer: this is the active chunk, it is not completed yet.',
    map: 'Position map',
    mapEntries: (count: string) => `${count} entries`,
    mapLogical: 'logical',
    mapPhysical: 'physical',
    fileName: 'Name',
    fileSize: 'Size',
    modified: 'Changed',
    mode: 'Mode',
    logicalRange: 'Log positions',
    recordCount: 'Records',
    plan: 'In the plan',
    planned: (before: string, after: string, records: string) =>
      `${before} becomes ${after}, ${records} removed`,
    decision: {
      rewritten: 'rewritten',
      emptied: 'emptied',
      skipped: 'left as it is',
      keptLarger: 'kept: no smaller',
      merged: 'merged'
    },
    other: 'Other files in the directory',
    superseded: 'superseded: a newer version of the chunk is in use',
    leftover: 'left over: no server reads it',
    none: 'Choose a chunk to see its header, footer and records.',
    empty: 'This directory holds no chunk.'
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
    fields: 'Fields',
    data: 'Data',
    metadata: 'Metadata',
    notJson: 'Not JSON: its bytes are on the right.',
    cut: (shown: string, total: string) => `The first ${shown} of ${total} are shown.`,
    none: 'Choose a record to see its fields and bytes.',
    empty: 'There is no record here.',
    hex: 'Bytes of the record',
    ofLog: 'Records of the log',
    filter: 'Filter of the records',
    filterHint: 'stream:order-* type:Created kind:prepare after:2026-01-01 pos>4096',
    completions: 'What can be written here',
    keyHelp: {
      'stream:': 'name of the stream, * for anything',
      'type:': 'event type, * for anything',
      'kind:': 'prepare, commit or system',
      'flag:': 'a flag of the record',
      'after:': 'from this day or time on, UTC',
      'before:': 'before this day or time, UTC',
      'pos>': 'behind this log position',
      'pos<': 'below this log position',
      'number:': 'event number; also number>5',
      'size>': 'bytes with both lengths; also 1k, 2M',
      'id:': 'event id'
    } as Record<string, string>,
    searching: (share: string) => `searching, ${share} looked at`,
    stoppedAt: (share: string) => `${share} looked at`,
    goOn: 'Go on',
    soFar: (count: string) => `${count} so far`,
    noMatch: 'No record is what the filter asks for.',
    goTo: 'Go to position',
    noPosition: 'A position is a whole number.'
  },

  streams: {
    search: 'Search streams',
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
      truncated: 'A reader does not see its first events any more.',
      softDeleted: 'Deleted; it can be written to again and then goes on with the next number.',
      hardDeleted: 'Deleted for good by a tombstone; it cannot be written to again.',
      metadataOnly: 'Only metadata was ever written, no event.'
    },
    none: 'Choose a stream to see its events.',
    empty: 'This log holds no stream.',
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
    noEvents: 'A reader sees no event.',
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
    behind: 'Entries only the log holds',
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
    hasFilter: 'yes',
    noFilter: 'no',
    lookUp: 'Look up a stream',
    lookUpHint: 'Name of a stream',
    lookUpButton: 'Look up',
    found: (entries: string, hash: string) => `${entries} for hash ${hash}`,
    first: 'the first ',
    foundNothing: 'No entry in the index.',
    lookUpColumns: { number: 'Number', position: 'Position', table: 'Table' }
  }
} as const;
