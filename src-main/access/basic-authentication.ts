/**
 * Identifies the caller: the Basic scheme against the users file. A check deliberately costs about 50 ms of a core, so right
 * answers are remembered for a while (as keyed hashes, never as passwords), wrong ones are counted by address,
 * and only a few checks run at a time.
 *
 * Invariants: memory is bounded whatever is sent; a user that was removed or changed is not let in by a
 * remembered answer; each check counts against its address before it begins, and only a right one is uncounted, so
 * that passwords sent all at once get no more attempts than passwords sent in turn.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isPassword, spendPasswordCheck } from './password-hash.ts';
import type { Role, User, UserStore } from './user-store.ts';

export interface Caller {
  name: string;
  roles: readonly Role[];
}

export type Identification =
  | { kind: 'user'; caller: Caller }
  | { kind: 'anonymous' }
  | { kind: 'wrong' }
  /** Too many wrong attempts: not checked at all. */
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
  readonly #users: Pick<UserStore, 'find'>;
  readonly #onLogIn: (name: string, password: string) => void;
  readonly #clock: () => number;
  readonly #key = randomBytes(32);
  readonly #remembered = new Map<string, { user: User; untilMs: number }>();
  /** Wrong attempts, and those being checked. */
  readonly #attempts = new Map<string, { count: number; untilMs: number }>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `onLogIn` is called for each password that was checked and is right; not for remembered ones. */
  constructor(
    users: Pick<UserStore, 'find'>,
    clock: () => number,
    onLogIn: (name: string, password: string) => void = () => undefined
  ) {
    this.#users = users;
    this.#clock = clock;
    this.#onLogIn = onLogIn;
  }

  /** `address`: of the caller. */
  async identify(authorization: string | undefined, address: string): Promise<Identification> {
    const given = parseBasic(authorization);
    if (given === undefined) return { kind: 'anonymous' };
    const mark = createHmac('sha256', this.#key)
      .update(authorization ?? '')
      .digest('base64');
    // What can be answered at once must not wait for the checks of others.
    const known = this.#withoutCheck(given, mark, address);
    if (known) return known;
    if (this.#waiting.length >= MOST_WAITING_CHECKS) return { kind: 'throttled', retryAfterSeconds: 1 };
    await this.#turn();
    try {
      // Others of this address may have been right or wrong meanwhile.
      return this.#withoutCheck(given, mark, address) ?? (await this.#check(given, mark, address));
    } finally {
      this.#endTurn();
    }
  }

  #withoutCheck({ name }: Given, mark: string, address: string): Identification | undefined {
    const remembered = this.#remembered.get(mark);
    if (remembered && remembered.untilMs > this.#clock() && remembered.user === this.#users.find(name)) {
      return identified(remembered.user);
    }
    const retryAfterSeconds = this.#secondsToWait(address);
    return retryAfterSeconds > 0 ? { kind: 'throttled', retryAfterSeconds } : undefined;
  }

  async #check({ name, password }: Given, mark: string, address: string): Promise<Identification> {
    this.#count(address);
    const user = this.#users.find(name);
    if (user === undefined) {
      await spendPasswordCheck(password);
      return { kind: 'wrong' };
    }
    if (!(await isPassword(password, user.password))) return { kind: 'wrong' };
    this.#uncount(address);
    this.#onLogIn(name, password);
    trimTo(this.#remembered, MOST_REMEMBERED);
    this.#remembered.set(mark, { user, untilMs: this.#clock() + REMEMBERED_MS });
    return identified(user);
  }

  async #turn(): Promise<void> {
    if (this.#running < CHECKS_AT_A_TIME) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Passes the turn to the caller who has waited longest. */
  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }

  #secondsToWait(address: string): number {
    const attempts = this.#attempts.get(address);
    if (!attempts || attempts.count < ATTEMPTS) return 0;
    return Math.max(0, Math.ceil((attempts.untilMs - this.#clock()) / 1000));
  }

  #count(address: string): void {
    const nowMs = this.#clock();
    const earlier = this.#attempts.get(address);
    const count = earlier && earlier.untilMs > nowMs ? earlier.count + 1 : 1;
    this.#attempts.delete(address);
    trimTo(this.#attempts, MOST_ADDRESSES);
    this.#attempts.set(address, { count, untilMs: nowMs + WINDOW_MS });
  }

  #uncount(address: string): void {
    const attempts = this.#attempts.get(address);
    if (attempts && attempts.count > 1) attempts.count--;
    else this.#attempts.delete(address);
  }
}

interface Given {
  name: string;
  password: string;
}

function identified(user: User): Identification {
  return { kind: 'user', caller: { name: user.name, roles: user.roles } };
}

/** Makes room for one more by removing the oldest entry. */
function trimTo(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size < most) return;
    map.delete(key);
  }
}

/** undefined: no readable credentials; a caller with such a header counts as anonymous. */
function parseBasic(header: string | undefined): Given | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  const match = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(header);
  if (!match) return undefined;
  const text = Buffer.from(match[1]!, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
