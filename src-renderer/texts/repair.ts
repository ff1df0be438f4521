/** Texts of what the view Verify does about findings: repair and rebuild of the index. */
export const repairTexts = {
  repair: {
    moreHint: 'Network shares',
    title: 'Repair',
    repair: 'Repair…',
    repairThis: (code: string) => `Plan a repair of ${code}`,
    rebuild: 'Rebuild the index…',
    repairAll: 'Plan a repair',
    repairAllHint:
      'Recreates what can be derived and moves away files that do not belong. It never invents data and deletes nothing; you see the plan first.',
    usesBackups: 'Take damaged and missing chunks from a backup',
    whichBackup: 'Which backup',
    newestBackup: (backup: string) => `The newest: ${backup}`,
    give: 'Give a backup…',
    given: 'Take damaged and missing chunks from',
    giveKey: 'Key file…',
    takeBack: 'Without it',
    acceptLoss: 'Truncate the log where damage requires it',
    acceptLossHint: 'Records after the damage are lost. The plan lists them first.',
    inUse: 'A running server holds this directory. Stop it first.',
    leave: 'Discard plan',
    close: 'Close',
    stopped: 'Stopped. Each file has its old or its new form.',
    repairPlan: {
      title: 'Repair plan',
      nothing: 'There is nothing that a repair can do here.',
      summary: (files: string) => `${files} would change. Nothing is deleted.`,
      quick:
        'Made of checkpoints, names and heads of files; chunks and index tables were not read for it. The repair reads them before it writes.',
      basis: (time: string) =>
        `By the verification of ${time}: no file has changed since. The repair verifies again before it writes.`,
      does: 'Steps, in this order',
      unrepaired: 'What stays unrepaired',
      lost: (records: string, from: string, to: string, streams: string) =>
        `${records} still readable between positions ${from} and ${to}, of ${streams}`,
      start: (files: string) => `Repair ${files}`,
      confirmTitle: (node: string) => `Repair ${node}?`,
      confirm: (files: string) =>
        `This writes or moves ${files}, as planned. Moved files end up in a folder beside the data directory.`,
      confirmLoss: 'The log is truncated as planned: the records after that are lost.'
    },
    repaired: {
      ok: 'Repaired: no damage is left.',
      notOk: 'Repaired as planned; some damage is left.',
      aside: 'Moved files are in',
      did: 'What was done'
    },
    rebuildPlan: {
      title: 'Index rebuild plan',
      entries: 'Entries',
      estimate: 'estimated',
      size: 'New index',
      needed: 'Temporary space',
      removes: 'Replaces',
      start: 'Rebuild the index',
      confirmTitle: (node: string) => `Rebuild the index of ${node}?`,
      confirm: 'The index is rebuilt from the log. The log itself is only read.'
    },
    change: {
      missing: 'missing',
      away: 'moved away',
      at: (offset: string) => `offset ${offset}`,
      zeros: (offset: string) => `zeros after offset ${offset}`,
      fromLog: 'rewritten from the log',
      from: (file: string) => `rewritten from ${file}`,
      becomes: 'becomes'
    },
    rebuilt: (entries: string) => `The index was rebuilt with ${entries}.`
  }
} as const;
