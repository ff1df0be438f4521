/** Texts of the activity. */
export const activityTexts = {
  activity: {
    title: 'Activity',
    /** An operation, from what every door calls it. */
    titled: (title: string) => title,
    intro:
      'Operations requested on this machine in the window, on the command line and over HTTP, without events and payloads.',
    table: 'Operations',
    search: 'Find an operation, node or outcome',
    onlyNode: (name: string) => `Only ${name}`,
    count: (shown: string, all: string) => `${shown} of ${all}`,
    none: 'No operations yet. Every plan, scavenge, verification, backup, restore and repair is listed here.',
    noneFound: 'No matches.',
    columns: {
      when: 'Started',
      what: 'Operation',
      where: 'Node',
      door: 'By',
      outcome: 'Outcome',
      took: 'Took'
    },
    doors: {
      window: 'window',
      browser: 'browser',
      commandLine: 'command line',
      http: 'HTTP',
      schedule: 'schedule'
    },
    outcomes: {
      running: 'running',
      done: 'done',
      stopped: 'stopped',
      failed: 'failed',
      interrupted: 'interrupted'
    },
    verdicts: {
      damage: 'found damage',
      willNotStart: 'will not start',
      deletesLog: 'deletes log',
      errored: 'with errors'
    },
    /** Members of requests and reports whose own names would mislead; others are written as words. */
    members: {
      ok: 'OK',
      dryRun: 'Plan only',
      planId: 'Plan',
      plan: 'Requested plan',
      scavengeId: 'Scavenge ID',
      merge: 'Merge chunks',
      singleNode: 'Single node',
      syncOnly: 'Unfinished only',
      indexDirectory: 'Index directory',
      throttlePercent: 'Speed (%)'
    } as Readonly<Record<string, string>>,
    noValue: 'none',
    yes: 'yes',
    no: 'no',
    interrupted:
      'Its process ended without recording a result. What it wrote is complete or is removed when the database is opened next.',
    started: 'Started',
    ended: 'Ended',
    took: 'Took',
    by: 'By',
    of: 'Directory',
    target: 'Backups',
    machine: 'Machine',
    version: 'Version',
    options: 'Request',
    figures: 'Figures',
    log: 'Log',
    noLog: 'No log.',
    openReport: 'Open report',
    openNode: 'Open node',
    nodeGone: 'Its directory is not in the list of nodes.',
    onlyLikeThis: 'Show only operations like this',
    copyId: 'Copy the id',
    copyError: 'Copy the error',
    copy: 'Copy details',
    copied: 'Copied',
    withNames: 'include stream names',
    copyHint: 'For a bug report: without events and machine name, with shortened paths.',
    select: 'Select an operation to see its request and its result.'
  }
} as const;
