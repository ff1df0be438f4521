/** Texts of the view Backups: the catalogue, creating, checking, pruning and restoring. */
export const backupsTexts = {
  backups: {
    title: 'Backups',
    target: 'Backup directory',
    chooseTarget: 'Choose a directory…',
    changeTarget: 'Change directory…',
    noTarget: 'This node has no backup directory yet.',
    noTargetHint:
      'Choose one outside the database, preferably on another disk. It may already hold backups, including those of other nodes of the cluster.',
    intro:
      'A backup copies the database, stopped or running, into a folder of its own. Each can be restored by itself, with Winnow or by copying files.',
    none: 'There are no backups in this directory yet.',
    choose: 'Select a backup to see its contents, verify it or restore it.',
    reading: 'Reading the catalogue…',
    unfinished: (ids: string) => `Unfinished; the next run resumes or removes them: ${ids}`,
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
      ok: (age: string) => `intact, ${age}`,
      damaged: (age: string) => `damaged, ${age}`,
      never: 'not yet'
    },
    store: {
      choose: 'Object store…',
      title: 'Object store',
      location: 'Location',
      endpoint: 'Endpoint',
      amazon: 'Amazon S3, or http(s)://…',
      credentials:
        'Credentials and region come from the AWS settings of this machine (AWS_ACCESS_KEY_ID, AWS_PROFILE, …). Winnow never stores them.',
      use: 'Use this store'
    },
    timeline: 'Backups over time',
    legend: 'Square: full, circle: differential. Filled: verified or rehearsed; crossed: damaged.',
    mark: (time: string, kind: string, check: string) => `${time}: ${kind}, ${check}`,
    marks: { whole: 'checked, intact', damaged: 'damaged', unknown: 'not checked yet' },
    compress: 'Compress',
    compressHint: 'Smaller, but only Winnow can restore it; copying files is not enough.',
    mode: 'Backup kind',
    modes: { auto: 'Differential where possible', full: 'Full', differential: 'Differential' },
    plan: 'Plan a backup',
    detail: {
      title: (when: string) => `Backup of ${when}`,
      id: 'ID',
      of: 'Database',
      basedOn: 'Based on',
      files: 'Files',
      filesValue: (files: string, chunks: string) => `${files}, ${chunks} of them chunks`,
      log: 'Log ends at',
      server: 'Server',
      verified: 'Verified',
      rehearsed: 'Rehearsed'
    },
    verify: 'Verify backup',
    verifyHint: 'Reads every byte and compares it with the manifest.',
    rehearse: 'Rehearse backup',
    rehearseHint: 'Restores it into a temporary directory, checks everything and removes the copy.',
    restore: 'Restore backup…',
    restoreHint: 'First shows what is replaced and what is lost.',
    applyTruncation: 'Truncate the log during the restore',
    applyTruncationHint:
      'One start of the server is then enough. Otherwise its first start truncates the log and exits.',
    running: 'Working…',
    stop: 'Stop',
    close: 'Close',
    leave: 'Discard plan',
    stopped: 'Stopped.',
    stoppedCreate: 'Stopped. The next backup resumes with what was copied.',
    createPlan: {
      title: 'Backup plan',
      kind: 'Kind',
      basedOn: (id: string) => `based on ${id}`,
      resumes: (id: string) => `resumes ${id}`,
      files: 'Files',
      size: 'Size',
      toCopy: 'To copy',
      free: 'Free',
      start: (bytes: string) => `Copy ${bytes}`,
      notEnough: 'There is not enough free space in this directory.'
    },
    created: (id: string) => `The backup ${id} is complete.`,
    createdHint: 'It has not been verified yet.',
    verifyIt: 'Verify new backup',
    checks: {
      verified: 'The backup is intact.',
      verifiedDamage: 'The backup is damaged.',
      rehearsed: 'The rehearsal passed: the backup was restored, opened and read.',
      rehearsedDamage: 'The rehearsal found damage.',
      checked: (files: string, bytes: string) => `${files}, ${bytes} checked.`
    },
    prune: {
      title: 'Retention',
      last: 'the last',
      daily: 'daily',
      weekly: 'weekly',
      monthly: 'monthly',
      sentence: 'For each node: the last backups, and the last one of each day, week and month.',
      plan: 'Plan pruning',
      planTitle: 'Pruning plan',
      keeps: (kept: string, goes: string, bytes: string) =>
        `Would keep ${kept}, remove ${goes} and free ${bytes}`,
      kept: (kept: string, gone: string, bytes: string) => `${kept} kept, ${gone} removed, ${bytes} freed.`,
      nothing: 'Nothing would be removed.',
      goes: 'Would be removed',
      leftovers: 'Unfinished backups that would also be removed',
      start: (backups: string) => `Remove ${backups}`,
      confirmTitle: 'Remove backups?',
      confirm: (backups: string, bytes: string) =>
        `This removes ${backups} for good and frees ${bytes}. Data that no other backup holds can then no longer be restored.`,
      needsRule: 'Keep at least one backup.'
    },
    restorePlan: {
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
