/** The rescue of a full disk. */
export const rescueTexts = {
  rescue: {
    title: 'Free a full disk',
    intro:
      'A rescue is a scavenge for a disk that has no room for one. It begins with the chunks that free the most for each byte of their new file, and never uses more space than there is.',
    safety:
      'Nothing is written before you have seen the plan. Only a backup can bring back what a rescue removes.',
    stepsLabel: 'Steps of the rescue',
    free: (free: string, usable: string) => `Free on this volume: ${free}, of which ${usable} may be used.`,
    placement: 'Where the rescue ends',
    placements: {
      auto: {
        name: 'Automatic',
        hint: 'Finishes an unfinished scavenge; otherwise up to the last completed chunk, without a point.'
      },
      existing: { name: 'An existing point only', hint: 'With its own threshold and time.' },
      detached: {
        name: 'Up to the last completed chunk, without a point',
        hint: 'Writes nothing to the log.'
      }
    },
    scratch: 'Use at most',
    scratchHint: 'Besides what is taken now. What is freed may be used again. Empty: all that is free.',
    reserve: 'Always leave free',
    reserveHint: 'For the system and other programs. Empty: 16 MiB.',
    mebibytes: 'MiB',
    scratchDirectory: 'Keep the state of the run in',
    scratchDirectoryHint: 'On another volume, where this one has no room. Empty: with the data of Winnow.',
    chooseScratch: 'Choose…',
    withData: 'the data of Winnow',
    noScratch: 'Back to the data of Winnow',
    makePlan: 'Make the plan',
    makePlanAgain: 'Make the plan again',
    start: (bytes: string, node: string) => `Remove ${bytes} from ${node}`,
    startNothing: (node: string) => `Rescue ${node}`,
    confirmTitle: (node: string) => `Rescue ${node}?`,
    room: 'Space',
    roomLine: (needed: string, usable: string) =>
      `The largest new file takes ${needed} of ${usable} that may be used.`,
    roomTooLittle: (needed: string, usable: string) =>
      `The largest new file needs ${needed}; only ${usable} may be used at the beginning. It waits until others have freed enough.`,
    roomBar: (needed: string, usable: string, free: string) =>
      `${needed} needed, ${usable} usable, ${free} free`,
    curve: 'Freed in the course of time',
    curveByWork: 'Freed in the course of the work',
    curveHint: 'Nothing is freed before the whole log has been read.',
    first: (time: string) => `First bytes after about ${time}`,
    whole: (bytes: string, time: string) => `${bytes} after about ${time}`,
    minute: (minute: string) => `after ${minute} min`,
    point: (chunk: string, bytes: string) => `Chunk ${chunk}: ${bytes} freed by then`,
    order: 'Order of the chunks',
    columns: {
      order: 'Turn',
      range: 'Chunk',
      gain: 'Freed per byte of scratch space',
      scratch: 'Scratch space',
      freed: 'Frees',
      sofar: 'Freed by then',
      at: 'After about'
    },
    gainHelp: 'How many bytes the disk gains for each byte that the new file takes; the most first.',
    left: (chunks: string) => `Left as they are: ${chunks}.`,
    complete: 'The rescue is complete.',
    stopped: 'The rescue was stopped. The next one resumes with the chunks that are left.',
    again: 'Rescue the rest',
    planTable: 'The plan, chunk by chunk, in the order of the run',
    doneTable: 'What was done, chunk by chunk'
  }
} as const;
