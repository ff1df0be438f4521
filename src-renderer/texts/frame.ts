/** Texts of the frame: side bar, first screen, strip, palette, errors. */
export const frameTexts = {
  product: 'Winnow',

  frame: {
    nodes: 'Nodes',
    open: 'Open…',
    openHint: 'Open a database',
    search: 'Search or run…',
    back: 'Back',
    forward: 'Forward',
    refresh: 'Read again',
    collapse: 'Collapse the side bar',
    expand: 'Expand the side bar',
    theme: (theme: string) => `Theme: ${theme}. Click for the next one.`,
    themes: { system: 'as the system', light: 'light', dark: 'dark' },
    views: 'Views',
    copyPath: 'Copy the path',
    loading: 'Reading the database…',
    stale: 'reading again…'
  },

  views: {
    overview: 'Overview',
    chunks: 'Chunks',
    records: 'Records',
    streams: 'Streams',
    index: 'Index',
    usage: 'Usage',
    scavenge: 'Scavenge',
    schedule: 'Auto-scavenge',
    backups: 'Backups',
    verify: 'Verify',
    erasure: 'Erasure',
    node: 'This node'
  },

  first: {
    title: 'Open a database',
    directory: 'Open a data directory',
    directoryHint: 'The folder that holds the chunk files and writer.chk. The index is found beside them.',
    configuration: 'Open a server configuration',
    configurationHint: 'The YAML file of the server. It names the data and the index directory.',
    sample: 'Create the sample database',
    sampleHint: 'About 64 MB with streams that expired, were truncated and were deleted. Made in a moment.',
    sampleRunning: 'Writing the sample database…',
    recent: 'Recent',
    noRecent: 'Databases you open are listed here.',
    forget: 'Remove from this list',
    rename: 'Rename',
    save: 'Save',
    cancel: 'Cancel',
    safety:
      'Looking changes nothing. A directory that a running server holds is opened read-only. Scavenge, restore and repair show their plan before they write anything; what a scavenge removes can only come back from a backup.'
  },

  inUse: {
    title: 'A running server holds this directory',
    by: (by: string, pid: number | null) => {
      const program = by === 'unknown' ? 'another program' : by;
      return pid === null ? `It is open in ${program}.` : `It is open in ${program} (process ${pid}).`;
    },
    consequence: 'Everything here is read-only and may change while you look. Stop the server to scavenge.',
    badge: 'read-only'
  },

  engine: {
    died: 'The engine ended',
    explained:
      'Nothing half-written is in use: the next opening cleans up. Running work was stopped and can be resumed.',
    restart: 'Start the engine again'
  },

  error: {
    details: 'Details',
    copy: 'Copy',
    retry: 'Try again',
    dismiss: 'Dismiss',
    moreWarnings: (count: string) => `${count} more`
  },

  work: {
    running: 'Running work',
    stop: 'Stop',
    stopping: 'stopping…',
    idle: 'Nothing is running',
    freeDisk: (free: string) => `${free} free on the volume`,
    more: (count: number) => `and ${count} more`,
    freed: (bytes: string) => `${bytes} freed`,
    perSecond: (rate: string) => `${rate}/s`,
    ended: { done: 'done', stopped: 'stopped', failed: 'failed', running: 'running', stopping: 'stopping' },
    planOf: (title: string) => `Plan: ${title}`,
    names: {
      verifyDatabase: 'Verify',
      reportErasure: 'Report on erasure in',
      examineStart: 'Look at the next start of',
      surveyUsage: 'Count what lies in',
      compareChunk: 'Comparison of a chunk of',
      planScavenge: 'Plan',
      explain: 'Explain',
      runScavenge: 'Scavenge',
      writeSample: 'Sample database',
      planBackup: 'Plan of a backup:',
      createBackup: 'Backup of',
      verifyBackup: 'Check of a backup of',
      rehearseBackup: 'Rehearsal of a backup of',
      pruneBackups: 'Pruning the backups of',
      planRestore: 'Plan of a restore:',
      runRestore: 'Restore',
      continueRestore: 'Restore',
      undoRestore: 'Undoing the restore of',
      repairDatabase: 'Repair',
      planIndexRebuild: 'Plan of an index rebuild:',
      rebuildIndex: 'Index rebuild of'
    }
  },

  /** One, and more than one. */
  units: {
    bytes: ['byte', 'bytes'],
    records: ['record', 'records'],
    chunks: ['chunk', 'chunks'],
    streams: ['stream', 'streams'],
    entries: ['entry', 'entries'],
    tables: ['table', 'tables'],
    files: ['file', 'files']
  },

  palette: {
    title: 'Search or run',
    placeholder: 'An action, a node, a stream, a chunk number or a log position',
    nothing: 'Nothing matches.',
    recent: 'Recent',
    actions: 'Actions',
    views: 'Views',
    nodes: 'Nodes',
    streams: 'Streams',
    go: 'Go to',
    chunk: (number: string) => `Chunk ${number}`,
    record: (position: string) => `Record at position ${position}`,
    actionsList: {
      openDirectory: 'Open a data directory…',
      openConfiguration: 'Open a server configuration…',
      createSample: 'Create the sample database',
      refresh: 'Read the database again',
      plan: 'Compute what a scavenge would free',
      backup: 'Plan a backup',
      verify: 'Verify this database',
      doctor: 'Will a server start here?',
      stop: 'Stop the running work',
      theme: 'Next theme',
      settings: 'Settings',
      activity: 'Activity',
      about: 'About Winnow',
      zoomIn: 'Larger',
      zoomOut: 'Smaller',
      zoomReset: 'As large as made',
      sideBar: 'Collapse or expand the side bar',
      copyAddress: 'Copy the address of this place',
      copyPath: 'Copy the data directory’s path',
      back: 'Back',
      forward: 'Forward'
    }
  }
} as const;
