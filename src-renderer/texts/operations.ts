/** Texts of the views that act: scavenge, schedule, verify. */
import type {
  ChosenPlacement,
  PointPlacement,
  ScavengePhase,
  ScavengeResult
} from '../../src-core/units/scavenge-terms.ts';
import type { HistoryRun } from '../../src-main/contract/verbs/workbench-contract.ts';

const BESIDES = {
  pointChunk: 'the scavenge point completes the active chunk and begins the next one',
  leftovers: 'files left by interrupted operations are removed',
  filters: 'the filters of copied index tables have a different size'
} as const;

export const operationsTexts = {
  /** What has changed in a directory since a result. */
  since: {
    work: (title: string, age: string) => `This shows the state before “${title}”, which ended ${age}.`,
    grown: (bytes: string) => `The log has grown by ${bytes} since.`,
    shrunk: (bytes: string) => `The log is ${bytes} shorter than it was then.`,
    files: 'Files in this directory have changed since.'
  },
  scavenge: {
    steps: { options: 'Options', plan: 'Plan', run: 'Run' },
    intro:
      'A scavenge copies each chunk that is worth it without the events that readers no longer see, replaces the old file with the copy, and removes the index entries of the removed events.',
    threshold: 'Threshold',
    thresholdHint:
      'The weight a chunk must reach to be rewritten: about twice the number of records that would be removed. 0 takes every chunk with anything to remove.',
    thresholdAll: 'Rewrite every completed chunk, whatever its weight',
    thresholdCurve: (bytes: string, share: string, chunks: string) =>
      `Would free ${bytes} (${share} of what is possible) by rewriting ${chunks}.`,
    threads: 'Threads',
    threadsHint: 'Chunks processed at the same time. More threads are faster and put more load on the disk.',
    throttle: 'Speed',
    throttleHint: 'Below 100 % it pauses between steps, so that other programs get their share of the disk.',
    speedNow: 'Speed now',
    speedHint: 'A change stops the run and resumes it at the new speed; what is done is kept.',
    applySpeed: 'Set speed',
    changingSpeed: 'changing…',
    throttleNeedsOne: 'The speed can only be limited with one thread.',
    merge: 'Merge small neighbouring chunks into one file',
    placement: 'Where the scavenge ends (scavenge point)',
    placements: {
      auto: {
        name: 'Automatic',
        hint: 'The newest scavenge point not reached yet; if there is none, a new one.'
      },
      existing: {
        name: 'An existing point only',
        hint: 'Writes nothing to the log. If every point was already reached, nothing happens.'
      },
      detached: {
        name: 'Up to the last completed chunk, without a point',
        hint: 'Writes nothing to the log, so the logs of a cluster stay the same on all nodes.'
      },
      new: {
        name: 'A new point',
        hint: 'Writes a record to the end of the log and completes the active chunk, as the server does.'
      }
    } satisfies Record<PointPlacement, { name: string; hint: string }>,
    clusterTitle: 'Is this a single node or a member of a cluster?',
    clusterHint:
      'A new scavenge point is a record in the log. On one node of a cluster it would make this log differ from the others. Winnow asks once and remembers the answer.',
    single: 'A single node',
    member: 'A member of a cluster',
    memberConsequence:
      'Winnow writes no new point to a member of a cluster: choose an existing point, or none.',
    answeredSingle: 'single node',
    answeredMember: 'member of a cluster',
    change: 'Change',
    unsafe: 'Unsafe',
    ignoreHardDeletes: 'Remove all traces of hard-deleted streams',
    ignoreHardDeletesHint:
      'Also removes their tombstones, so such a stream can be written to again as if it had never existed. This cannot be undone.',
    alwaysKeep: 'Replace a chunk even if its copy is not smaller',
    alwaysKeepHint: 'Otherwise such a chunk stays, together with the events that would be removed.',
    makePlan: 'Make the plan',
    makePlanAgain: 'Make the plan again',
    planning: 'Making the plan…',
    planHint: 'Nothing is written before you have seen the plan.',
    noPlan: 'The plan shows, per chunk, what would be removed and what stays, to the byte.',
    optionsChanged: 'The options have changed since this plan was made.',
    logChanged: 'The log has changed since this plan was made.',
    nothing: 'There is nothing to do: every scavenge point was already reached.',
    totals: {
      records: 'Records removed',
      entries: 'Index entries removed',
      wouldFree: 'Would free',
      freed: 'Freed',
      log: 'of chunk files',
      index: 'of index tables',
      size: 'Chunk files and index tables',
      chunks: 'Chunks rewritten',
      needed: 'Temporary space',
      left: 'Left in the active chunk'
    },
    merges: (merges: number) => (merges === 0 ? '' : merges === 1 ? ', 1 merge' : `, ${merges} merges`),
    chunksOf: (visited: string, merges: number) =>
      `of ${visited}${merges === 0 ? '' : merges === 1 ? ', 1 merge' : `, ${merges} merges`}`,
    /** What else changes on the disk. */
    besides: (bytes: string, isFreed: boolean, cause: keyof typeof BESIDES) =>
      `${isFreed ? 'Also frees' : 'Takes'} ${bytes}: ${BESIDES[cause]}.`,
    needed: (needed: string, free: string) => `${needed} of ${free} free`,
    threadCount: (threads: number) => (threads === 1 ? 'one thread' : `${threads} threads`),
    notEnough: 'Not enough free space: the old files stay until the new ones are complete.',
    useless: 'This scavenge would free nothing.',
    uselessPoint:
      'It would only write a scavenge point to the log and complete the active chunk. Without it the log stays as it is.',
    uselessNoPoint: 'There is no need to run it.',
    leaveWithoutPoint: 'Do not write a point',
    leave: 'Discard plan',
    startUselessPoint: 'Only write a scavenge point',
    startUseless: 'Scavenge anyway',
    columns: {
      range: 'Chunk',
      decision: 'What happens',
      weight: 'Weight',
      before: 'Before',
      after: 'After',
      bar: 'Kept · removed',
      records: 'Removed'
    },
    pointOf: {
      existing: (number: string, position: string) => `Scavenge point ${number} at position ${position}`,
      new: (number: string, position: string) => `New scavenge point ${number} at position ${position}`
    },
    upTo: (position: string) => `Without a scavenge point, up to position ${position}`,
    pointKind: { existing: 'existing point', detached: 'without a point', new: 'new point' } satisfies Record<
      ChosenPlacement,
      string
    >,
    start: (bytes: string, node: string) => `Remove ${bytes} from ${node}`,
    startNothing: (node: string) => `Scavenge ${node}`,
    confirmTitle: (node: string) => `Scavenge ${node}?`,
    confirmText: (records: string, chunks: string, freed: string) =>
      `This removes ${records} from ${chunks} (${freed}). Removed records can only be restored from a backup.`,
    confirmKept: (records: string, chunks: string, freed: string) =>
      `This removes ${records} from ${chunks} (${freed}). It can be undone as long as the replaced files are kept.`,
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
    } satisfies Record<ScavengePhase, string>,
    phaseHint: {
      beginning: 'finds or writes the scavenge point',
      accumulation: 'reads new chunks for metadata and tombstones',
      calculation: 'decides, stream by stream, what to remove',
      chunkExecution: 'rewrites the chunks that are heavy enough',
      chunkMerging: 'merges small neighbours',
      indexExecution: 'removes the index entries of removed events',
      cleaning: 'discards state that is no longer needed'
    } satisfies Record<ScavengePhase, string>,
    running: 'Running',
    safe: (bytes: string) => `${bytes} freed and safe on disk`,
    stop: 'Stop',
    stopHint: 'What is done is kept; the next scavenge resumes there.',
    log: 'Log',
    stoppedAtOnce: 'The scavenge was stopped before it began. Nothing was removed.',
    result: {
      success: 'The scavenge is complete.',
      stopped: 'The scavenge was stopped. The next one resumes there.',
      errored: 'The scavenge ended with an error.'
    } satisfies Record<ScavengeResult, string>,
    freedResult: (bytes: string, records: string) => `${bytes} freed, ${records} removed.`,
    freedLater: (bytes: string, records: string) =>
      `${records} removed. It frees ${bytes} when the replaced files expire.`,
    verifyNow: 'Verify now',
    unfinishedTitle: 'There is an unfinished scavenge',
    unfinished: 'It keeps its own point and threshold, regardless of the options.',
    resume: 'Resume scavenge',
    inUse: 'A running server holds this directory; it can only be read.',
    time: 'Time per phase',
    perChunk: 'Per chunk',
    history: {
      title: 'Scavenge history',
      actions: {
        events: 'Show its events',
        records: 'Show its records in the log',
        chunks: 'Show the chunks',
        copyId: 'Copy the id',
        copyError: 'Copy the error',
        notInLog: 'This run is recorded on this machine, not in the log.'
      },
      reading: 'Reading…',
      none: 'No scavenge of this database is recorded, neither in its log nor on this machine.',
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
        resumed: 'resumed, not finished'
      } satisfies Record<HistoryRun['result'], string>,
      afterCut: (times: number) => (times === 1 ? 'interrupted once' : `interrupted ${times} times`),
      wentOn: 'resumed an earlier one',
      openEnd: 'end not known',
      chart: 'Bytes freed by each scavenge over time',
      bar: (time: string, freed: string, result: string) => `${time}: ${freed} freed, ${result}`
    },
    sizeChange: (before: string, after: string) => `${before} → ${after}`,
    planTable: 'The plan, chunk by chunk'
  },

  schedule: {
    expression: 'CRON expression',
    expressionHint:
      'Five fields, with lists (1,15), ranges (MON-FRI) and steps (*/6). If both day fields are set, both must match.',
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
    zone: 'Time zone'
  },

  verify: {
    title: 'Findings',
    intro: 'Verify reads the whole log and index and compares them with each other. It changes nothing.',
    run: 'Verify',
    again: 'Verify again',
    quick: 'Quick: skip the file hashes',
    moreHint: 'Time to read for, threads, bytes per second',
    budget: 'Read for',
    budgetUnit: 'minutes',
    budgetHint:
      'What was verified longest ago comes first; the next time continues there. Empty: everything.',
    within: 'Ask about the last',
    withinUnit: 'days',
    withinHint: 'The answer says how much of the log was verified within this time. Empty: 30 days.',
    runFor: (time: string) => `Verify for ${time}`,
    budgetStopped: (time: string, waiting: string, next: string) =>
      `Stopped after ${time}. ${waiting} wait for their turn; the next is ${next}.`,
    budgetDone: (files: string) => `All ${files} had their turn.`,
    budgetTooShort: 'No file was read to its end in this time.',
    okInPart: (files: string) => `No damage found in ${files}, all that was read.`,
    threads: 'Threads',
    threadsHint: 'Chunks verified at once, at most one per core.',
    byteRateHint: 'Read by all threads together. Empty: as fast as it goes.',
    ok: 'No damage found.',
    okHints: (hints: string) => `No damage found, ${hints}.`,
    notOk: (damage: string) => `${damage} found.`,
    checked: 'Checked',
    checkedWhat: (files: string, bytes: string, records: string, entries: string) =>
      `${files}, ${bytes}, ${records}, ${entries}`,
    notChecked: 'Not checked',
    none: 'Nothing is known to be wrong. Only what a start reads has been checked; verify to check everything.',
    notLooked: 'Not checked yet.',
    atStart: 'Found by the check of the next start, which reads only what a server reads then.',
    afterRepair: 'Found by the verification after the repair.',
    forRepair: 'Found by the verification for the repair plan.',
    verified: (age: string) => `verified ${age}`,
    command: 'Copy the command',
    more: (count: string, code: string) => `Show ${count} more of the kind ${code}`,
    at: (offset: string) => `at ${offset}`,
    position: (position: string) => `position ${position}`
  }
} as const;
