/** Texts of the page that shows all nodes. */
export const fleetTexts = {
  fleet: {
    title: 'All nodes',
    intro:
      'Each node of the list and how it stands, worked out from what is known without reading a log. What only a reading tells is “not known” until a question has read the log once.',
    again: 'Ask again',
    asking: (done: string, all: string) => `Asking: ${done} of ${all}`,
    sum: (nodes: string, look: string) => (look === '' ? nodes : `${nodes}, ${look}`),
    needLook: (count: string, isOne: boolean) => `${count} ${isOne ? 'needs' : 'need'} a look`,
    noneNeedsLook: 'none needs a look',
    onlyLook: 'Only those that need a look',
    table: 'Nodes',
    none: 'No node is open. Open a data directory, and it is listed here.',
    noneFound: 'None of these nodes needs a look.',
    waiting: '…',
    notKnown: 'not known',
    never: 'never',
    notSoon: 'not soon',
    noTarget: 'no target',
    noBackup: 'none',
    columns: {
      node: 'Node',
      cluster: 'Cluster',
      health: 'Health',
      log: 'Log',
      removable: 'Removable',
      free: 'Free',
      full: 'Disk full',
      scavenged: 'Scavenged',
      backup: 'Last backup',
      rehearsed: 'Rehearsed',
      verified: 'Verified',
      look: 'Notes'
    },
    help: {
      removable: 'What a scavenge of all completed chunks would free now',
      full: 'Without scavenges, if the log goes on growing as it does',
      rehearsed: 'When restoring the last backup was rehearsed',
      verified: 'Share of the log whose hashes were read within 30 days'
    },
    notes: {
      unreadable: 'cannot be read',
      damaged: 'damaged',
      diskFullSoon: 'disk full soon',
      neverScavenged: 'never scavenged',
      noBackup: 'no backup',
      backupNotRehearsed: 'backup not rehearsed',
      backupFailed: 'backup failed',
      notVerified: 'not verified'
    },
    open: 'Open',
    openUsage: 'What takes the space',
    openScavenge: 'Scavenge…',
    openBackups: 'Backups',
    openVerify: 'Check and repair',
    copyProblem: 'Copy the error',
    clusters: 'Clusters',
    clusterColumns: {
      cluster: 'Cluster',
      kind: 'Members',
      answer: 'Answer',
      schedule: 'Schedule',
      next: 'Next scavenge'
    },
    clusterKinds: { local: 'directories here', remote: 'running nodes' },
    answering: (alive: string, all: string) => `${alive} of ${all}`,
    noSchedule: 'none',
    allQuiet: 'never: quiet hours',
    allQuietHint: 'All times of the schedule are in quiet hours.'
  }
} as const;
