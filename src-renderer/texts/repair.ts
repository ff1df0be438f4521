/** Texts of what the view Verify does about findings: repair and rebuild of the index. */
export const repairTexts = {
  repair: {
    repair: 'Repair…',
    repairThis: (code: string) => `Plan a repair of ${code}`,
    rebuild: 'Rebuild the index…',
    repairAll: 'Plan a repair',
    repairAllHint:
      'Derives again what is derived, and moves away what does not belong. It never invents data and deletes nothing; you see the plan first.',
    usesBackups: 'Take damaged and missing chunks from the newest backup',
    acceptLoss: 'Cut the log where damage forces it',
    acceptLossHint: 'Records behind the damage are lost. The plan names them first.',
    inUse: 'A running server holds this directory. Stop it first.',
    leave: 'Leave it',
    close: 'Close',
    stopped: 'It was stopped. Each file is as it was or as it is to be.',
    verifyAgain: 'Verify again',
    repairPlan: {
      title: 'Plan of the repair',
      nothing: 'There is nothing that a repair could do here.',
      does: 'What it does, in this order',
      unrepaired: 'What stays as it is',
      lost: (records: string, from: string, to: string, streams: string) =>
        `${records} still readable between positions ${from} and ${to}, of ${streams}`,
      start: (files: string) => `Repair ${files}`,
      confirmTitle: (node: string) => `Repair ${node}?`,
      confirm: (files: string) =>
        `This writes or moves away ${files}, as the plan says. What is moved lies in a folder beside the data directory afterwards.`,
      confirmLoss: 'The log is cut where the plan says so: the records behind that are lost.'
    },
    repaired: {
      ok: 'Repaired: no damage is left.',
      notOk: 'Repaired as planned; some damage is left.',
      aside: 'What was moved away lies in',
      did: 'What was done'
    },
    rebuildPlan: {
      title: 'Plan of the index rebuild',
      entries: 'Entries',
      estimate: 'estimated',
      size: 'New index',
      needed: 'Needed meanwhile',
      removes: 'Replaces',
      start: 'Rebuild the index',
      confirmTitle: (node: string) => `Rebuild the index of ${node}?`,
      confirm: 'The index is written anew from the log. The log itself is only read.'
    },
    rebuilt: (entries: string) => `The index was rebuilt with ${entries}.`
  }
} as const;
