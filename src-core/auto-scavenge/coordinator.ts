/**
 * The coordinator of a cluster's scavenges: one worker that takes gossip and people's calls strictly one after
 * another. Each input is followed by steps of the rules until nothing more happens; every event is stored before
 * it takes effect, and what a call brought about is stored before the call is answered. Whether this process
 * leads is either what gossip says of its own member, or always true for a coordinator outside the cluster.
 */
import { requireFault } from '../errors.ts';
import { isSameMember, type GossipMember, type MemberId } from './cluster-view.ts';
import {
  decodeCoordinatorEvent,
  encodeCoordinatorEvent,
  type CoordinatorEvent,
  type CycleOptions
} from './coordinator-event.ts';
import type { CallAnswer, CoordinatorPorts } from './coordinator-ports.ts';
import {
  assess,
  assessMembers,
  assessQuietHours,
  eventOfReply,
  nextOccurrence,
  timeUntilNextCycle
} from './coordinator-rules.ts';
import type { Situation, Step } from './coordinator-rules.ts';
import { CoordinatorState, type CoordinatorStatus } from './coordinator-state.ts';
import { parseCron, type CronSchedule } from './cron-schedule.ts';
import { TimeZone } from './local-time.ts';
import { quietEndBefore, quietWindowAt, type QuietHours, type QuietWindow } from './quiet-hours.ts';
import { formatTimeSpan } from './time-span.ts';
import { formatWallTime, instantOfWallTime, NEVER, wallTimeAt, type WallTime } from './wall-time.ts';

/** Inputs that may wait at a time. */
export const COORDINATOR_QUEUE = 32;
const NO_LONGER_RUNNING = 'AutoScavenge is no longer running';

export interface CoordinatorOptions {
  /** Expected number of full members of the cluster. */
  clusterSize: number;
  order: Situation['order'];
  /** The member this process is; undefined: it is none of them, and leads by itself. */
  self: MemberId | undefined;
  /** Its instance, where gossip tells them: the entry of another instance at the same address is not its own. */
  selfInstance?: string | undefined;
  /** When an event cannot be stored: `die` until the process starts again, as the server does, or go on as soon as writing works. */
  afterStoreFailure: 'die' | 'recover';
  /** From the settings: used while the cluster has none of its own. */
  quietHours?: QuietHours | undefined;
  /** What a person wants done now does not wait for their end. */
  ignoresQuietHours?: boolean;
}

/** A write that failed, already logged. */
class StoreFailed extends Error {}
/** A write that was refused because another one leads now. */
class LeadershipLost extends Error {}

