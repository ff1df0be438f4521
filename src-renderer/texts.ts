/**
 * Every text of the window, in one place. Sentence case, the field's own terms, numbers with units; no
 * exclamation marks. Values come in formatted: nothing here rounds.
 */
export const texts = {
  product: 'Winnow',

  frame: {
    nodes: 'Nodes',
    open: 'Open…',
    openHint: 'Open a database',
    search: 'Search or run…',
    back: 'Back',
    forward: 'Forward',
    refresh: 'Read again',
    collapse: 'Collapse the side bar',
    expand: 'Expand the side bar',
    theme: (theme: string) => `Theme: ${theme}. Click for the next one.`,
    themes: { system: 'as the system', light: 'light', dark: 'dark' },
    views: 'Views',
    skip: 'Skip to the view',
    copyPath: 'Copy the path',
    copyAddress: 'Copy the address of this place',
    loading: 'Reading the database…',
    stale: 'reading again…'
  },

  views: {
    overview: 'Overview',
    chunks: 'Chunks',
    streams: 'Streams',
    index: 'Index',
    scavenge: 'Scavenge',
    schedule: 'Schedule',
    verify: 'Verify'
  },

  status: {
    unknown: 'not looked at yet',
    stopped: 'stopped',
    inUse: 'in use',
    warned: 'findings',
    failed: 'cannot be read',
    working: 'working'
  },

  first: {
    title: 'Open a database',
    directory: 'Open a data directory',
    directoryHint: 'The folder that holds the chunk files and writer.chk. The index is found beside them.',
    configuration: 'Open a server configuration',
    configurationHint: 'The YAML file of the server. It names the data and the index directory.',
    sample: 'Create the sample database',
    sampleHint: 'About 64 MB with streams that expired, were truncated and were deleted. Made in a moment.',
    sampleRunning: 'Writing the sample database…',
    recent: 'Recent',
    noRecent: 'Databases you open are listed here.',
    forget: 'Remove from this list',
    rename: 'Rename',
    save: 'Save',
    cancel: 'Cancel',
    safety:
      'Looking changes nothing: every view but Scavenge only reads. A directory that a running server holds is opened read-only. A scavenge shows its plan before it writes anything; what it removes can only come back from a backup.'
  },

  inUse: {
    title: 'A running server holds this directory',
    by: (by: string, pid: number | null) =>
      pid === null ? `It is open in ${by}.` : `It is open in ${by} (process ${pid}).`,
    consequence: 'Everything here is read-only and may change while you look. Stop the server to scavenge.',
    badge: 'read-only'
  },

  engine: {
    died: 'The engine ended',
    explained:
      'Nothing half-written is in use: the next opening cleans up. Running work was stopped and can be resumed.',
    restart: 'Start the engine again'
  },

  error: {
    details: 'Details',
    copy: 'Copy',
    retry: 'Try again',
    dismiss: 'Dismiss',
    remedy: 'What to do'
  },

  work: {
    running: 'Running work',
    stop: 'Stop',
    stopping: 'stopping…',
    open: 'Open',
    idle: 'Nothing is running',
    freeDisk: (free: string) => `${free} free on the volume`,
    more: (count: number) => `and ${count} more`,
    freed: (bytes: string) => `${bytes} freed`,
    perSecond: (rate: string) => `${rate}/s`,
    ended: { done: 'done', stopped: 'stopped', failed: 'failed', running: 'running', stopping: 'stopping' },
    names: {
      verifyDatabase: 'Verify',
      planScavenge: 'Plan',
      runScavenge: 'Scavenge',
      writeSample: 'Sample database'
    }
  },

  units: {
    bytes: 'bytes',
    records: 'records',
    chunks: 'chunks',
    streams: 'streams',
    entries: 'entries',
    tables: 'tables',
    files: 'files'
  },

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
    epochs: 'Epochs',
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
    outdated: 'The log has grown since.',
    showPlan: 'Show the plan',
    unfinished: (stage: string) => `An unfinished scavenge stopped in ${stage}.`,
    resume: 'Go on with it',
    warningsTitle: 'To look at'
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
    fileFacts: 'File',
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
      rewritten: 'is rewritten',
      emptied: 'is emptied',
      skipped: 'is left as it is',
      keptLarger: 'is kept: rewriting would not make it smaller',
      merged: 'is merged with its neighbours'
    },
    other: 'Other files in the directory',
    superseded: 'superseded: a newer version of the chunk is in use',
    leftover: 'left over: no server reads it',
    none: 'Choose a chunk to see its header, footer and records.',
    empty: 'This directory holds no chunk.',
    filter: 'Filter chunks',
    onlyRemovable: 'Only with something to remove'
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
    bytes: 'Bytes',
    data: 'Data',
    metadata: 'Metadata',
    notJson: 'Not JSON: its bytes are on the right.',
    cut: (shown: string, total: string) => `The first ${shown} of ${total} are shown.`,
    none: 'Choose a record to see its fields and bytes.',
    empty: 'This chunk holds no record.',
    hex: 'Bytes of the record',
    offset: 'Offset'
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
    metadata: 'Metadata',
    acl: 'Access list',
    count: (shown: string, all: string) => `${shown} of ${all}`
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
    foundNothing: 'No entry in the index.',
    lookUpColumns: { number: 'Number', position: 'Position', table: 'Table' }
  },

  scavenge: {
    steps: { options: 'Options', plan: 'Plan', run: 'Run' },
    intro:
      'A scavenge copies each chunk that is worth it without the events that no reader can see any more, puts the copy in place of the old file, and takes the removed events off the index.',
    threshold: 'Threshold',
    thresholdHint:
      'The weight a chunk must reach to be rewritten: about twice the number of records that would go. 0 takes every chunk with anything to remove.',
    thresholdAll: 'Rewrite every completed chunk, whatever its weight',
    thresholdCurve: (bytes: string, share: string, chunks: string) =>
      `Frees ${bytes} (${share} of what is possible) by rewriting ${chunks}.`,
    threads: 'Threads',
    threadsHint: 'Chunks worked on at the same time. More is faster and asks more of the disk.',
    throttle: 'Speed',
    throttleHint: 'Below 100 % it rests between steps, so that other programs get their share of the disk.',
    throttleNeedsOne: 'Speed can be limited with one thread only.',
    merge: 'Join small neighbouring chunks into one file',
    placement: 'Where the scavenge ends (scavenge point)',
    placements: {
      auto: {
        name: 'Decide for me',
        hint: 'The newest scavenge point that was not reached yet; if there is none, a new one.'
      },
      existing: {
        name: 'An existing point only',
        hint: 'Nothing is written to the log. Without a point that was not reached yet nothing happens.'
      },
      detached: {
        name: 'Up to the last completed chunk, without a point',
        hint: 'Nothing is written to the log, so the logs of a cluster stay the same on all nodes.'
      },
      new: {
        name: 'A new point',
        hint: 'Writes a record to the end of the log and completes the active chunk, as the server does.'
      }
    },
    clusterTitle: 'Is this the only node, or one of a cluster?',
    clusterHint:
      'A new scavenge point is a record in the log. On one node of a cluster it would make this log differ from the others’. Asked once, remembered for this node.',
    single: 'A single node',
    member: 'A member of a cluster',
    memberConsequence:
      'As a member of a cluster this node gets no new point from here: choose an existing point, or none.',
    answeredSingle: 'single node',
    answeredMember: 'member of a cluster',
    change: 'Change',
    unsafe: 'Unsafe',
    ignoreHardDeletes: 'Remove all traces of hard-deleted streams',
    ignoreHardDeletesHint:
      'Their tombstones go too, so such a stream can be written to again as if it had never been. Cannot be taken back.',
    alwaysKeep: 'Replace a chunk even if its copy is not smaller',
    alwaysKeepHint: 'Otherwise such a chunk stays, and with it the events that were to be removed.',
    startAfresh: 'Set an unfinished scavenge aside and begin anew',
    makePlan: 'Make the plan',
    makePlanAgain: 'Make the plan again',
    planning: 'Making the plan…',
    planHint: 'Nothing is written before you have seen the plan.',
    noPlan: 'The plan shows, per chunk, what would be removed and what stays, to the byte.',
    optionsChanged: 'The options have changed since this plan was made.',
    logChanged: 'The log has changed since this plan was made.',
    nothing: 'There is nothing to do: no scavenge point that was not reached yet.',
    totals: {
      records: 'Records removed',
      entries: 'Index entries removed',
      freed: 'Freed',
      size: 'Size',
      chunks: 'Chunks rewritten',
      needed: 'Needed meanwhile',
      left: 'Left in the active chunk'
    },
    needed: (needed: string, free: string) => `${needed} of ${free} free`,
    notEnough: 'Not enough free space for the largest rewritten chunk.',
    columns: {
      range: 'Chunk',
      decision: 'What happens',
      weight: 'Weight',
      before: 'Before',
      after: 'After',
      bar: 'Stays · goes',
      records: 'Removed'
    },
    point: (number: string, position: string) => `Scavenge point ${number} at position ${position}`,
    pointKind: { existing: 'existing point', detached: 'without a point', new: 'new point' },
    start: (bytes: string, node: string) => `Remove ${bytes} from ${node}`,
    startNothing: (node: string) => `Scavenge ${node}`,
    confirmTitle: (node: string) => `Scavenge ${node}?`,
    confirmText: (records: string, chunks: string) =>
      `${records} are removed from ${chunks}. What is removed can only come back from a backup.`,
    confirmNew: 'A new scavenge point is written to the log and the active chunk is completed.',
    cancel: 'Cancel',
    phases: {
      beginning: 'Beginning',
      accumulation: 'Accumulation',
      calculation: 'Calculation',
      chunkExecution: 'Chunk execution',
      chunkMerging: 'Chunk merging',
      indexExecution: 'Index execution',
      cleaning: 'Cleaning'
    },
    phaseHint: {
      beginning: 'finds or writes the scavenge point',
      accumulation: 'reads new chunks for metadata and tombstones',
      calculation: 'decides, stream by stream, what goes',
      chunkExecution: 'rewrites the chunks that are heavy enough',
      chunkMerging: 'joins small neighbours',
      indexExecution: 'takes the removed events off the index',
      cleaning: 'forgets what nobody needs any more'
    },
    running: 'Running',
    safe: (bytes: string) => `${bytes} freed and safe on disk`,
    stop: 'Stop',
    stopHint: 'What is done stays done; the next scavenge goes on from there.',
    log: 'Log',
    result: {
      success: 'The scavenge is done.',
      stopped: 'The scavenge was stopped. The next one goes on from there.',
      errored: 'The scavenge ended with an error.'
    },
    freedResult: (bytes: string, records: string) => `${bytes} freed, ${records} removed.`,
    verifyNow: 'Verify now',
    unfinishedTitle: 'An unfinished scavenge is waiting',
    unfinished: (stage: string) => `It stopped in ${stage}. Going on uses its own point and threshold.`,
    resume: 'Go on with it',
    inUse: 'A running server holds this directory; it can only be read.',
    time: 'Time per phase',
    perChunk: 'Per chunk',
    sizeChange: (before: string, after: string) => `${before} → ${after}`,
    planTable: 'The plan, chunk by chunk'
  },

  schedule: {
    title: 'Schedule',
    expression: 'CRON expression',
    expressionHint:
      'Five parts. Lists (1,15), ranges (MON-FRI) and steps (*/6) are understood; days combine with and.',
    parts: ['minute', 'hour', 'day of month', 'month', 'day of week'],
    presets: 'Presets',
    presetList: [
      { expression: '0 6 * * SAT', name: 'Saturdays at 6' },
      { expression: '0 2 * * *', name: 'every night at 2' },
      { expression: '0 3 1 * *', name: 'first of the month at 3' },
      { expression: '0 */6 * * *', name: 'every six hours' },
      { expression: '30 1 * * MON-FRI', name: 'workdays at 1:30' }
    ],
    next: 'Next five times',
    zone: 'Time zone',
    preview: 'This is a preview. Schedules run where the server or the service runs.'
  },

  verify: {
    title: 'Verify',
    intro:
      'Checks log, index, filters and checkpoints, one against the other. It only reads and never repairs.',
    run: 'Verify',
    again: 'Verify again',
    quick: 'Quick: without the hashes of the files',
    running: 'Verifying…',
    ok: 'No damage found.',
    okHints: (hints: string) => `No damage found, ${hints}.`,
    notOk: (damage: string) => `${damage} found.`,
    damage: 'Damage',
    damageHint: 'Something contradicts the format, or the index contradicts the log.',
    hints: 'Hints',
    hintsHint: 'Nothing is lost; worth knowing.',
    checked: 'Checked',
    checkedWhat: (files: string, bytes: string, records: string, entries: string) =>
      `${files}, ${bytes}, ${records}, ${entries}`,
    notChecked: 'Not checked',
    none: 'Nothing was verified in this session.',
    remedy: 'Remedy',
    command: 'Copy the command',
    at: (offset: string) => `at ${offset}`,
    position: (position: string) => `position ${position}`
  },

  palette: {
    title: 'Search or run',
    placeholder: 'An action, a node, a stream, a chunk number or a log position',
    nothing: 'Nothing matches.',
    recent: 'Recent',
    actions: 'Actions',
    views: 'Views',
    nodes: 'Nodes',
    streams: 'Streams',
    go: 'Go to',
    chunk: (number: string) => `Chunk ${number}`,
    record: (position: string) => `Record at position ${position}`,
    stream: (name: string) => name,
    actionsList: {
      openDirectory: 'Open a data directory…',
      openConfiguration: 'Open a server configuration…',
      createSample: 'Create the sample database',
      refresh: 'Read the database again',
      plan: 'Compute what a scavenge would free',
      verify: 'Verify this database',
      stop: 'Stop the running work',
      theme: 'Next theme',
      sideBar: 'Collapse or expand the side bar',
      copyAddress: 'Copy the address of this place',
      copyPath: 'Copy the data directory’s path',
      back: 'Back',
      forward: 'Forward'
    }
  }
} as const;
