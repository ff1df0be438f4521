/**
 * Auto-scavenge as the service has it: off by a setting, refused (above all without a licence), coordinated by this
 * process, or by another one of the same WINNOW_HOME. Who coordinates is asked anew for as long as it is not this one.
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
import type { LeaseHolder } from '../cluster/coordinator-lease.ts';

/** How often the coordinator looks whether something is to be done, in ms. */
const TICK_MS = 5000;

export type AutoScavengeMode =
  /** The routes are not there, but for the question whether it is enabled. */
  | { kind: 'disabled'; reason: string }
  /** Nobody coordinates, for a reason in words: no valid licence, or what came to light with one. */
  | { kind: 'refused'; reason: string; tryAgain: TryAgain }
  /** Another process coordinates; calls go there. */
  | { kind: 'elsewhere'; holder: LeaseHolder; tryAgain: TryAgain }
  | { kind: 'here'; parts: CoordinatorParts };

/** How it is now: a licence may have come, the other process may have ended. Never rejects. */
export type TryAgain = () => Promise<AutoScavengeMode>;

export interface CoordinatorParts {
  options: CoordinatorOptions;
  store: CoordinatorStore;
  scavenger: NodeScavenger;
  /** What the cluster looks like now; undefined: nobody answered. */
  gossip: () => Promise<GossipMember[] | undefined>;
  /** Why nobody answered when that was asked last. */
  gossipFault?: () => NodeFault | undefined;
  now: (timeZone?: string) => WallTime;
  zone?: (timeZone?: string) => TimeZone;
  newId: () => string;
  /** Why no cycle may begin now; asked at each decision. Not given: nothing refuses. */
  refusal?: () => Promise<string | undefined>;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
}

export type AutoScavengeCall =
  | 'status'
  | 'pause'
  | 'resume'
  | { configure: string; timeZone?: string }
  /** null: none. */
  | { quietHours: QuietHours | null }
  /** A cycle now. */
  | { scavenge: CycleOptions };

/** What the routes and the service need of auto-scavenge, whoever coordinates. */
export interface AutoScavengeDoor {
  /** By a setting, for as long as the process runs. */
  readonly isOff: boolean;
  /** The other process that coordinates, asked anew each time: calls go there. */
  holder(): Promise<LeaseHolder | undefined>;
  /** Asked anew each time: a licence comes and expires. */
  isEnabled(): Promise<boolean>;
  start(): Promise<void>;
  call(call: AutoScavengeCall): Promise<CallAnswer>;
  close(): Promise<void>;
}

export function answerOf(coordinator: Coordinator, call: AutoScavengeCall): Promise<CallAnswer> {
  if (call === 'status') return coordinator.readStatus();
  if (call === 'pause') return coordinator.pause();
  if (call === 'resume') return coordinator.resume();
  if ('scavenge' in call) return coordinator.startCycle(call.scavenge);
  if ('quietHours' in call) return coordinator.setQuietHours(call.quietHours);
  return coordinator.configure(call.configure, call.timeZone);
}

export class AutoScavenge implements AutoScavengeDoor {
  #mode: AutoScavengeMode;
  #coordinator: Coordinator | undefined;
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  /** Under way; whoever asks meanwhile waits for the same answer. */
  #renewal: Promise<void> | undefined;
  #isClosed = false;
  /** Why no cycle may begin, as it was when it was asked last. */
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

  /** Coordinated here. What is open goes on to its end, also without a licence. */
  get hasOpenCycle(): boolean {
    return this.#coordinator?.state?.clusterScavengeId !== undefined;
  }

  /** Resolves when the state of the last time is loaded and what was due is under way. */
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

  /** Nothing is started any more afterwards; a node scavenge that runs is not stopped by this. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#coordinator?.idle();
  }

  /** In the server's words; the reason goes beside them. */
  #notEnabled(): CallAnswer {
    const answer = { status: 503, detail: 'AutoScavenge is not enabled' };
    return this.#mode.kind === 'refused' ? { ...answer, note: this.#mode.reason } : answer;
  }

  #schedule(): void {
    if (this.#isClosed || this.isOff) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => this.#schedule());
    }, this.#tickMs);
    // A service that is closed must not be kept alive by this.
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const wasHere = this.#mode.kind === 'here';
    await this.#renew();
    if (wasHere) await this.#drive();
  }

  /** Coordinates from the moment in which nothing is in the way any more, with its state loaded. */
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
    // Also a cluster that nobody has answered for yet can be given a schedule: its state is loaded at once.
    const isLoaded = this.#coordinator.state !== undefined;
    if (gossip || !isLoaded) await this.#coordinator.receiveGossip(gossip ?? []);
    else await this.#coordinator.tick();
  }

  /** Said once when it comes, and once when it goes. */
  async #askForRefusal(): Promise<void> {
    if (this.#mode.kind !== 'here') return;
    const { refusal, log } = this.#mode.parts;
    const before = this.#refusal;
    this.#refusal = await refusal?.();
    if (this.#refusal === before) return;
    if (this.#refusal === undefined) log('info', 'AutoScavenge has a valid licence again.');
    else {
      const rest = this.hasOpenCycle ? ' The cycle that is open goes on to its end.' : '';
      log('warning', `${this.#refusal}. No further cycle begins.${rest}`);
    }
  }
}

function coordinatorOf(mode: AutoScavengeMode): Coordinator | undefined {
  if (mode.kind !== 'here') return undefined;
  const { options, ...ports } = mode.parts;
  return new Coordinator(options, ports);
}
