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
    legendOfMany:
      'A number: so many backups; click again for the next. Filled: all verified or rehearsed; red: damage.',
    marksOf: (number: string, first: string, last: string, check: string) =>
      `${number}, ${first} to ${last}: ${check}`,
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
      rehearsed: 'Rehearsed',
      quick: 'Verify names and sizes only',
      quickHint: 'Takes a moment, and proves less: not stored as a verification.',
      scratch: 'Rehearse in',
      temporary: 'Temporary directory…'
    },
    verify: 'Verify backup',
    verifyHint: 'Reads every byte and compares it with the manifest.',
    rehearse: 'Rehearse backup',
    rehearseHint: 'Restores it into a temporary directory, checks everything and removes the copy.',
    restore: 'Restore backup…',
    restoreHint: 'First shows what is replaced and what is lost.',
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
      notEnough: (target: string, missing: string) =>
        `Not enough free space: ${target} needs ${missing} more.`,
      makeRoom:
        'Free space there (pruning removes old backups), or choose another directory, then plan again.'
    },
    created: (id: string) => `The backup ${id} is complete.`,
    createdHint: 'It has not been verified yet.',
    createdVerified: 'Every byte of it was verified.',
    createdStored:
      'Every byte was verified as it is stored. What it contains is read only with its password: rehearse it now and then.',
    verifyIt: 'Verify new backup',
    rehearseIt: 'Rehearse new backup',
    restoreIt: 'Restore it…',
    schedule: {
      title: 'Schedule of backups',
      none: 'No schedule yet',
      every: (when: string, kept: string) => (kept === '' ? when : `${when}, keep ${kept}`),
      kept: {
        last: (count: string) => `the last ${count}`,
        daily: (count: string) => `${count} daily`,
        weekly: (count: string) => `${count} weekly`,
        monthly: (count: string) => `${count} monthly`
      },
      next: (time: string) => `next ${time}`,
      last: (age: string) => `last ${age}`,
      lastAfterMissed: (age: string, missed: number) =>
        `last ${age}, after ${missed} missed ${missed === 1 ? 'time' : 'times'}`,
      running: 'running now',
      week: {
        label: (runs: number) =>
          `Backups of the coming week: ${runs === 1 ? 'one backup' : `${runs} backups`}`,
        runs: 'backup'
      },
      run: {
        done: (at: string, due: string | null, took: string | null) =>
          `The last one ended at ${at}${due === null ? '' : `, for ${due}`}${took === null ? '' : `; it took ${took}`}.`,
        failed: (at: string, due: string | null) =>
          `The last one failed at ${at}${due === null ? '' : `, for ${due}`}. Nothing was removed.`,
        afterFailure:
          'The schedule tries again at its next time. To take one before that, plan a backup on this page.',
        missed: (times: number) =>
          times === 1
            ? 'One earlier time passed without a backup: Winnow was closed, or the node was occupied.'
            : `${times} earlier times passed without a backup: Winnow was closed, or the node was occupied.`
      },
      lastFailed: (why: string) => `last one failed: ${why}`,
      says: (when: string, zone: string) => `${when} (${zone})`,
      keeps: 'Keep',
      explained:
        'Winnow takes them while this window or the service of this node runs, and makes up once for the times it missed. It removes older ones only after it has checked every byte of the new one. All zero: it removes none.',
      save: 'Set the schedule',
      remove: 'Remove it'
    },
    rehearsal: {
      label: 'What the rehearsal tried',
      names: {
        restored: 'Restored into a temporary directory',
        truncated: 'Truncated as a first start would',
        log: 'Log opened and verified',
        index: 'Index verified against the log',
        streams: 'Last event of each stream read'
      },
      restored: (files: string, bytes: string) => `${files}, ${bytes}`,
      truncated: (position: string) => `log ends at ${position}`,
      log: (records: string) => records,
      index: (entries: string) => entries,
      streams: (streams: string) => streams,
      failed: (findings: string) => `${findings}, below`,
      skipped: 'not tried'
    },
    encryption: {
      title: 'Encryption',
      none: 'Not encrypted',
      byFile: (file: string) => `Encrypted: ${file}`,
      byPassword: 'Encrypted: password',
      explained:
        'The next backups are encrypted (age). Without the secret key or the password nobody can restore them: keep it elsewhere too.',
      chooseFile: 'Choose a key file…',
      newFile: 'Make a key file…',
      password: 'Password, at least 8 characters',
      usePassword: 'Use password',
      sealing: 'Sealing the key…',
      passwordHint: 'The secret key stays with the backups, sealed with it. Backups are taken without it.',
      dont: 'Do not encrypt'
    },
    more: {
      title: 'More options',
      own: 'up to 4',
      unlimited: 'no limit',
      threads: 'Files at once',
      threadsHint: 'More only help on fast disks.',
      rate: 'Read at most',
      rateUnit: 'MiB/s',
      rateHint: 'All files together.',
      moved: 'The node has moved',
      movedHint: 'It is the same one, in another directory or at another address.',
      server: 'Running server',
      serverHint: 'Asked for its role, its lag and its scavenges; empty: not asked.',
      user: 'User of the server',
      password: 'Password of the user',
      passwordGiven: 'given',
      authority: 'Certificate authority',
      choose: 'Choose…',
      stopScavenge: 'Stop its scavenge',
      stopScavengeHint: 'It is started again afterwards, with one thread and no throttle.'
    },
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
      unfinished: 'unfinished too',
      unfinishedHint: 'Also removes the unfinished backup that the next run would resume.',
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
    }
  }
} as const;
