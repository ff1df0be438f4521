/** Texts of the view Backups: the catalogue, creating, checking, pruning, and the way of a restore. */
export const backupsTexts = {
  backups: {
    title: 'Backups',
    target: 'Directory of the backups',
    chooseTarget: 'Choose a directory…',
    changeTarget: 'Another directory…',
    noTarget: 'No directory for backups has been chosen for this node.',
    noTargetHint:
      'Choose one outside the database, best on another disk. It may hold backups already, also those of other nodes of the cluster.',
    intro:
      'A backup copies the database, stopped or running, into a folder of its own. It can be restored alone, by Winnow or with nothing but copies.',
    none: 'There is no backup in this directory yet.',
    choose: 'Choose a backup to see what it holds, to check it, or to restore it.',
    reading: 'Reading the catalogue…',
    unfinished: (ids: string) => `Unfinished, resumed or removed by the next run: ${ids}`,
    damaged: (id: string, message: string) => `${id}: ${message}`,
    list: 'Backups in this directory',
    columns: {
      when: 'Taken',
      kind: 'Kind',
      node: 'Node',
      size: 'Size',
      copied: 'Copied',
      verified: 'Verified',
      rehearsed: 'Rehearsed'
    },
    kinds: { full: 'full', differential: 'differential', snapshot: 'snapshot' },
    check: {
      ok: (age: string) => `whole, ${age}`,
      damaged: (age: string) => `damaged, ${age}`,
      never: 'not yet'
    },
    store: {
      choose: 'Object store…',
      title: 'Object store',
      location: 'Place',
      endpoint: 'Address of the store',
      amazon: 'Amazon S3, or http(s)://…',
      credentials:
        'Credentials and region come from the AWS settings of this machine (AWS_ACCESS_KEY_ID, AWS_PROFILE, …). They are never kept here.',
      use: 'Keep backups there'
    },
    timeline: 'Backups along time',
    legend: 'Square: full, circle: differential. Filled: verified or rehearsed; crossed: damaged.',
    mark: (time: string, kind: string, check: string) => `${time}: ${kind}, ${check}`,
    marks: { whole: 'checked and whole', damaged: 'damaged', unknown: 'not checked yet' },
    compress: 'Compress',
    compressHint: 'Smaller, but restoring then needs Winnow instead of plain copies.',
    mode: 'Kind of backup',
    modes: { auto: 'Differential where possible', full: 'Full', differential: 'Differential' },
    plan: 'Plan a backup',
    detail: {
      title: (when: string) => `Backup of ${when}`,
      id: 'Id',
      of: 'Database',
      basedOn: 'Builds on',
      files: 'Files',
      filesValue: (files: string, chunks: string) => `${files}, ${chunks} of them chunks`,
      log: 'Log ends at',
      server: 'Server',
      verified: 'Verified',
      rehearsed: 'Rehearsed'
    },
    verify: 'Verify',
    verifyHint: 'Reads every byte and holds it against the manifest.',
    rehearse: 'Rehearse',
    rehearseHint: 'Restores it into a temporary directory, checks all of it, and removes it again.',
    restore: 'Restore…',
    restoreHint: 'Shows first what is replaced and what is lost.',
    applyTruncation: 'Cut the log here when restoring',
    applyTruncationHint:
      'One start of the server is then enough. Otherwise its first start cuts the log and ends.',
    running: 'Working…',
    stop: 'Stop',
    close: 'Close',
    leave: 'Leave it',
    stopped: 'It was stopped.',
    stoppedCreate: 'It was stopped. The next backup goes on with what was copied.',
    createPlan: {
      title: 'Plan of the backup',
      kind: 'Kind',
      basedOn: (id: string) => `builds on ${id}`,
      resumes: (id: string) => `goes on with ${id}`,
      files: 'Files',
      size: 'Size',
      toCopy: 'To copy',
      free: 'Free',
      start: (bytes: string) => `Copy ${bytes}`,
      notEnough: 'There is not enough free space in this directory.'
    },
    created: (id: string) => `The backup ${id} is complete.`,
    createdHint: 'It has not been verified yet.',
    verifyIt: 'Verify it',
    checks: {
      verified: 'The backup is whole.',
      verifiedDamage: 'The backup is damaged.',
      rehearsed: 'The rehearsal succeeded: it was restored, opened and read.',
      rehearsedDamage: 'The rehearsal found damage.',
      checked: (files: string, bytes: string) => `${files}, ${bytes} checked.`
    },
    prune: {
      title: 'What is kept',
      last: 'the last',
      daily: 'daily',
      weekly: 'weekly',
      monthly: 'monthly',
      sentence: 'Of each node: the last ones, and the last one of each day, week and month.',
      plan: 'Plan the pruning',
      planTitle: 'Plan of the pruning',
      keeps: (kept: string, goes: string, bytes: string) => `${kept} kept, ${goes} would go, ${bytes} freed`,
      kept: (kept: string, gone: string, bytes: string) => `${kept} kept, ${gone} removed, ${bytes} freed.`,
      nothing: 'Nothing would go.',
      goes: 'Would go',
      leftovers: 'Unfinished remains that go too',
      start: (backups: string) => `Remove ${backups}`,
      confirmTitle: 'Remove backups?',
      confirm: (backups: string, bytes: string) =>
        `This removes ${backups} for good and frees ${bytes}. What no other backup holds can no longer be restored.`,
      needsRule: 'Keep at least one.'
    },
    restorePlan: {
      title: 'Plan of the restore',
      onto: 'Onto',
      copies: 'Copies',
      copiesValue: (files: string, bytes: string) => `${files}, ${bytes}`,
      space: 'Room',
      spaceValue: (needed: string, free: string) => `${needed} needed, ${free} free`,
      notEnough: 'There is not enough free space: the old files stay until you remove them.',
      replaces: 'Replaces',
      replacesNothing: 'nothing, the directory is empty',
      replacesLog: (end: string) => `a log that ends at ${end}`,
      lost: 'Lost',
      lostNothing: 'nothing: the backup holds all of this log',
      lostBytes: (bytes: string) => `${bytes} at the end of the log, which the backup does not hold`,
      lostUnknown: 'cannot be told: the two logs cannot be compared',
      lostOther: 'all of this log: the backup is of another history',
      aside: 'Old files go to',
      end: 'Log will end at',
      cut: (bytes: string) => `${bytes} behind that are cut off`,
      leftOut: 'Left out',
      leftOutWhy: {
        behindTheLog: 'lies behind the log',
        scavengeState: 'scavenge state',
        madeByTheServer: 'made again by the server',
        rewrittenHere: 'written anew'
      },
      next: 'Next start',
      start: (node: string) => `Replace ${node}`,
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
      noAside: 'there were none',
      end: 'Log ends at',
      next: 'Next start',
      advice:
        'This is the node the backup was taken of: take a full backup now. Differential backups cannot build on those from before the restore.',
      adviceFirstStart:
        'The full backup waits for the first start of the server, which cuts the log: start it, then take the backup.',
      fullBackup: 'Take a full backup',
      removeOld: 'Remove the old files yourself when the new database runs.'
    },
    undone: 'The restore was undone; the old database is in place.',
    unfinishedRestore: {
      title: 'An unfinished restore is in this directory',
      untouched: 'The old database is untouched so far. Finish the restore, or take it back.',
      neither:
        'Some files are the old ones, some the new ones: a server refuses to start here. Finish the restore, or put the old files back.',
      finishing: 'The new database is in place, only the last step is missing. Finish it.',
      continue: 'Finish the restore',
      undo: 'Put the old files back',
      continueTitle: 'Finish the restore?',
      continueText: 'The new files come into place; the old ones stay where they were moved aside.',
      undoTitle: 'Put the old files back?',
      undoText: 'What was copied of the backup is removed, and the old database is in place again.'
    }
  }
} as const;
