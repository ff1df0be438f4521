/**
 * Why a schedule does not run, as a checklist: each condition with a sentence and a possible action.
 * Pure: takes the facts as input. The order is that in which a person would check them.
 */
import { formatQuietHours, type Enablement, type QuietHours } from '../../src-core/index.ts';
import type { ChecklistItem, ClusterHealth } from '../contract/verbs/cluster-contract.ts';
import type { Licence } from '../access/licence.ts';

export interface ScheduleFacts {
  /** A text: the settings cannot be read. */
  enablement: Enablement | string;
  licence: Licence;
  schedule: string | null;
  pausedBy: 'person' | 'quietHours' | null;
  quietHours: QuietHours | null;
  isQuietNow: boolean;
  /** For running nodes; undefined: directories. */
  remote:
    | {
        /** What is wrong with user, password or certificate authority; undefined: nothing. */
        accessFault: string | undefined;
        /** undefined: their leader does not report it. */
        hasOwnSchedule: boolean | undefined;
      }
    | undefined;
  health: ClusterHealth;
  /** Members that are missing, dead or in use, by name. */
  absent: readonly string[];
  /** Another process of this machine that coordinates. */
  holder: { pid: number; url: string | null } | undefined;
  /** What this process is to people. */
  host: ScheduleHost;
}

/** What runs a schedule: a window, while it is open, or a service. */
export type ScheduleHost = 'window' | 'service';

const HOST_WORDS: Readonly<Record<ScheduleHost, string>> = {
  window: 'This window runs the schedule while it is open.',
  service: 'This service runs the schedule while it runs.'
};

export function scheduleChecklist(facts: ScheduleFacts): ChecklistItem[] {
  // A cluster that schedules itself only needs to be reachable.
  if (facts.remote?.hasOwnSchedule === true)
    return [accessItem(facts.remote), membersItem(facts), ownItem(true)];
  return [
    ...enablementItems(facts.enablement),
    licenceItem(facts.licence),
    scheduleItem(facts.schedule),
    pauseItem(facts.pausedBy),
    quietItem(facts),
    ...(facts.remote ? [accessItem(facts.remote)] : []),
    membersItem(facts),
    ...(facts.remote ? [ownItem(facts.remote.hasOwnSchedule)] : []),
    coordinatorItem(facts)
  ];
}

function enablementItems(enablement: Enablement | string): ChecklistItem[] {
  if (typeof enablement === 'string') {
    return [bad('feature', `The settings of the node cannot be used: ${enablement}`, 'editSettings')];
  }
  const isDevMode = enablement.result !== 'enabled' && /dev mode/.test(enablement.reason);
  const isMemory = enablement.result !== 'enabled' && /mem-db/.test(enablement.reason);
  const isOff = enablement.result !== 'enabled' && !isDevMode && !isMemory;
  return [
    isOff
      ? bad('feature', 'Auto-scavenge is turned off by the setting AutoScavenge: Enabled.', 'editSettings')
      : good('feature', 'Auto-scavenge is not turned off by a setting.'),
    isDevMode
      ? bad(
          'devMode',
          'The configuration of the node sets Dev: no schedule runs in dev mode.',
          'editSettings'
        )
      : good('devMode', 'The node is not in dev mode.'),
    isMemory
      ? bad('memoryDatabase', 'The configuration of the node sets MemDb: there are no files.', 'editSettings')
      : good('memoryDatabase', 'The database is stored in files.')
  ];
}

function licenceItem(licence: Licence): ChecklistItem {
  if (!licence.isValid)
    return bad('licence', `There is no valid licence: ${licence.reason}.`, 'chooseLicence');
  const until = licence.expiresAt.toISOString().slice(0, 10);
  return good('licence', `Licensed to ${licence.holder} until ${until}.`);
}

function scheduleItem(schedule: string | null): ChecklistItem {
  return schedule === null
    ? bad('schedule', 'No schedule is set.', 'configure')
    : good('schedule', `The schedule is ${schedule}.`);
}

function pauseItem(pausedBy: ScheduleFacts['pausedBy']): ChecklistItem {
  return pausedBy === 'person'
    ? bad('paused', 'The schedule was paused by hand. It stays paused until it is resumed.', 'resume')
    : good('paused', 'The schedule is not paused.');
}

function quietItem({ quietHours, isQuietNow, pausedBy, schedule }: ScheduleFacts): ChecklistItem {
  if (quietHours === null) return good('quietHours', 'There are no quiet hours.');
  const words = formatQuietHours(quietHours);
  if (!isQuietNow) return good('quietHours', `It is now outside the quiet hours ${words}.`);
  // Without a schedule there was nothing that they could have paused.
  if (schedule === null) return good('quietHours', `It is now inside the quiet hours ${words}.`);
  if (pausedBy === null)
    return good('quietHours', `The schedule was resumed by hand inside the quiet hours ${words}.`);
  return bad(
    'quietHours',
    `It is now inside the quiet hours ${words}; the schedule resumes by itself when they end.`,
    'resume'
  );
}

function accessItem({ accessFault }: NonNullable<ScheduleFacts['remote']>): ChecklistItem {
  return accessFault === undefined
    ? good('credentials', 'User, password and certificate authority are usable.')
    : bad(
        'credentials',
        accessFault,
        /authority|certificate/i.test(accessFault) ? 'chooseAuthority' : 'setAccess'
      );
}

function membersItem({ health, absent }: ScheduleFacts): ChecklistItem {
  if (health === 'unreachable') return bad('members', 'No member answers.', null);
  if (absent.length === 0 && health === 'healthy') return good('members', 'All members are available.');
  const names = absent.length === 0 ? 'Fewer members than expected' : absent.join(', ');
  return bad('members', `${names}: not all members can be scavenged now.`, null);
}

function ownItem(hasOwnSchedule: boolean | undefined): ChecklistItem {
  if (hasOwnSchedule === undefined) {
    return bad(
      'ownSchedule',
      'The leader does not report whether the cluster runs its own auto-scavenge.',
      'setAccess'
    );
  }
  return good(
    'ownSchedule',
    hasOwnSchedule
      ? 'The cluster runs its own auto-scavenge, which is shown and controlled here.'
      : 'The cluster does not run its own auto-scavenge.'
  );
}

function coordinatorItem({ holder, host }: Pick<ScheduleFacts, 'holder' | 'host'>): ChecklistItem {
  // A service coordinates the cluster of its node by itself, and its page asks it like any other process.
  if (holder === undefined || (host === 'service' && holder.pid === process.pid))
    return good('coordinator', HOST_WORDS[host]);
  const where = holder.url === null ? '' : ` at ${holder.url}`;
  const words = `Process ${holder.pid}${where} runs the schedule`;
  return holder.url === null
    ? bad('coordinator', `${words} and serves no HTTP: it cannot be controlled from here.`, null)
    : good('coordinator', `${words}, and is controlled from here.`);
}

function good(item: ChecklistItem['item'], words: string): ChecklistItem {
  return { item, isOk: true, words, action: null };
}

function bad(item: ChecklistItem['item'], words: string, action: ChecklistItem['action']): ChecklistItem {
  return { item, isOk: false, words, action };
}
