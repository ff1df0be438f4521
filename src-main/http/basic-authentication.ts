/**
 * Who calls: the Basic scheme against the users file. A check costs about 50 ms of a core on purpose, so right
 * answers are remembered for a while (as keyed hashes, never as passwords), wrong ones are counted by caller,
 * and only a few checks run at a time.
 *
 * Invariants: memory is bounded whatever is sent; a user that was removed or changed is not let in by a
 * remembered answer.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isPassword, spendPasswordCheck } from '../users/password-hash.ts';
import type { Role, User, UserStore } from '../users/user-store.ts';

export interface Caller {
  name: string;
  roles: readonly Role[];
}

export type Identification =
  | { kind: 'user'; caller: Caller }
  | { kind: 'anonymous' }
  | { kind: 'wrong' }
  /** Too many wrong attempts: not even looked at. */
  | { kind: 'throttled'; retryAfterSeconds: number };

const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 1000;
/** Wrong attempts of one address within the window before it has to wait. */
const ATTEMPTS = 10;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;
const CHECKS_AT_A_TIME = 2;
const MOST_WAITING_CHECKS = 64;
const LONGEST_HEADER = 4096;

export class BasicAuthentication {
  readonly #users: UserStore;
  readonly #clock: () => number;
  readonly #key = randomBytes(32);
  readonly #remembered = new Map<string, { user: User; untilMs: number }>();
  readonly #failures = new Map<string, { count: number; untilMs: number }>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(users: UserStore, clock: () => number) {
    this.#users = users;
    this.#clock = clock;
  }

  /** `address`: where the call comes from. */
  async identify(authorization: string | undefined, address: string): Promise<Identification> {
    const given = parseBasic(authorization);
    if (given === undefined) return { kind: 'anonymous' };
    const mark = createHmac('sha256', this.#key)
      .update(authorization ?? '')
      .digest('base64');
    const user = this.#users.find(given.name);
    const remembered = this.#remembered.get(mark);
    if (remembered && remembered.untilMs > this.#clock() && remembered.user === user) return known(user);
    const retryAfterSeconds = this.#secondsToWait(address);
    if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
    if (this.#waiting.length >= MOST_WAITING_CHECKS) return { kind: 'throttled', retryAfterSeconds: 1 };
    if (!(await this.#isRight(user, given.password)) || user === undefined) {
      this.#countFailure(address);
      return { kind: 'wrong' };
    }
    trimTo(this.#remembered, MOST_REMEMBERED);
    this.#remembered.set(mark, { user, untilMs: this.#clock() + REMEMBERED_MS });
    return known(user);
  }

  async #isRight(user: User | undefined, password: string): Promise<boolean> {
    if (this.#running >= CHECKS_AT_A_TIME) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      if (user) return await isPassword(password, user.password);
      await spendPasswordCheck(password);
      return false;
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  #secondsToWait(address: string): number {
    const failures = this.#failures.get(address);
    if (!failures || failures.count < ATTEMPTS) return 0;
    return Math.max(0, Math.ceil((failures.untilMs - this.#clock()) / 1000));
  }

  #countFailure(address: string): void {
    const nowMs = this.#clock();
    const earlier = this.#failures.get(address);
    const count = earlier && earlier.untilMs > nowMs ? earlier.count + 1 : 1;
    this.#failures.delete(address);
    trimTo(this.#failures, MOST_ADDRESSES);
    this.#failures.set(address, { count, untilMs: nowMs + WINDOW_MS });
  }
}

function known(user: User): Identification {
  return { kind: 'user', caller: { name: user.name, roles: user.roles } };
}

/** Makes room for one more: what was put in first goes. */
function trimTo(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size < most) return;
    map.delete(key);
  }
}

/** undefined: no credentials that can be read; whoever sends such a header counts as anonymous. */
function parseBasic(header: string | undefined): { name: string; password: string } | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  const match = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(header);
  if (!match) return undefined;
  const text = Buffer.from(match[1]!, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
