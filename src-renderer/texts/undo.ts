/** What a scavenge replaced and keeps, and putting it back. */
export const undoTexts = {
  undo: {
    keep: 'Keep what is replaced',
    keepUnit: 'days',
    keepNothing: 'not at all',
    keepHint:
      'The scavenge can be undone as long as its replaced files are kept. Their space is freed only then. Empty: the space is freed at once.',
    keeps: (replaced: string, needed: string, days: string) =>
      `Can be undone for ${days}. Until then it keeps ${replaced} of replaced files and needs up to ${needed} more.`,
    until: (time: string) => `It can be undone until ${time}.`,

    title: 'Scavenges that can be undone',
    total: (bytes: string) => `Replaced files kept: ${bytes}`,
    kept: (age: string, bytes: string, time: string) => `Scavenged ${age}: ${bytes}, until ${time}`,
    unfinished: 'not finished',
    broken: (bytes: string) => `${bytes} that cannot be put back`,
    plan: 'Undo this scavenge',
    forget: 'Free the space now',
    planTitle: 'Undo of the scavenge',
    exact: 'The directory becomes what it was before the scavenge, to the byte.',
    joined: (records: string) =>
      `The log went on after the scavenge. What was appended (${records}) remains, joined with the old files. The next start of the server reads part of the log again for its index, and the next scavenge begins without a state.`,
    finish: 'The undo was begun and has not ended. It resumes where it stopped.',
    putBack: 'Put back',
    removed: 'Removed',
    logEnds: 'The log ends at',
    notPutBack: 'Not put back',
    files: (files: string, bytes: string) => `${files}, ${bytes}`,
    chunkRange: (from: string, to: string) => (from === to ? `chunk ${from}` : `chunks ${from} to ${to}`),
    start: 'Undo the scavenge',
    dismiss: 'Leave it as it is',
    confirmTitle: (node: string) => `Undo the scavenge of ${node}?`,
    confirm:
      'The replaced files come back, those of the scavenge are removed. Every chunk is checked first. While files change places no server starts here; it cannot be stopped half-way.',
    forgetTitle: (node: string) => `Remove what is kept of ${node}?`,
    forgetText: (bytes: string) =>
      `This frees ${bytes}. The scavenge can then no longer be undone; its removed events only come back from a backup.`,
    done: 'The scavenge is undone.',
    doneExact: 'The directory is what it was before.',
    doneJoined: 'The old files are joined with what was appended since.',
    unfinishedTitle: 'Undoing a scavenge is unfinished',
    unfinishedText:
      'Some files are those of before the scavenge, some are newer. No server starts here until it is finished.',
    unfinishedFinish: 'Finish the undo',
    working: 'Putting the replaced files back…',
    checking: 'Checking what is put back…',
    overview: 'Replaced files kept',
    overviewNote: 'so that scavenges can be undone'
  }
} as const;
