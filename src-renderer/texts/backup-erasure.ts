/** Texts of erasure inside a backup: the form, its plan, what was done, and the old generation that goes last. */
export const backupErasureTexts = {
  backupErasure: {
    erase: 'Erase inside this backup…',
    eraseToo: 'Erase in it too…',
    eraseShort: 'Erase inside…',
    eraseHint: 'Removes from this backup what its log says is deleted, or the data of certain events.',
    formTitle: (when: string) => `Erase inside the backup of ${when}`,
    intro:
      'The backup is restored into a scratch directory, erased there, verified and stored as a new generation of itself. The old generation stays until you remove it.',
    chooseOne: 'Select the backup to erase in.',
    kind: 'What goes',
    kinds: {
      scavenge: {
        name: 'What its log says is deleted or expired',
        hint: 'A scavenge of the backup. What was deleted after it was taken is not in its log and stays.'
      },
      redaction: {
        name: 'The data of certain events',
        hint: 'Overwritten as a redaction of a node does: the events stay, with empty data.'
      }
    },
    point: 'Up to',
    points: {
      auto: {
        name: 'The newest scavenge point in its log',
        hint: 'If it holds none, the end of its last completed chunk.'
      },
      existing: { name: 'Only such a point', hint: 'If it holds none, nothing is done.' },
      detached: {
        name: 'The end of its last completed chunk',
        hint: 'With the present time as the time of the scavenge.'
      }
    },
    threshold: 'Least weight of a chunk',
    thresholdHint:
      'Where it ends without a point: -1 takes every chunk, 0 every one with something to remove.',
    events: 'Event ids',
    eventsHint: 'One per line.',
    scratch: 'Scratch directory',
    scratchHint:
      'Room for the whole backup. What is gathered there is not encrypted. It is removed at the end, and stays after a stop unless the backup is encrypted.',
    temporary: 'Temporary directory…',
    plan: 'Plan the erasure',
    cancel: 'Cancel',
    planTitle: 'Plan of the erasure',
    removalTitle: 'Plan of the removal',
    facts: {
      backup: 'Backup',
      goes: 'Goes',
      rewritten: 'May be made again',
      target: 'New generation',
      scratch: 'Scratch',
      there: 'New generation',
      removed: 'Removed',
      redacted: 'Overwritten',
      point: 'Scavenge point',
      stored: 'Stored',
      shared: 'Shared with the old one',
      verified: 'Read back',
      freed: 'Freed'
    },
    goes: {
      auto: 'what the log of the backup says is deleted or expired at its newest scavenge point; if it holds none, at the end of its last completed chunk',
      existing: 'what the log of the backup says is deleted or expired at its newest scavenge point',
      detached:
        'what the log of the backup says is deleted or expired at the end of its last completed chunk',
      redaction: (events: string) => `the data of ${events}`
    },
    atMost: (bytes: string) => `at most ${bytes} in the target`,
    chunksOf: (chunks: string, bytes: string) => `at most ${chunks}; the backup has ${bytes}`,
    needed: (bytes: string) => `${bytes} needed`,
    free: (bytes: string) => `${bytes} free`,
    noRoom: (directory: string, missing: string) => `Not enough room: ${directory} needs ${missing} more.`,
    makeRoom: 'Choose another scratch directory, then plan again.',
    gathered: 'What exactly goes is known once the backup has been gathered.',
    there: (id: string) => `${id}, from an earlier run`,
    shares: (files: string) =>
      `It shares ${files} that may be made again. What is erased here stays there: erase in it too, or remove it.`,
    sharesOld: (files: string) =>
      `It shares ${files} with the old generation: erase in it too, or remove it.`,
    stillHolds: (files: string) =>
      `It still has ${files} with what was erased: erase in it too, or remove it.`,
    otherBackup: (id: string) => `Backup ${id}`,
    start: 'Store the new generation',
    confirmTitle: 'Erase inside this backup?',
    confirm: (when: string) =>
      `The backup of ${when} is gathered, erased, verified and stored as a new generation. The old generation stays until you remove it.`,
    startRemoval: 'Remove the old generation',
    planRemoval: 'Plan to remove the old generation',
    removal: (id: string, bytes: string) =>
      `Reads every byte of the new generation once more. If it is whole, the old generation ${id} (${bytes}) goes; files that other backups name stay.`,
    removalAndMore:
      'There is no new generation yet: it is stored and read back first, and then the old one goes.',
    confirmRemovalTitle: 'Remove the old generation?',
    confirmRemoval: (id: string) =>
      `The generation ${id} goes for good. What was erased can then no longer come back from this backup.`,
    done: (id: string) => `The new generation ${id} is stored, and every byte was read back.`,
    exists: (id: string) => `The new generation ${id} was there already, and every byte was read back.`,
    unchanged: 'There was nothing to remove: the backup is as it was.',
    removed: (id: string) => `The old generation was removed; the backup is now ${id}.`,
    oldIsThere: 'The old generation is still there',
    oldIsThereHint: 'It still holds what was erased. Remove it once the new one serves.',
    recordsOf: (records: string, chunks: string) => `${records}; ${chunks} made again`,
    noPoint: 'the log of the backup holds none',
    pointAt: (number: string, position: string) => `${number}, at ${position}`,
    detachedAt: (position: string) => `none; ended at ${position}`,
    filesOf: (files: string, bytes: string) => `${files}, ${bytes}`,
    stopped:
      'Stopped. The backup is as it was; what was begun is continued by the same request, and removed by any other.',
    generation: 'A new generation, erased inside',
    rewrites: 'Generation',
    rewritesOf: (of: string) => `made of ${of}`,
    copyId: 'Copy the ID'
  }
} as const;
