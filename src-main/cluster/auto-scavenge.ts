/**
 * Auto-scavenge in the service: turned off by a setting, refused (mostly for lack of a licence), coordinated by this
 * process, or by another one with the same WINNOW_HOME. As long as another one coordinates, each call asks again who does.
 */
import {
  Coordinator,
  type CallAnswer,
  type CoordinatorOptions,
  type CoordinatorStore,
  type CycleOptions,
  type GossipMember,
  type NodeFault,
  type NodeScavenger,
  type QuietHours,
  type TimeZone,
  type WallTime
} from '../../src-core/index.ts';
import type { LeaseHolder } from './coordinator-lease.ts';

/** How often the coordinator checks whether there is something to do, in ms. */
const TICK_MS = 5000;

export type AutoScavengeMode =
  /** There are no routes except the one that says whether it is enabled. */
  | { kind: 'disabled'; reason: string }
  /** No process coordinates; the reason as text: no valid licence, or a fault found with one. */
  | { kind: 'refused'; reason: string; tryAgain: TryAgain }
  /** Another process coordinates; calls are forwarded to it. */
  | { kind: 'elsewhere'; holder: LeaseHolder; tryAgain: TryAgain }
  | { kind: 'here'; parts: CoordinatorParts };

/** The mode now: a licence may have been added, the other process may have ended. Never rejects. */
export type TryAgain = () => Promise<AutoScavengeMode>;

export interface CoordinatorParts {
  options: CoordinatorOptions;
  store: CoordinatorStore;
  scavenger: NodeScavenger;
  /** The gossip of the cluster now; undefined: no member answered. */
  gossip: () => Promise<GossipMember[] | undefined>;
  /** Why no member answered the last time. */
  gossipFault?: () => NodeFault | undefined;
  now: (timeZone?: string) => WallTime;
  zone?: (timeZone?: string) => TimeZone;
  newId: () => string;
  /** Why no cycle may begin now; called at each decision. Not given: nothing refuses. */
  refusal?: () => Promise<string | undefined>;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
}

export type AutoScavengeCall =
  | 'status'
  | 'pause'
  | 'resume'
  /** The next occurrence of the schedule does not become a cycle. */
  | 'skip'
  | { schedule: string; timeZone?: string }
  /** null: none. */
  | { quietHours: QuietHours | null }
  /** A cycle now. */
  | { scavenge: CycleOptions };

/** What the routes and the service need of auto-scavenge, whichever process coordinates. */
export interface AutoScavengeDoor {
  /** Turned off by a setting, for as long as the process runs. */
  readonly isOff: boolean;
  /** The other process that coordinates, read each time: calls are forwarded to it. */
  holder(): Promise<LeaseHolder | undefined>;
  /** Checked each time: a licence may be added or expire. */
  isEnabled(): Promise<boolean>;
  start(): Promise<void>;
  call(call: AutoScavengeCall): Promise<CallAnswer>;
  close(): Promise<void>;
}

export function answerOf(coordinator: Coordinator, call: AutoScavengeCall): Promise<CallAnswer> {
  if (call === 'status') return coordinator.readStatus();
  if (call === 'pause') return coordinator.pause();
  if (call === 'resume') return coordinator.resume();
  if (call === 'skip') return coordinator.skipNext();
  if ('scavenge' in call) return coordinator.startCycle(call.scavenge);
  if ('quietHours' in call) return coordinator.setQuietHours(call.quietHours);
  return coordinator.configure(call.schedule, call.timeZone);
}

export class AutoScavenge implements AutoScavengeDoor {
  #mode: AutoScavengeMode;
  #coordinator: Coordinator | undefined;
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** The renewal in progress; further callers wait for the same one. */
  #renewal: Promise<void> | undefined;
  #isClosed = false;
  /** Why no cycle may begin, as of the last check. */
  #refusal: string | undefined;

  /** `tickMs`: for tests. */
  constructor(mode: AutoScavengeMode, tickMs = TICK_MS) {
    this.#mode = mode;
    this.#tickMs = tickMs;
    this.#coordinator = coordinatorOf(mode);
  }

