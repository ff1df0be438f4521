/** Texts of the frame: side bar, first screen, strip, palette, errors. */
export const frameTexts = {
  product: 'Winnow',

  frame: {
    nodes: 'Nodes',
    nodesMenu: 'Actions for the list',
    allNodes: 'All nodes at a glance',
    look: 'Look',
    act: 'Do',
    sideBarWidth: 'Width of the side bar',
    showInFolder: 'Show in file manager',
    undo: 'Undo',
    forgotten: (name: string) => `${name} is no longer in the list. Its database has not changed.`,
    windowTitle: (name: string) => `${name} — Winnow`,
    open: 'Open…',
    openHint: 'Open a database',
    search: 'Search or run…',
    back: 'Back',
    forward: 'Forward',
    refresh: 'Refresh',
    collapse: 'Collapse the side bar',
    expand: 'Expand the side bar',
    theme: (theme: string) => `Theme: ${theme}. Click to change it.`,
    themes: { system: 'same as the system', light: 'light', dark: 'dark' },
    views: 'Views',
    copyPath: 'Copy path',
    loading: 'Reading the database…',
    unreadable: {
      needs: 'This view shows what is in the database, which cannot be read now; above is why.',
      rows: 'No rows: the database cannot be read now; above is why.',
      check: 'Check and repair…',
      restore: 'Restore a backup…',
      forget: 'Remove from the list'
    },
    stale: 'refreshing…'
  },

  views: {
    overview: 'Overview',
    chunks: 'Chunks',
    records: 'Records',
    streams: 'Streams',
    index: 'Index',
    usage: 'Usage',
    scavenge: 'Scavenge',
    schedule: 'Schedule',
    backups: 'Backups',
    restore: 'Restore',
    verify: 'Check and repair',
    erasure: 'Erasure',
    rescue: 'Rescue',
    node: 'This node',
    extract: 'Extract and give away'
  },

  first: {
    title: 'Open a database',
    directory: 'Open a data directory',
    directoryHint: 'The folder that holds the chunk files and writer.chk. Winnow finds the index itself.',
    configuration: 'Open a server configuration',
    configurationHint: 'The YAML file of the server. It names the data and the index directory.',
    sample: 'Create the sample database',
    sampleHint: 'About 64 MiB with expired, truncated and deleted streams. Takes a moment.',
    restore: 'Restore a backup',
    restoreHint: 'From a backup or a copy made by hand, to a new directory or a stopped node.',
    sampleRunning: 'Writing the sample database…',
    recent: 'Recent',
    noRecent: 'Databases that you open are listed here.',
    forget: 'Remove from this list',
    rename: 'Rename',
    save: 'Save',
    cancel: 'Cancel',
    safety:
      'Opening a database changes nothing. A directory that a running server holds is read-only. Scavenge, restore and repair show their plan before they write anything; what a scavenge removes can only be restored from a backup.'
  },

  inUse: {
    title: 'A running server holds this directory',
    by: (by: string, pid: number | null) => {
      const program = by === 'unknown' ? 'another program' : by;
      return pid === null ? `It is open in ${program}.` : `It is open in ${program} (process ${pid}).`;
    },
    consequence: 'Everything here is read-only and may change at any moment. Stop the server to scavenge.',
    badge: 'read-only',
    again: 'Check again'
  },

  engine: {
    died: 'The engine has stopped',
    explained:
      'No half-written file is in use: the next opening cleans up. Running operations were stopped and can be resumed.',
    restart: 'Restart engine'
  },

  error: {
    details: 'Details',
    copy: 'Copy',
    retry: 'Try again',
    help: 'What helps',
    dismiss: 'Dismiss',
    moreWarnings: (count: string) => `${count} more`
  },

  work: {
    startedBy: {
      page: (user: string) => `started by ${user}`,
      http: (user: string) => `started by ${user} over HTTP`,
      schedule: () => 'started by its schedule'
    },
    running: 'Running operations',
    stop: 'Stop',
    stopping: 'stopping…',
    idle: 'Nothing is running',
    unfetched: (title: string, message: string) =>
      `The result of "${title}" could not be fetched: ${message}`,
    weighing: 'Computing the weights of chunks',
    freeDisk: (free: string) => `${free} free on the volume`,
    more: (count: number) => `and ${count} more`,
    freed: (bytes: string) => `${bytes} freed`,
    perSecond: (rate: string) => `${rate}/s`,
    ended: { done: 'done', stopped: 'stopped', failed: 'failed', running: 'running', stopping: 'stopping' }
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

  /** Of the sample database. */
  tour: {
    title: 'Tour',
    stepOf: (step: number, steps: number) => `Tour, step ${step} of ${steps}`,
    steps: {
      overview: 'How the node is, what its log holds, and what would be freed.',
      chunks: 'Every chunk with its weight: the heavier, the more a scavenge removes from it.',
      scavenge: 'Make the plan first. It reads the log and tells, record by record, what would go.',
      verify: 'Will the server start, is anything damaged, and what can be repaired.'
    },
    next: 'Next',
    done: 'Done',
    leave: 'Leave'
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    window: 'Window',
    views: 'Views',
    lists: 'Tables and maps',
    close: 'Close',
    inLists: [
      { name: 'Next or previous row', keys: '↑ ↓' },
      { name: 'First or last row', keys: 'Home End' },
      { name: 'Open the selected row', keys: 'Enter' },
      { name: 'Leave a dialog or panel', keys: 'Esc' }
    ],
    record: 'Records',
    inRecords: [
      { name: 'From the row to its JSON', keys: 'Enter' },
      { name: 'Next part: rows, JSON, fields, bytes', keys: 'F6' },
      { name: 'Previous part', keys: 'Shift F6' },
      { name: 'Fold or unfold a value', keys: '← →' },
      { name: 'Copy a value, or bytes', keys: 'Ctrl C' },
      { name: 'Copy a path, or bytes as text', keys: 'Ctrl Shift C' },
      { name: 'Select bytes', keys: 'Shift ← →' },
      { name: 'From a field to its bytes', keys: 'Enter' }
    ]
  },

  palette: {
    title: 'Search or run',
    placeholder: 'An action, a node, a stream, a chunk number or a log position',
    nothing: 'No matches.',
    recent: 'Recent',
    actions: 'Actions',
    views: 'Views',
    nodes: 'Nodes',
    streams: 'Streams',
    go: 'Go to',
    chunk: (number: string) => `Chunk ${number}`,
    record: (position: string) => `Record at position ${position}`,
    /** Why something cannot be done now. */
    obstacles: {
      noNode: 'Open a node first.',
      noNodes: 'No node is open.',
      noSample: 'Create the sample database first.',
      noCluster: 'Open a cluster first.',
      writing: 'Another operation is at work on this node.',
      inUse: 'A running server holds this directory.',
      mayNotWrite: 'Your account may only read.',
      noTarget: 'Choose in Backups where the backups go first.',
      onlyInWindow: 'Only in the window of Winnow.',
      onlyAdministrators: 'Only for users with the role $admins.',
      nothingRuns: 'Nothing is running.',
      noBack: 'There is no earlier place.',
      noForward: 'There is no later place.',
      inNoCluster: 'This node is in no cluster.'
    },
    actionsList: {
      palette: 'Search or run…',
      shortcuts: 'Keyboard shortcuts',
      documentation: 'Documentation',
      documentationAbout: 'Documentation of this view',
      tour: 'Tour of the sample database',
      scavenge: 'Scavenge this node…',
      rescue: 'Rescue a full disk…',
      repair: 'Plan a repair',
      rebuildIndex: 'Plan a rebuild of the index',
      restore: 'Restore a backup…',
      eraseInBackup: 'Erase inside a backup…',
      rekeyBackups: 'Encrypt backups for other keys…',
      erasure: 'Report where events of a stream remain',
      extract: 'Extract events…',
      export: 'Export streams as a new database…',
      bundle: 'Make a support bundle…',
      schedule: 'Schedule of this node…',
      showInFolder: 'Show the data directory in the file manager',
      openDirectory: 'Open a data directory…',
      openConfiguration: 'Open a server configuration…',
      createSample: 'Create the sample database',
      refresh: 'Refresh database',
      plan: 'Compute what a scavenge would free',
      backup: 'Plan a backup',
      verify: 'Verify this database',
      doctor: 'Will a server start here?',
      stop: 'Stop the running operation',
      theme: 'Change theme',
      settings: 'Settings',
      activity: 'Activity',
      fleet: 'All nodes at a glance',
      about: 'About Winnow',
      zoomIn: 'Zoom in',
      zoomOut: 'Zoom out',
      zoomReset: 'Reset zoom',
      sideBar: 'Collapse or expand the side bar',
      copyAddress: 'Copy a link to this view',
      copyPath: 'Copy the data directory’s path',
      back: 'Back',
      forward: 'Forward'
    }
  }
} as const;
