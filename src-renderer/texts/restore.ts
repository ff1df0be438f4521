/** Texts of the view Restore: which backup, where to, the plan; unfinished ones. */
export const restoreTexts = {
  restore: {
    title: 'Restore',
    entrance: 'Restore a backup…',
    here: 'Restore a backup here…',
    intro:
      'Puts a backup, or a copy made by hand, into the data directory of a stopped node. Nothing is written before you have seen the plan.',
    stepsLabel: 'Steps of the restore',
    steps: { backup: 'Which backup', place: 'Where to', plan: 'Plan' },
    /** What the last step is once its plan runs, and has run. */
    lastStep: { runs: 'Restore', ended: 'Result' },
    whyNot: {
      place: 'Choose a backup first.',
      plan: 'Choose where to first.',
      running: 'The restore is running.'
    },
    source: {
      title: 'Backups from',
      ofNode: (node: string) => `Backups of ${node}`,
      firstDirectory: 'Choose a directory…',
      directory: 'Another directory…',
      directoryHint: 'A backup directory, the folder of one backup, or a copy made by hand',
      store: 'Object store…',
      none: 'Choose where the backup is.',
      noneHint: 'A backup directory, the folder of one backup, a copy made by hand, or an object store.',
      reading: 'Reading the catalogue…',
      copyTitle: 'No catalogue here',
      copy: 'This folder is restored as it is: one backup, or a copy made by hand. The plan checks it.',
      list: 'Backups to restore from',
      stored: 'Stored',
      encrypted: 'encrypted',
      plain: 'plain',
      next: 'Choose where to'
    },
    key: {
      title: (key: string) => `This backup is encrypted for ${key}.`,
      unknown: 'This backup is encrypted.',
      own: 'The key file of this node opens it.',
      file: 'Key file…',
      chosen: (file: string) => `Key file: ${file}`,
      password: 'Password',
      usePassword: 'Use password',
      given: 'A password was given.',
      how: 'Give the file with the secret key, or the password it was sealed with.',
      tryAgain: 'Try again with this key'
    },
    place: {
      title: 'Restore to',
      thisNode: 'this node',
      inUse: 'A running server holds this directory. Stop it first.',
      isEmpty: 'The directory has no database.',
      directory: 'Another directory…',
      directoryHint: 'An empty one, or the data directory of a node that is not in the list',
      chosen: 'The chosen directory',
      moreHint: 'Truncation, index directory, network shares',
      index: 'Index directory',
      indexInside: 'index in the data directory',
      indexChoose: 'Choose…',
      indexInsideAgain: 'Inside again',
      assumeStopped: 'The server is stopped',
      assumeStoppedHint: 'For network shares, where no lock shows whether a server is running.'
    },
    applyTruncation: 'Truncate the log during the restore',
    applyTruncationHint:
      'One start of the server is then enough. Otherwise its first start truncates the log and exits.',
    planning: 'Comparing the backup with what is there…',
    remedies: {
      giveKey: 'Give another key',
      resume: 'Finish the restore',
      undo: 'Put the old files back',
      anotherBackup: 'Choose another backup',
      anotherPlace: 'Choose another directory',
      planAgain: 'Make the plan again'
    },
    stopped:
      'Stopped. What was in the directory is unchanged, or the restore waits to be finished or undone.',
    again: 'Restore another backup',
    open: 'Open this database',
    show: 'Show this node',
    cut: {
      title: 'A truncation is waiting',
      waiting: (position: string) =>
        `truncate.chk says ${position}: the next start of the server truncates the log there.`,
      see: 'Truncate now…',
      planTitle: 'What the truncation removes',
      endsAt: 'Log will end at',
      endsNow: 'Log ends at',
      removes: 'Removes',
      bytes: (bytes: string) => `${bytes} at the end of the log`,
      files: 'Deleted files',
      next: 'Next start',
      start: 'Truncate the log',
      limit: 'Limit',
      limitOfServer: (bytes: string) => `${bytes}, as the server's`,
      anyAmount: 'none',
      confirmTitle: 'Truncate the log?',
      confirm: (bytes: string) => `This removes ${bytes} for good, as the next start of the server would.`,
      nothing: 'Nothing has to be truncated.',
      done: 'The log was truncated.'
    },
    cutLimit: {
      title: 'How much may be cut off',
      server: (bytes: string) => `As much as the server: ${bytes}`,
      serverHint: 'Refuses this truncation. Check first why so much of the log is to go.',
      upTo: 'Up to a limit of mine',
      upToHint: (bytes: string) => `This truncation needs ${bytes}.`,
      any: 'Any amount',
      anyHint:
        'Only where you know that the end of the log is to go, as after restoring an older backup by hand.',
      most: 'Cut off at most',
      explained:
        'What is cut off is gone for good. The server refuses the same at its start, unless its setting MaxTruncation allows it. The plan shows what goes before anything is written.',
      plan: 'Plan with this limit'
    },
    planned: {
      title: 'Restore plan',
      onto: 'Restores to',
      copies: 'Copies',
      copiesValue: (files: string, bytes: string) => `${files}, ${bytes}`,
      space: 'Space',
      spaceValue: (needed: string, free: string) => `${needed} needed, ${free} free`,
      notEnough: 'There is not enough free space: the old files stay until you remove them.',
      replaces: 'Replaces',
      replacesNothing: 'nothing, the directory is empty',
      replacesLog: (end: string) => `a log that ends at ${end}`,
      lost: 'Lost',
      lostNothing: 'nothing: the backup holds all of this log',
      lostBytes: (bytes: string) => `${bytes} at the end of the log, which the backup does not hold`,
      lostUnknown: 'not known: the two logs cannot be compared',
      lostOther: 'all of this log: the backup has a different history',
      aside: 'Old files move to',
      end: 'Log will end at',
      cut: (bytes: string) => `${bytes} after that are removed`,
      leftOut: 'Not copied',
      leftOutWhy: {
        behindTheLog: 'after the end of the log',
        scavengeState: 'scavenge state',
        madeByTheServer: 'the server creates it again',
        rewrittenHere: 'written by the restore'
      },
      next: 'Next start',
      start: (node: string) => `Replace ${node}`,
      startEmpty: (node: string) => `Restore to ${node}`,
      lookAgain: 'Look again',
      inUse: 'A running server holds this directory. Stop it first.',
      changed: 'The log has changed since this plan was made.',
      planAgain: 'Make the plan again',
      confirmTitle: (node: string) => `Restore onto ${node}?`,
      confirmReplaces: (directory: string, backup: string) =>
        `The database in ${directory} is replaced by the backup ${backup}.`,
      confirmAside: (directories: string) => `The old files are moved to ${directories}; nothing is deleted.`
    },
    restored: {
      title: 'The backup was restored.',
      copied: 'Copied',
      aside: 'Old files',
      noAside: 'none',
      end: 'Log ends at',
      next: 'Next start',
      advice:
        'This backup is of this node: take a full backup now. Differential backups cannot build on those from before the restore.',
      adviceFirstStart:
        'A full backup is possible after the first start of the server, which truncates the log: start it, then take the backup.',
      fullBackup: 'Take a full backup',
      removeOld: 'Remove the old files yourself once the new database runs.'
    },
    undone: 'The restore was undone; the old database is back in place.',
    unfinishedRestore: {
      title: 'A restore of this directory is unfinished',
      untouched: 'The old database is unchanged so far. Finish the restore or undo it.',
      neither:
        'Some files are old, some are new: a server refuses to start here. Finish the restore, or put the old files back.',
      finishing: 'The new database is in place; only the last step is missing. Finish the restore.',
      continue: 'Finish the restore',
      undo: 'Put the old files back',
      continueTitle: 'Finish the restore?',
      continueText: 'The new files move into place; the old files stay where they were moved.',
      undoTitle: 'Put the old files back?',
      undoText: 'The files copied from the backup are removed, and the old database is put back.'
    }
  }
} as const;
