/** Texts of Auto-scavenge: the state, its members, quiet hours, licence and the list of conditions. */
import type { CycleStep, ScheduleState } from '../../src-core/units/scavenge-terms.ts';
export const scheduleTexts = {
  autoScavenge: {
    noSchedule: 'No schedule yet',
    of: (cluster: string) => `Schedule of ${cluster}`,
    ofOne: (node: string) => `Schedule of ${node}, a cluster of one`,
    plain: {
      title: 'Schedule in words',
      every: 'Every',
      week: 'week',
      day: 'day',
      month: 'month',
      hours: 'few hours',
      other: 'other (as CRON below)',
      on: 'on',
      days: 'Days of the week',
      onDay: 'on day',
      howManyHours: 'Hours between two runs',
      hoursOf: (hours: number) => (hours === 1 ? 'every hour' : `every ${hours} hours`),
      atMinute: 'at minute',
      at: 'at',
      shortMonths: (day: number) => `It skips months that have no day ${day}.`
    },
    week: {
      label: (runs: number) => `The coming week: ${runs === 1 ? 'one run' : `${runs} runs`}`,
      runs: 'run',
      quietHours: 'quiet hours'
    },
    lastTook: (durations: string) => `The last runs took ${durations}.`,
    oneTook: (duration: string) => `The last run took ${duration}.`,
    runNow: 'Run now',
    skipNext: 'Skip the next',
    skipped: (time: string) => `Skipped: ${time}.`,
    partsOf: 'What its five parts mean',
    proposal: 'What you see below is a proposal; nothing is saved.',
    draft: 'not saved',
    saved: 'saved',
    save: 'Save schedule',
    change: 'Save new schedule',
    revert: 'Discard changes',
    zoneOfServer: 'The cluster uses its own time zone.',
    unknownZone: 'This is not an IANA time zone.',
    state: 'State',
    states: {
      NotConfigured: 'Not configured',
      Waiting: 'Waiting',
      InProgress: 'In progress',
      Pausing: 'Pausing',
      Paused: 'Paused'
    } satisfies Record<ScheduleState, string>,
    stateHints: {
      NotConfigured: 'Nothing is scavenged until you set a schedule.',
      Waiting: (next: string) => `The next cycle begins ${next}.`,
      WaitingOnly: 'The next cycle begins on schedule.',
      InProgress: 'The members are scavenged one after the other, the leader last.',
      Pausing: 'The running scavenge is stopping. What it has done is kept.',
      Paused: 'Nothing starts until you resume.',
      PausedByQuietHours: 'Quiet hours. It resumes by itself when they end.'
    },
    unknownState: 'State not known',
    pause: 'Pause',
    resume: 'Resume',
    by: 'Coordinated by',
    own: 'This cluster runs its own auto-scavenge, which is shown and controlled here.',
    members: 'Members, in the order they are scavenged',
    leader: 'leader, last',
    steps: {
      waiting: 'waiting',
      designated: 'next',
      running: 'running',
      success: 'done',
      stopped: 'stopped',
      errored: 'failed'
    } satisfies Record<CycleStep, string>,
    memberColumns: {
      member: 'Member',
      state: 'State',
      version: 'Version',
      logEnd: 'Log ends at',
      epoch: 'Epoch',
      size: 'Size',
      free: 'Free disk',
      lastScavenged: 'Last scavenged',
      cycle: 'In the cycle'
    },
    notKnown: 'not known',
    never: 'never',
    differences: 'Differences between members',
    behind: (member: string, bytes: string, other: string) =>
      `The log of ${member} ends ${bytes} before that of ${other}.`,
    otherEpoch: (member: string, epoch: number, other: string, otherEpoch: number) =>
      epoch === otherEpoch
        ? `Epoch ${epoch} of ${member} is another one than that of ${other}: not one history.`
        : `${member} is in epoch ${epoch}, ${other} in epoch ${otherEpoch}.`,
    otherVersion: (member: string, version: string, other: string, otherVersion: string) =>
      `The server of ${member} has version ${version}, that of ${other} version ${otherVersion}.`,
    noStep: 'not in a cycle yet',
    dead: 'not responding',
    roles: { Stopped: 'stopped', InUse: 'in use by a server' },
    next: 'Next five runs',
    noNext: 'None, because there is no schedule.',
    preview: 'preview',
    zone: 'Time zone',
    quiet: {
      title: 'Quiet hours',
      hint: 'Nothing is scavenged between these times. A pause set by someone else continues when they end.',
      from: 'From',
      to: 'to',
      days: 'On',
      none: 'None',
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
      allGood: 'All conditions are met. The schedule runs when it is due.',
      notAll: (count: number) =>
        count === 1
          ? 'The schedule does not run: one condition is not met.'
          : `The schedule does not run: ${count} conditions are not met.`,
      met: 'met',
      notMet: 'not met',
      actions: {
        chooseLicence: 'Choose a licence…',
        evaluation: 'Use the evaluation licence',
        configure: 'Set a schedule',
        resume: 'Resume',
        setAccess: 'Access…',
        chooseAuthority: 'Certificate authority…',
        editSettings: 'Set it in the configuration file of the node'
      }
    },
    licence: {
      title: 'Licence',
      choose: 'Choose a file…',
      evaluation: 'Use the evaluation licence',
      none: 'Remove licence',
      byKey: 'The licence comes from the settings of this machine.'
    }
  }
} as const;