export class Coordinator {
  readonly #options: CoordinatorOptions;
  readonly #ports: CoordinatorPorts;
  #state: CoordinatorState | undefined;
  #gossip: readonly GossipMember[] | undefined;
  #isLeader = false;
  #isBroken = false;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: CoordinatorOptions, ports: CoordinatorPorts) {
    this.#options = options;
    this.#ports = ports;
  }

  /** null: not the leader; `dead`: stopped after a failure to store. */
  get status(): CoordinatorStatus | 'dead' | null {
    if (this.#isBroken) return 'dead';
    return this.#state?.status ?? null;
  }

  /** For reports: valid until the next input. undefined: not the leader. */
  get state(): CoordinatorState | undefined {
    return this.#state;
  }

  /** Those that count now, and whether they are going on. */
  get quietHours(): (QuietHours & { isNow: boolean }) | undefined {
    const quietHours = this.#quietHours();
    return quietHours && { ...quietHours, isNow: this.#quietWindow() !== undefined };
  }

  get gossip(): readonly GossipMember[] {
    return this.#gossip ?? [];
  }

  receiveGossip(members: readonly GossipMember[]): Promise<void> {
    return this.#enqueue(async () => {
      this.#gossip = members;
      await this.#guarded(async () => {
        await this.#takeLeadership(members);
        if (this.#state === undefined) return;
        const changed = assessMembers(this.#state, this.#situation(), this.#now());
        if (changed) await this.#record(changed);
        await this.#settle();
      });
    }, undefined);
  }

  /** Checks for work to do, with the gossip of last time. */
  tick(): Promise<void> {
    if (this.#gossip) return this.receiveGossip(this.#gossip);
    return this.#enqueue(async () => {
      await this.#guarded(() => this.#settle());
    }, undefined);
  }

  /**
   * 200, or 400 for an invalid schedule or an unknown zone. An open cycle continues as it is.
   * Without a zone the one that was chosen stays.
   */
  configure(schedule: string, timeZone?: string): Promise<CallAnswer> {
    return this.#call(async (state) => {
      const parsed = readCron(schedule);
      if ('fault' in parsed) return { status: 400, body: 'Invalid CRON expression', note: parsed.fault };
      if (timeZone !== undefined && !isTimeZone(timeZone)) {
        return {
          status: 400,
          body: 'Invalid time zone',
          note: `timeZone: "${timeZone}" is not an IANA name.`
        };
      }
      const zone = timeZone ?? state.timeZone;
      await this.#record({
        type: '$configuration-updated',
        // On the clock of the new zone: the next cycle is looked for from there.
        at: this.#ports.now(zone),
        schedule: parsed.normalised,
        ...(schedule !== parsed.normalised && { configuredSchedule: schedule }),
        ...(zone !== undefined && { timeZone: zone })
      });
      const note = parsed.warnings.join(' ');
      return { status: 200, body: {}, ...(note !== '' && { note }) };
    });
  }

  /** The next occurrence does not become a cycle; asked again, the one after it. The body has the time that is skipped. */
  skipNext(): Promise<CallAnswer> {
    return this.#call(async (state) => {
      if (state.isCycleOpen) return { status: 400, body: 'A cluster scavenge is in progress' };
      const at = this.#now();
      const ticks = nextOccurrence(state, at);
      if (ticks === undefined || ticks >= NEVER) return { status: 400, body: 'There is no next cycle' };
      const occurrence = { ticks, offsetMinutes: at.offsetMinutes };
      await this.#record({ type: '$cycle-skipped', at, occurrence });
      return { status: 200, body: { skipped: formatWallTime(occurrence) } };
    });
  }

  /** null: none, whatever the settings say. */
  setQuietHours(quietHours: QuietHours | null): Promise<CallAnswer> {
    return this.#call(async () => {
      await this.#record({ type: '$quiet-hours-updated', at: this.#now(), quietHours });
      return { status: 200, body: {} };
    });
  }

  /** 200 when nothing runs any more; 202 when a node is still being stopped. No further one is started. */
  async pause(): Promise<CallAnswer> {
    const answer = await this.#call(async (state) => {
      const at = this.#now();
      // A pause of quiet hours becomes the person's, who alone ends it then.
      const isTheirs = state.pausedBy === 'quietHours';
      const isRunning = state.status === 'StartingNodeScavenge' || state.status === 'MonitoringNodeScavenge';
      if (isRunning || (isTheirs && state.status === 'Pausing')) {
        await this.#record({ type: '$pause-requested', at });
      } else if (isTheirs || !state.status.startsWith('Paus')) {
        await this.#record({ type: '$paused', at });
      }
      return { status: 200, body: {} };
    });
    const isStopping = answer.status === 200 && this.#state?.status === 'Pausing';
    return isStopping ? { status: 202, body: null } : answer;
  }

  resume(): Promise<CallAnswer> {
    return this.#call(async (state) => {
      if (state.status === 'Pausing') {
        return { status: 400, body: 'Auto scavenge process is currently pausing' };
      }
      if (state.publicStatus === 'Paused') await this.#record({ type: '$resumed', at: this.#now() });
      return { status: 200, body: {} };
    });
  }

  /**
   * A person requests a cycle now, regardless of schedule and quiet hours; an open one continues as it is. The body
   * has its id. 503 while no member is known.
   */
  startCycle(options: CycleOptions): Promise<CallAnswer> {
    return this.#call(async (state) => {
      if (state.status === 'Pausing') {
        return { status: 400, body: 'Auto scavenge process is currently pausing' };
      }
      if (!state.isCycleOpen) {
        const members = this.gossip.map(({ id }) => id);
        if (members.length === 0) return { status: 503, detail: 'No member of the cluster answers' };
        const clusterScavengeId = this.#ports.newId();
        const started = { type: '$cluster-scavenge-started', at: this.#now(), clusterScavengeId } as const;
        await this.#record({ ...started, members, ...options });
      }
      // Resumed by a person, it minds no quiet hours that are going on.
      if (state.publicStatus === 'Paused' || this.#quietWindow() !== undefined) {
        await this.#record({ type: '$resumed', at: this.#now() });
      }
      return { status: 200, body: { clusterScavengeId: state.clusterScavengeId ?? null } };
    });
  }

  readStatus(): Promise<CallAnswer> {
    return this.#call((state) => {
      const left = timeUntilNextCycle(state, this.#now());
      const { quietHours } = this;
      const body = {
        state: state.publicStatus,
        schedule: state.schedule?.normalised ?? null,
        timeUntilNextCycle: left === undefined ? null : formatTimeSpan(left),
        // Members that a server does not have: only if their feature is in use.
        ...(state.configuredSchedule !== undefined && { configuredSchedule: state.configuredSchedule }),
        ...(state.timeZone !== undefined && { timeZone: state.timeZone }),
        ...(isAhead(state.skipped, this.#now()) && { skipped: formatWallTime(state.skipped) }),
        ...(quietHours !== undefined && { quietHours, pausedBy: state.pausedBy ?? null })
      };
      return Promise.resolve({ status: 200, body });
    });
  }

  /** Resolves when all that was asked so far is done. */
  async idle(): Promise<void> {
    await this.#tail;
  }

  /** A call of a person: its answer is known before the steps that follow from it. */
  #call(action: (state: CoordinatorState) => Promise<CallAnswer>): Promise<CallAnswer> {
    let answer: CallAnswer | undefined;
    return this.#enqueue<CallAnswer>(
      async () => {
        const failure = await this.#guarded(async () => {
          if (this.#state === undefined) {
            answer = { status: 400, body: 'Node is not the leader' };
            return;
          }
          answer = await action(this.#state);
          await this.#settle();
        });
        return answer ?? { status: 500, detail: failure ?? NO_LONGER_RUNNING };
      },
      { status: 500, detail: 'AutoScavenge queue is full' }
    );
  }

  #enqueue<T>(work: () => Promise<T>, whenFull: T): Promise<T> {
    if (this.#waiting >= COORDINATOR_QUEUE) return Promise.resolve(whenFull);
    this.#waiting++;
    const result = this.#tail.then(work).finally(() => this.#waiting--);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Runs the work of one input. Returns the reason when it could not be done or not be finished. */
  async #guarded(work: () => Promise<void>): Promise<string | undefined> {
    try {
      if (this.#isBroken) await this.#recover();
      if (this.#isBroken) return NO_LONGER_RUNNING;
      await work();
      return undefined;
    } catch (error) {
      if (error instanceof LeadershipLost) return 'Not leader';
      // The caller is told what a server tells; the reason is in the log.
      if (error instanceof StoreFailed) return NO_LONGER_RUNNING;
      throw error;
    }
  }

  async #recover(): Promise<void> {
    if (this.#options.afterStoreFailure === 'die') return;
    try {
      await this.#ports.store.probe();
      // What was stored last is not known for certain: read it again.
      this.#state = this.#isLeader ? await this.#load() : undefined;
    } catch (error) {
      this.#ports.log('error', `Auto-scavenge still cannot store its events: ${reasonOf(error)}`);
      return;
    }
    this.#isBroken = false;
    this.#ports.log('info', 'Auto-scavenge can store its events again and continues.');
  }

  async #takeLeadership(members: readonly GossipMember[]): Promise<void> {
    const { self, selfInstance } = this.#options;
    const isOwn = ({ id, instance }: GossipMember, self: MemberId): boolean =>
      instance === undefined || selfInstance === undefined
        ? isSameMember(id, self)
        : instance === selfInstance;
    const own = self && members.findLast((member) => isOwn(member, self));
    if (self !== undefined && own === undefined) return;
    const isLeader = own === undefined || own.state === 'Leader';
    if (isLeader === this.#isLeader && (this.#state !== undefined) === isLeader) return;
    this.#isLeader = isLeader;
    try {
      this.#state = isLeader ? await this.#load() : undefined;
    } catch (error) {
      throw this.#broken(error);
    }
  }

  async #load(): Promise<CoordinatorState> {
    const { log, store } = this.#ports;
    log('info', 'Loading auto scavenge configuration and state...');
    const { configuration, history } = await store.load();
    const state = new CoordinatorState();
    for (const stored of configuration ? [configuration, ...history] : history) {
      const event = decodeCoordinatorEvent(stored);
      if (event !== undefined && state.apply(event)) continue;
      log('warning', `A stored event ${stored.type} does not fit the events before it and is skipped.`);
    }
    state.anchorAtLoading(this.#now(state).ticks);
    log('info', 'Loaded auto scavenge configuration and state.');
    return state;
  }

  /** Steps until nothing more happens. */
  async #settle(): Promise<void> {
    for (let state = this.#state; state !== undefined; state = this.#state) {
      const now = this.#now();
      const isMinded = this.#options.ignoresQuietHours !== true;
      const quiet = isMinded
        ? assessQuietHours(state, this.#quietWindow(), { now, endedAt: this.#quietEndedAt() })
        : undefined;
      const event = quiet ?? (await this.#eventOf(assess(state, this.#situation(), now)));
      if (event === undefined) return;
      // An open cycle continues to its end; the next one is checked when it is due.
      if (event.type === '$cluster-scavenge-started' && (await this.#ports.refusal?.()) !== undefined) return;
      await this.#record(event);
    }
  }

  async #eventOf(step: Step): Promise<CoordinatorEvent | undefined> {
    if (step.kind === 'idle') return undefined;
    if (step.kind === 'event') return step.event;
    const reply = await this.#ports.scavenger(step.request);
    return eventOfReply(step.request, reply, this.#now());
  }

  async #record(event: CoordinatorEvent): Promise<void> {
    let outcome: 'stored' | 'notLeader';
    try {
      outcome = await this.#ports.store.append(encodeCoordinatorEvent(event));
    } catch (error) {
      throw this.#broken(error);
    }
    if (outcome === 'notLeader') {
      this.#ports.log(
        'info',
        'Node is no longer a leader and stopped driving the automatic scavenge process.'
      );
      throw new LeadershipLost();
    }
    this.#state?.apply(event);
  }

  #broken(error: unknown): StoreFailed {
    this.#isBroken = true;
    const reason = reasonOf(error);
    this.#ports.log('error', `Unexpected exception in auto-scavenge plugin: ${reason}`);
    return new StoreFailed(reason);
  }

  #now(state = this.#state): WallTime {
    return this.#ports.now(state?.timeZone);
  }

  #quietHours(): QuietHours | undefined {
    const { quietHours } = this.#state ?? {};
    return quietHours === null ? undefined : (quietHours ?? this.#options.quietHours);
  }

  /** When the quiet hours ended that have paused; undefined: they did not end, but were changed. */
  #quietEndedAt(): WallTime | undefined {
    const quietHours = this.#quietHours();
    if (quietHours === undefined) return undefined;
    const zone = this.#quietZone();
    const endMs = quietEndBefore(quietHours, zone, instantOfWallTime(this.#now()));
    const sinceMs = this.#state?.pausedMs ?? Infinity;
    return endMs === undefined || endMs <= sinceMs ? undefined : wallTimeAt(zone, endMs);
  }

  #quietZone(): TimeZone {
    return this.#ports.zone?.(this.#state?.timeZone) ?? new TimeZone('UTC');
  }

  /** The quiet hours that are going on. */
  #quietWindow(): QuietWindow | undefined {
    const quietHours = this.#quietHours();
    if (quietHours === undefined) return undefined;
    return quietWindowAt(quietHours, this.#quietZone(), instantOfWallTime(this.#now()));
  }

  #situation(): Situation {
    const { clusterSize, order, self } = this.#options;
    return { gossip: this.#gossip, clusterSize, order, self, newId: this.#ports.newId };
  }
}

/** The schedule, or a sentence that says which field is at fault. */
function readCron(text: string): CronSchedule | { fault: string } {
  try {
    return parseCron(text);
  } catch (error) {
    requireFault(error, 'InvalidRequest');
    return { fault: error.message };
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new TimeZone(name).name === name;
  } catch (error) {
    requireFault(error, 'InvalidRequest');
    return false;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What was skipped and is over is of no interest any more. */
function isAhead(skipped: WallTime | undefined, now: WallTime): skipped is WallTime {
  return skipped !== undefined && skipped.ticks > now.ticks;
}