  get isOff(): boolean {
    return this.#mode.kind === 'disabled';
  }

  async holder(): Promise<LeaseHolder | undefined> {
    await this.#renew();
    return this.#mode.kind === 'elsewhere' ? this.#mode.holder : undefined;
  }

  async isEnabled(): Promise<boolean> {
    await this.#renew();
    await this.#askForRefusal();
    if (this.#mode.kind === 'here') return this.#refusal === undefined || this.hasOpenCycle;
    return this.#mode.kind === 'elsewhere';
  }

  /** Coordinated here. An open cycle continues to its end, also without a licence. */
  get hasOpenCycle(): boolean {
    return this.#coordinator?.state?.clusterScavengeId !== undefined;
  }

  /** Resolves once the stored state is loaded and overdue work has started. */
  async start(): Promise<void> {
    await this.#look();
    this.#schedule();
  }

  async call(call: AutoScavengeCall): Promise<CallAnswer> {
    await this.#renew();
    const coordinator = this.#coordinator;
    if (!coordinator) return this.#notEnabled();
    await this.#askForRefusal();
    if (this.#refusal === undefined) return answerOf(coordinator, call);
    if (!this.hasOpenCycle) return { status: 503, detail: this.#refusal };
    const answer = await answerOf(coordinator, call);
    const { status, body } = answer;
    const isStatus = call === 'status' && typeof body === 'object' && body !== null;
    return isStatus ? { status, body: { ...body, refusal: this.#refusal } } : answer;
  }

  /** Starts nothing more afterwards; does not stop a running node scavenge. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#coordinator?.idle();
  }

  /** In the server's words; the reason is added beside them. */
  #notEnabled(): CallAnswer {
    const answer = { status: 503, detail: 'AutoScavenge is not enabled' };
    return this.#mode.kind === 'refused' ? { ...answer, note: this.#mode.reason } : answer;
  }

  #schedule(): void {
    if (this.#isClosed || this.isOff) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => this.#schedule());
    }, this.#tickMs);
    // This must not keep a closed service alive.
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const wasHere = this.#mode.kind === 'here';
    await this.#renew();
    if (wasHere) await this.#drive();
  }

  /** Begins to coordinate, with its state loaded, as soon as nothing prevents it any more. */
  #renew(): Promise<void> {
    if (this.#isClosed || !('tryAgain' in this.#mode)) return this.#renewal ?? Promise.resolve();
    const { tryAgain } = this.#mode;
    this.#renewal ??= (async () => {
      this.#mode = await tryAgain();
      this.#coordinator = coordinatorOf(this.#mode);
      await this.#drive();
    })().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #drive(): Promise<void> {
    if (this.#mode.kind !== 'here' || !this.#coordinator) return;
    await this.#askForRefusal();
    const gossip = await this.#mode.parts.gossip();
    // A cluster that has not answered yet can be given a schedule too: its state is loaded at once.
    const isLoaded = this.#coordinator.state !== undefined;
    if (gossip || !isLoaded) await this.#coordinator.receiveGossip(gossip ?? []);
    else await this.#coordinator.tick();
  }

  /** Logged once when it appears, and once when it is resolved. */
  async #askForRefusal(): Promise<void> {
    if (this.#mode.kind !== 'here') return;
    const { refusal, log } = this.#mode.parts;
    const before = this.#refusal;
    this.#refusal = await refusal?.();
    if (this.#refusal === before) return;
    if (this.#refusal === undefined) log('info', 'AutoScavenge has a valid licence again.');
    else {
      const rest = this.hasOpenCycle ? ' The open cycle continues to its end.' : '';
      log('warning', `${this.#refusal}. No further cycle will begin.${rest}`);
    }
  }
}

function coordinatorOf(mode: AutoScavengeMode): Coordinator | undefined {
  if (mode.kind !== 'here') return undefined;
  const { options, ...ports } = mode.parts;
  return new Coordinator(options, ports);
}
