/** Texts of "How long does the next start take?", after the doctor's answer in the view Verify. */
export const startupTexts = {
  startup: {
    title: 'How long does the next start take?',
    none: 'Not estimated yet.',
    stopped: 'The estimate was stopped.',
    noStart: 'Nothing to estimate while this node does not start.',
    atFirst: (duration: string) =>
      `About ${duration}, by the check above. How fast this disk is, and what can be done beforehand, is not known yet.`,
    over: 'The database has changed since this estimate.',
    ask: 'Estimate start',
    again: 'Estimate again',
    estimated: (age: string) => `estimated ${age}`,
    part: 'Part of the start',
    amount: 'Amount',
    time: 'Time',
    prepared: 'Prepared',
    rateTitle: 'Rate',
    timeHelp: 'What this part takes at its rate.',
    preparedHelp: 'What is left of it after the preparation; empty: as much.',
    rateHelp: 'Measured on this disk, or assumed where too little was there to measure.',
    rate: (amount: string, basis: string) => `${amount} a second, ${basis}`,
    basis: { measured: 'measured', assumed: 'assumed' },
    why: 'Why, and what can be done about it',
    steps: 'What can be done beforehand',
    stepsPlanned: {
      applyTruncation: 'Truncate the log',
      rebuildIndex: 'Rebuild the index',
      catchUpIndex: 'Bring the index up to the log',
      mergeTables: 'Merge index tables',
      rebuildExistenceFilter: 'Make the filter of existing streams',
      catchUpExistenceFilter: 'Bring the filter of existing streams up to the log'
    },
    stepsDone: {
      applyTruncation: 'Truncated the log',
      rebuildIndex: 'Rebuilt the index',
      catchUpIndex: 'Brought the index up to the log',
      mergeTables: 'Merged index tables',
      rebuildExistenceFilter: 'Made the filter of existing streams',
      catchUpExistenceFilter: 'Brought the filter of existing streams up to the log'
    },
    cutOff: (bytes: string) => `${bytes} cut off`,
    done: 'Prepared',
    nothingDone: 'Nothing was left to be done.',
    nothing: 'Nothing is left that could be done beforehand.',
    refused: 'Nothing can be prepared now.',
    stateMoved: (to: string) => `The scavenge state was moved to ${to}: it may be ahead of the log now.`,
    inUse: 'A start is prepared while the server is stopped.',
    changed: 'These options are not those of the estimate. Estimate again to see their plan.',
    moreHint: 'Truncation, merges of tables, network shares',
    applyTruncation: 'Apply a pending truncation',
    applyTruncationHint: 'What truncate.chk asks for is cut off now, as the start would',
    mergeTables: 'Merge index tables',
    mergeTablesHint: 'As the running server would; the start itself takes as long without',
    prepare: 'Prepare now',
    confirmTitle: (node: string) => `Prepare the next start of ${node}?`,
    confirm: (steps: string) => `${steps}, as planned. The log is only read.`,
    confirmTruncation:
      'The log is truncated as truncate.chk asks for, and then the other steps are done as planned.'
  }
} as const;
