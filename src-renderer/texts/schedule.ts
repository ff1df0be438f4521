/** Texts of Auto-scavenge: the state, its members, quiet hours, licence and the list of conditions. */
export const scheduleTexts = {
  autoScavenge: {
    noSchedule: 'No schedule is set',
    of: (cluster: string) => `Schedule of ${cluster}`,
    ofOne: (node: string) => `Schedule of ${node}, a cluster of one`,
    draft: 'not saved yet',
    saved: 'this is the schedule',
    save: 'Save the schedule',
    change: 'Save the new schedule',
    revert: 'Back to the one that holds',
    zoneOfServer: 'The cluster reckons in its own time zone.',
    unknownZone: 'This is no IANA time zone.',
    state: 'State',
    states: {
      NotConfigured: 'Not configured',
      Waiting: 'Waiting',
      InProgress: 'In progress',
      Pausing: 'Pausing',
      Paused: 'Paused'
    },
    stateHints: {
      NotConfigured: 'Nothing is scavenged until a schedule is set.',
      Waiting: (next: string) => `The next cycle begins ${next}.`,
      WaitingOnly: 'The next cycle begins at its time.',
      InProgress: 'One member after the other is scavenged; the leader comes last.',
      Pausing: 'The scavenge that runs is being stopped; what it has done stays done.',
      Paused: 'Nothing is started until it is resumed.',
      PausedByQuietHours: 'These are quiet hours: it goes on by itself when they end.'
    },
    unknownState: 'Its state is not known',
    pause: 'Pause',
    resume: 'Resume',
    by: 'Run by',
    own: 'This cluster schedules itself: its own auto-scavenge is shown and controlled here.',
    members: 'Members, in the order they are scavenged',
    leader: 'leader, last',
    steps: {
      waiting: 'waits',
      designated: 'is next',
      running: 'is being scavenged',
      success: 'done',
      stopped: 'stopped',
      errored: 'failed'
    },
    noStep: 'in no cycle yet',
    dead: 'does not answer',
    roles: { Stopped: 'stopped', InUse: 'in use by a server' },
    logEnd: (position: string) => `log ends at ${position}`,
    next: 'Next five times',
    noNext: 'None: no schedule is set.',
    preview: 'of what is typed',
    zone: 'Time zone',
    quiet: {
      title: 'Quiet hours',
      hint: 'Nothing is scavenged from the one time to the other. Somebody else’s pause is never undone by their end.',
      from: 'From',
      to: 'to',
      days: 'On',
      none: 'There are none.',
      dayNames: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
      longDayNames: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
      save: 'Save quiet hours',
      off: 'No quiet hours',
      now: 'now',
      is: (from: string, to: string, days: string) => `${from} to ${to}, ${days}`,
      everyDay: 'every day',
      nextDay: 'until the next day'
    },
    checklist: {
      title: 'Conditions',
      allGood: 'All conditions are met: it runs when it is due.',
      notAll: (count: number) =>
        count === 1
          ? 'It does not run: one condition is not met.'
          : `It does not run: ${count} conditions are not met.`,
      met: 'met',
      notMet: 'not met',
      actions: {
        chooseLicence: 'Choose a licence…',
        evaluation: 'Use the evaluation licence',
        configure: 'Set a schedule',
        resume: 'Resume',
        setAccess: 'Access…',
        chooseAuthority: 'Certificate authority…',
        editSettings: 'In the configuration file of the node'
      }
    },
    licence: {
      title: 'Licence',
      choose: 'Choose a file…',
      evaluation: 'Use the evaluation licence',
      none: 'Use none',
      byKey: 'It comes from the settings of this machine.'
    }
  }
} as const;
