/** Texts of the views that act: scavenge, schedule, verify. */
const BESIDES = {
  pointChunk: 'the scavenge point completes the active chunk and begins the next one',
  leftovers: 'files that interrupted work left behind are removed',
  filters: 'the filters of copied index tables have another size'
} as const;

export const operationsTexts = {
  /** What has changed a directory since something was found out about it. */
  since: {
    work: (title: string, age: string) => `This is of the state before “${title}”, which ended ${age}.`,
    grown: (bytes: string) => `The log has grown by ${bytes} since.`,
    shrunk: (bytes: string) => `The log is ${bytes} shorter than it was then.`,
    files: 'Files of this directory have changed since.'
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
      `Would free ${bytes} (${share} of what is possible) by rewriting ${chunks}.`,
    threads: 'Threads',
    threadsHint: 'Chunks worked on at the same time. More is faster and asks more of the disk.',
    throttle: 'Speed',
    throttleHint: 'Below 100 % it rests between steps, so that other programs get their share of the disk.',
    speedNow: 'Speed now',
    speedHint: 'Another speed stops the run and goes on with it; what is done stays done.',
    applySpeed: 'Set',
    changingSpeed: 'changing…',
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
      wouldFree: 'Would free',
      freed: 'Freed',
      log: 'of chunk files',
      index: 'of index tables',
      size: 'Chunk files and index tables',
      chunks: 'Chunks rewritten',
      needed: 'Needed meanwhile',
      left: 'Left in the active chunk'
    },
    chunksOf: (visited: string, merges: number) =>
      `of ${visited}${merges === 0 ? '' : merges === 1 ? ', 1 merge' : `, ${merges} merges`}`,
    /** What changes on the disk beside what is freed. */
    besides: (bytes: string, isFreed: boolean, cause: keyof typeof BESIDES) =>
      `${isFreed ? 'Also gives back' : 'Takes'} ${bytes}: ${BESIDES[cause]}.`,
    needed: (needed: string, free: string) => `${needed} of ${free} free`,
    threadCount: (threads: number) => (threads === 1 ? 'one thread' : `${threads} threads`),
    notEnough: 'Not enough free space: the old files stay until the new ones are complete.',
    useless: 'This scavenge would free nothing.',
    uselessPoint:
      'It would only write a scavenge point to the log and complete the active chunk. Without it the log stays as it is.',
    uselessNoPoint: 'There is no need to run it.',
    leaveWithoutPoint: 'Write no point',
    leave: 'Leave it',
    startUselessPoint: 'Only write a scavenge point',
    startUseless: 'Run it all the same',
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
      `This removes ${records} from ${chunks}. What is removed can only come back from a backup.`,
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
    stoppedAtOnce: 'The scavenge was stopped before it began. Nothing was removed.',
    result: {
      success: 'The scavenge is done.',
      stopped: 'The scavenge was stopped. The next one goes on from there.',
      errored: 'The scavenge ended with an error.'
    },
    freedResult: (bytes: string, records: string) => `${bytes} freed, ${records} removed.`,
    verifyNow: 'Verify now',
    unfinishedTitle: 'An unfinished scavenge is waiting',
    unfinished: 'It keeps its own point and threshold, whatever the options say.',
    resume: 'Go on with it',
    inUse: 'A running server holds this directory; it can only be read.',
    time: 'Time per phase',
    perChunk: 'Per chunk',
    history: {
      title: 'Scavenges so far',
      reading: 'Reading…',
      none: 'No scavenge of this database is known, neither in its log nor here.',
      columns: {
        started: 'Started',
        took: 'Took',
        result: 'Result',
        point: 'Point',
        threshold: 'Threshold',
        freed: 'Freed',
        by: 'By'
      },
      results: {
        success: 'done',
        stopped: 'stopped',
        errored: 'failed',
        interrupted: 'interrupted',
        resumed: 'gone on with, no end yet'
      },
      afterCut: (times: number) => (times === 1 ? 'interrupted once' : `interrupted ${times} times`),
      wentOn: 'went on with an earlier one',
      openEnd: 'no end known',
      chart: 'Bytes freed by each scavenge, along time',
      bar: (time: string, freed: string, result: string) => `${time}: ${freed} freed, ${result}`
    },
    sizeChange: (before: string, after: string) => `${before} → ${after}`,
    planTable: 'The plan, chunk by chunk'
  },

  schedule: {
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
    command: 'Copy the command',
    more: (count: string, code: string) => `Show ${count} more of the kind ${code}`,
    at: (offset: string) => `at ${offset}`,
    position: (position: string) => `position ${position}`
  }
} as const;
