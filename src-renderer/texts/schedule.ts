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
    coordinators: {
      thisWindow: 'This window, while it is open',
      thisService: 'This service, while it runs',
      process: (pid: number, url: string | null) => `Process ${pid}${url === null ? '' : ` at ${url}`}`,
      nobody: 'Nobody'
    },
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
    allQuiet: 'None: all its times are in quiet hours.',
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
    maintenance: {
      title: 'Maintenance window',
      hint: 'The only hours in which scheduled scavenges run, each day. Quiet hours are all others: a run that is not done at the end stops where the next night resumes.',
      is: (from: string, to: string) => `Scavenges run only from ${from} to ${to}, every day`,
      none: 'None: scavenges run at any hour',
      byQuietHours: 'Quiet hours are set that are not the same every day',
      from: 'Scavenges run from',
      to: 'until',
      same: 'The window is empty.',
      plan: 'Plan the nights',
      again: 'Plan again',
      planned: (age: string) => `planned ${age}`,
      save: 'Save maintenance window',
      off: 'No maintenance window',
      never: 'The schedule never begins',
      neverHint: (from: string) =>
        `None of its times is inside the maintenance window. Begin it with the window, at ${from}.`,
      begin: (from: string) => `Begin at ${from} every night`,
      remote:
        'A running node does not say what a scavenge would free, nor how fast it is: its nights cannot be planned.',
      unopened: (names: string) => `Open these members first, then plan the nights: ${names}.`,
      other: (window: string) => `This plan is of the window ${window}.`,
      otherZone: (own: string, zone: string) =>
        `The plan reads the window in the time zone of this machine (${own}), the schedule in ${zone}.`,
      planTitle: 'Plan of the nights',
      table: 'Nights of the maintenance window',
      strip: (nights: string, members: string) => `What each night would free: ${nights}, ${members}`,
      bar: (member: string, night: string, frees: string) => `${member}, ${night}: would free ${frees}`,
      bars: 'would be freed in a night',
      through: (time: string, nights: string) => `All members are done by ${time}, after ${nights}.`,
      notThrough: 'It is not known when the last member is done.',
      nothing: 'There is nothing to do on any member.',
      frees: (bytes: string) => `Would free ${bytes}.`,
      freesUnknown: 'What it would free is not known of each member.',
      columns: {
        member: 'Member',
        night: (zone: string) => `Night (${zone})`,
        ends: 'Work ends',
        read: 'Chunks read',
        chunks: 'Chunks done',
        frees: 'Frees',
        lost: 'Repeated'
      },
      help: {
        start: 'When the window begins, and the work of that night with it.',
        night: 'When the window begins. A member begins in the night after the one before it is done.',
        ends: 'When the work of this night ends: with the window, or when all of it is done.',
        read: 'Chunks that are read for what they tell, before any is replaced.',
        chunks: 'Chunks that are replaced, or stay because their copy is not smaller.',
        lost: 'Work that the end of the window cuts: the next night begins it again.'
      }
    },
    checklist: {
      title: 'Conditions',
      allGood: 'All conditions are met. The schedule runs when it is due.',
      notAll: (count: number) =>
        count === 1
          ? 'The schedule does not run: one condition is not met.'
          : `The schedule does not run: ${count} conditions are not met.`,
      /** A condition as the engine's side words it. */
      sentence: (words: string) => words,
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
