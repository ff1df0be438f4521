/** The steps of a scavenge: what stands on each of them besides the numbers. */
import type { RemovalRule, ScavengePhase } from '../../src-core/units/scavenge-terms.ts';

export const scavengeFlowTexts = {
  scavengeFlow: {
    whatIf: 'What if a category had another maximum age or count?',
    whatIfHint:
      'This changes nothing: a rule is written to the metadata of streams by an application or in the user interface of the server.',
    steps: { options: 'Options', plan: 'Plan', run: 'Run', result: 'Result' },
    stepsLabel: 'Steps of the scavenge',
    notYet: {
      plan: 'There is no plan yet.',
      run: 'Nothing is running.',
      result: 'There is no result yet.'
    },
    back: 'Back to the options',

    moreOptions: 'More options',
    moreOptionsHint: 'As on the command line. The defaults are right for most databases.',
    window: {
      title: 'Maintenance window',
      from: 'Maintenance window from',
      to: 'to',
      hint: 'Local time. The plan chooses threads and throttle where they are left at 1 and 100, and says what is done in which night; a run begins only inside, stops at its end, and the next night resumes it.',
      same: 'The window is empty',
      unknown: 'It is not known when it is done.',
      through: (time: string, nights: string) => `Through ${time}, in ${nights}.`,
      pace: (threads: string, percent: number, why: string) =>
        `Pace: ${threads}, ${percent === 100 ? 'no throttle' : `${percent} % of the time`}; ${why}.`,
      chosenBy: {
        asked: 'as asked',
        plan: 'the gentlest that was measured and needs no more nights'
      },
      notMeasured: 'nothing is chosen by what was not measured',
      speed: (rate: string, whole: string, source: string) =>
        ` ${rate} a second; one thread without a rest: ${whole} (${source}).`,
      measured: (threads: string, most: number) =>
        ` Threads measured: ${threads}; no others of up to ${most}.`,
      sources: { history: 'earlier scavenges of this database', measured: 'measured on this disk' },
      night: 'Night',
      ends: 'Work ends',
      read: 'Chunks read',
      done: 'Chunks done',
      frees: 'Frees'
    },
    until: 'Stop at',
    untilHint:
      'A time of day, such as 05:00: the run stops at its next checkpoint once it has come, and says what is left. Empty: it runs to its end.',
    untilNext: (time: string) => `Stops ${time}.`,
    byteRate: 'At most',
    byteRateUnit: 'MiB per second',
    byteRateHint: 'Read and written by all threads together. Empty: as fast as it goes.',
    now: 'Effective time',
    timeOfDay: 'Time of day',
    chooseDay: 'Choose a day',
    nowHint: 'For a new point or none: ages are judged as of this time. Empty: now.',
    stopAfter: 'Stop after',
    stopAfterNever: 'the last phase',
    stopsAfter: (phase: string) => `Stops after the phase ${phase}; the next scavenge resumes there.`,
    stopAfterHint: 'The next scavenge resumes after this phase.',
    cacheSize: 'Cache of the state',
    cacheSizeUnit: 'MiB',
    pageSize: 'Page size of the state',
    pageSizeUnit: 'KiB',
    hashUsers: 'Stream hashes remembered',
    historyAge: 'History kept',
    historyAgeUnit: 'days',
    byDefault: 'default',
    startAfresh: 'Start afresh',
    startAfreshHint: 'Moves the state of an earlier scavenge aside instead of building on it.',
    assumeStopped: 'The server is stopped',
    assumeStoppedHint:
      'For network shares, where its lock cannot be seen. A lock that is visible still refuses the run.',

    wouldFree: (total: string, log: string, index: string) =>
      `Would free ${total} (${log} log + ${index} index)`,
    wouldFreeNothing: 'Would free nothing',
    records: (records: string) => `${records} removed`,
    chunks: (rewritten: string, visited: string) => `${rewritten} of ${visited} chunks`,
    takes: (time: string) => `about ${time}`,
    takesLong: (time: string) => `It takes about ${time}.`,
    needs: (bytes: string, free: string) => `needs ${bytes} of ${free} free meanwhile`,
    by: { rule: 'By rule', category: 'By category', stream: 'By stream', chunk: 'By chunk' },
    byLabel: 'What goes',
    columns: {
      rule: 'Rule',
      category: 'Category',
      stream: 'Stream',
      streams: 'Streams',
      records: 'Records',
      bytes: 'Record bytes',
      share: 'Share'
    },
    rules: {
      hardDelete: 'Deleted streams',
      metadataSuperseded: 'Superseded metadata',
      softDelete: 'Soft-deleted streams',
      truncateBefore: 'Truncate before',
      maxCount: 'Maximum count',
      maxAge: 'Maximum age'
    } satisfies Record<RemovalRule, string>,
    ruleHints: {
      hardDelete: 'Everything of a deleted stream except its tombstone.',
      metadataSuperseded: 'Metadata that newer metadata has replaced.',
      softDelete: 'Everything of a soft-deleted stream except its last event.',
      truncateBefore: 'Events before the number that the metadata names.',
      maxCount: 'Events beyond the maximum count of their stream.',
      maxAge: 'Events older than the maximum age of their stream.'
    } satisfies Record<RemovalRule, string>,
    showStream: 'Show the stream',
    sums: 'Sum',
    sum: 'Records removed',
    sumHelp: 'Bytes of the records themselves, as in the tables above.',
    files: 'Position maps, whole pages and merging',
    filesHint: 'Files shrink by whole pages; rewritten chunks need position maps.',
    index: 'Index tables',
    indexHint: 'Entries of the removed events.',
    total: 'Freed on disk',
    totalHelp: 'By how much the files of the database become smaller.',
    schedule: 'Schedule…',
    others: (count: string) => `Others: ${count}`,
    counting: 'Counting what goes…',
    notCounted: 'The files changed while this was counted. Make the plan again.',
    exportCsv: 'Export CSV…',
    exportJson: 'Export JSON…',
    exported: (file: string) => `Saved as ${file}.`,
    stays: (chunks: string, because: string) => `${chunks} ${because}`,
    staysLarger: (isOne: boolean) =>
      isOne
        ? 'stays as it is: its new file would not be smaller.'
        : 'stay as they are: their new files would not be smaller.',
    replaceAnyway: 'Replace anyway',
    moreFacts: (count: string) => `${count} more`,
    lastBackup: (age: string, isRehearsed: boolean) =>
      `Last backup ${age}${isRehearsed ? ', rehearsed' : ''}`,
    noBackup: 'No backup of this node is known',
    noBackupTarget: 'No backups are kept for this node',

    sentence: {
      beginning: 'Finding the scavenge point. Nothing has been changed yet.',
      accumulation: 'Reading the log for metadata and tombstones. Nothing has been changed yet.',
      calculation: 'Deciding, stream by stream, what to remove. Nothing has been changed yet.',
      chunkExecution:
        'Copying each chunk without the removed events and replacing the old file once the copy is checked.',
      chunkMerging: 'Merging small neighbouring chunks.',
      indexExecution: 'Removing the index entries of the removed events.',
      cleaning: 'Discarding state that is no longer needed.'
    } satisfies Record<ScavengePhase, string>,
    planSentence: 'The plan takes the steps of the run and only measures. Nothing is changed.',
    startingSentence: 'Starting…',
    stoppingSentence: 'Stopping at the next checkpoint…',
    phaseBar: 'This phase',
    wholeBar: 'The whole run',
    squares: 'Chunks',
    squareOf: (range: string, state: string) => `Chunk ${range}: ${state}`,
    squareStates: {
      done: 'done',
      current: 'being rewritten',
      ahead: 'to be rewritten',
      stays: 'unchanged'
    },
    pause: 'Pause',
    pauseHint:
      'Stops at the next checkpoint and releases the database. What is done is kept; Resume continues from there, also after a restart.',
    paused: 'Paused',
    pausedText:
      'The scavenge has stopped at a checkpoint. What is done is safe on disk, and nothing holds the database: a server may be started, or this window closed.',
    finish: 'Leave it for now',
    notSafeYet: 'Nothing freed yet',
    stopsAt: (time: string) => `Stops ${time}`,
    log: (lines: string) => `Log (${lines})`,

    stoppedAt: (time: string) => `It stopped at ${time}, as asked.`,
    left: (chunks: string) => `${chunks} left; the next scavenge resumes there.`,
    expected: 'Expected and actual',
    expectedColumns: { what: '', plan: 'Plan', actual: 'Actual', difference: 'Difference' },
    expectedHelp: {
      plan: 'What the plan of this run expected, before anything was written.',
      actual: 'What the run has done, counted while it ran.',
      difference: 'Actual less plan. A run that did its whole plan has none but in time.'
    },
    asPlanned: 'as planned',
    /** What was replaced is kept for a while. */
    freedLater: 'Freed later',
    whole: {
      freed: 'Freed on disk',
      log: 'of chunk files',
      index: 'of index tables',
      records: 'Records removed',
      entries: 'Index entries removed',
      chunks: 'Chunks rewritten',
      time: 'Time'
    },
    wholeHelp: {
      freed: 'By how much the files of the database became smaller: chunk files and index tables.',
      log: 'Chunk files and the scavenge point itself.',
      index: 'Tables of the index without the entries of removed events.',
      records: 'Records that are no longer in the chunk files.',
      entries: 'Entries that are no longer in the index tables.',
      chunks: 'Chunks that have a new file.',
      time: 'From the start to the end, pauses included.'
    },
    because: {
      stopped: 'The run was stopped before its end: the difference is what is left.',
      resumed: 'The run resumed an earlier one, which had done a part.',
      differs: 'The run and its plan differ. Verify the database, and keep the log of this run.'
    },
    next: 'What next',
    verify: 'Verify now',
    verifyHint: 'Checks log and index against each other.',
    backUp: 'Back up',
    backUpHint: 'The next backup copies only chunks that were rewritten.',
    planAgain: 'Plan another',
    planAgainHint: 'With the same options or others.'
  }
} as const;
