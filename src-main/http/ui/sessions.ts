/**
 * Who is logged in to the served page. A session is a random token that the browser keeps in a cookie; here only its
 * hash is kept, in memory: a restart of the service ends them all.
 *
 * Invariants: there are at most MOST_SESSIONS, and MOST_OF_USER of one user (the least recently used is removed); a session
 * ends LIFE_MS after the log-in at the latest, IDLE_MS after its last request, and at once when its user is removed
 * or gets another password. Roles are those of the user now, not those of the log-in.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { User, UserStore } from '../../access/user-store.ts';
import type { Caller } from '../../access/basic-authentication.ts';

const TOKEN_BYTES = 32;
export const LIFE_MS = 12 * 60 * 60_000;
export const IDLE_MS = 60 * 60_000;
export const MOST_SESSIONS = 200;
export const MOST_OF_USER = 10;

interface Session {
  name: string;
  /** Of the password at the log-in. */
  passwordHash: string;
  startedMs: number;
  usedMs: number;
}

export class Sessions {
  readonly #users: Pick<UserStore, 'find'>;
  readonly #clock: () => number;
  /** By the hash of the token; the least recently used comes first. */
  readonly #sessions = new Map<string, Session>();

  constructor(users: Pick<UserStore, 'find'>, clock: () => number) {
    this.#users = users;
    this.#clock = clock;
  }

  /** Begins a session for a user whose password has just been checked; undefined: the user was removed meanwhile. */
  begin(name: string): string | undefined {
    const user = this.#users.find(name);
    if (user === undefined) return undefined;
    this.#makeRoom(name);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const nowMs = this.#clock();
    this.#sessions.set(markOf(token), { name, passwordHash: hashOf(user), startedMs: nowMs, usedMs: nowMs });
    return token;
  }

  /** The user of this session, which it marks as used; undefined: there is none, or it has ended. */
  use(token: string | undefined): Caller | undefined {
    const found = this.#find(token);
    if (found === undefined) return undefined;
    const { mark, session, caller } = found;
    session.usedMs = this.#clock();
    this.#sessions.delete(mark);
    this.#sessions.set(mark, session);
    return caller;
  }

  /** Whether the session is still valid; does not mark it as used. */
  isOpen(token: string): boolean {
    return this.#find(token) !== undefined;
  }

  end(token: string | undefined): void {
    if (token !== undefined) this.#sessions.delete(markOf(token));
  }

  #find(token: string | undefined): { mark: string; session: Session; caller: Caller } | undefined {
    if (token === undefined) return undefined;
    const mark = markOf(token);
    const session = this.#sessions.get(mark);
    if (session === undefined) return undefined;
    const nowMs = this.#clock();
    const user = this.#users.find(session.name);
    const hasEnded = nowMs >= session.startedMs + LIFE_MS || nowMs >= session.usedMs + IDLE_MS;
    if (hasEnded || user === undefined || hashOf(user) !== session.passwordHash) {
      this.#sessions.delete(mark);
      return undefined;
    }
    return { mark, session, caller: { name: user.name, roles: user.roles } };
  }

  #makeRoom(name: string): void {
    const own = [...this.#sessions].filter(([, session]) => session.name === name);
    if (own.length >= MOST_OF_USER) this.#sessions.delete(own[0]![0]);
    for (const mark of this.#sessions.keys()) {
      if (this.#sessions.size < MOST_SESSIONS) return;
      this.#sessions.delete(mark);
    }
  }
}

function hashOf(user: User): string {
  return `${user.password.salt} ${user.password.hash}`;
}

/** Look-ups use a hash, so that their timing gives nothing away about the token. */
function markOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
