/**
 * The page's connection to the service it came from: follows its events, comes back when it was lost, and knows when
 * a log-in is needed. Questions that only read wait until there is a connection and a session again and are then asked
 * once more, so that neither a restart of the service nor the end of a session loses the place. What does something
 * is never asked twice: a person has to want it again.
 *
 * Invariant: an answer of a session that was replaced meanwhile ends no session.
 */
import type {
  ErrorReport,
  Reply,
  StartState,
  VerbName
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { servedEvents, type ServedEvent } from './served-events.ts';
import { parseServedJson } from './served-json.ts';
import { texts } from '../texts.ts';

/** `connecting`: not known yet whether there is a session. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'loggedOut';

export type LogInOutcome =
  { kind: 'done' } | { kind: 'wrong' } | { kind: 'throttled'; retryAfterSeconds: number } | { kind: 'lost' };

/** Only read: asking twice does nothing that asking once does not. */
const READING: readonly VerbName[] = [
  'start',
  'call',
  'lookUpIndex',
  'nodeStanding',
  'watchNode',
  'workResult',
  'listClusters',
  'clusterOfNode',
  'autoScavengeStatus',
  'followCluster',
  'licenceState',
  'remoteMember'
];
/** A question that meets no service each time there seems to be one is given up. */
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4000;
/** The service says something every ten seconds; a connection that says nothing for this long is dead. */
const SILENCE_MS = 35_000;

const MARK = { 'x-requested-with': 'winnow' };

export interface ConnectionListeners {
  onState: (state: ConnectionState) => void;
  /** The whole state, at each connection. */
  onSnapshot: (state: StartState) => void;
  onEvent: (data: unknown) => void;
}

export class ServedConnection {
  readonly #listeners: ConnectionListeners;
  #state: ConnectionState = 'connecting';
  #user: string | null = null;
  /** Grows with each log-in. */
  #session = 0;
  #following: AbortController | undefined;
  #waiting: (() => void)[] = [];

  constructor(listeners: ConnectionListeners) {
    this.#listeners = listeners;
  }

  /** Follows until the returned function is called. */
  follow(): () => void {
    const end = new AbortController();
    void this.#followUntil(end.signal);
    return () => {
      end.abort();
      this.#following?.abort();
    };
  }

  /** `signal`: the answer is no longer wanted. That ends the connection, and with it the service's work on it. */
  async ask(verb: VerbName, request: unknown, signal?: AbortSignal): Promise<Reply<unknown>> {
    const isReading = READING.includes(verb);
    for (let attempt = 1; ; attempt++) {
      const session = this.#session;
      const answer = await post(`/ui/verbs/${verb}`, request, signal);
      if (signal?.aborted) return failure(STOPPED);
      if (answer === undefined) {
        this.#enter('lost');
        if (!isReading || attempt === ATTEMPTS) return failure(GONE);
      } else if (answer.status === 401) {
        if (session === this.#session) this.#enter('loggedOut');
        if (!isReading) return failure(SESSION_ENDED);
      } else {
        return replyIn(answer);
      }
      await this.#untilOpen(signal);
      if (signal?.aborted) return failure(STOPPED);
    }
  }

  async logIn(name: string, password: string): Promise<LogInOutcome> {
    const answer = await post('/ui/session', { name, password });
    if (answer?.status === 429) {
      return { kind: 'throttled', retryAfterSeconds: Number(answer.headers.get('retry-after') ?? 60) };
    }
    if (answer === undefined || answer.status >= 500) return { kind: 'lost' };
    if (!answer.ok) return { kind: 'wrong' };
    const { user } = (await answer.json()) as { user: string };
    // What the page shows was read by another user.
    if (this.#user !== null && this.#user !== user) location.reload();
    this.#user = user;
    this.#session++;
    this.#enter('connecting');
    return { kind: 'done' };
  }

  /** What is on the page goes with the session. */
  async logOut(): Promise<void> {
    await fetch('/ui/session', { method: 'DELETE', headers: MARK }).catch(() => undefined);
    location.reload();
  }

  async #followUntil(end: AbortSignal): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!end.aborted) {
      const outcome = await this.#followOnce();
      if (end.aborted) return;
      // At once: a log-in on another page of this browser may have brought a session.
      if (outcome === 'sessionEnded') continue;
      if (outcome === 'followed') waitMs = FIRST_WAIT_MS;
      if (outcome === 'loggedOut') {
        this.#enter('loggedOut');
        await this.#untilNot('loggedOut');
        continue;
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }

  /** `followed`: there was a connection, and it ended. */
  async #followOnce(): Promise<'followed' | 'sessionEnded' | 'loggedOut' | 'lost'> {
    const following = new AbortController();
    this.#following = following;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const heard = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => following.abort(), SILENCE_MS);
    };
    heard();
    let hasFollowed = false;
    try {
      const answer = await fetch('/ui/events', {
        headers: MARK,
        cache: 'no-store',
        signal: following.signal
      });
      if (answer.status === 401) return 'loggedOut';
      if (!answer.ok || !answer.body) throw new Error(`the service answered ${answer.status}`);
      for await (const event of servedEvents(answer.body, heard)) {
        hasFollowed = true;
        if (event.name === 'sessionEnded') return 'sessionEnded';
        this.#hear(event);
      }
    } catch {
      // Whatever it was, it is tried again; what the service refuses it says to the questions.
    } finally {
      clearTimeout(silence);
    }
    if (this.#state !== 'loggedOut') this.#enter('lost');
    return this.#state === 'loggedOut' ? 'loggedOut' : hasFollowed ? 'followed' : 'lost';
  }

  #hear({ name, data }: ServedEvent): void {
    if (name !== 'state') {
      this.#listeners.onEvent(data);
      return;
    }
    const state = data as StartState;
    this.#user = state.capabilities.user;
    this.#listeners.onSnapshot(state);
    this.#enter('open');
  }

  #enter(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'loggedOut' || state === 'lost') this.#following?.abort();
    this.#listeners.onState(state);
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Or until `signal` fires. */
  async #untilOpen(signal: AbortSignal | undefined): Promise<void> {
    while (this.#state !== 'open' && !signal?.aborted) await this.#change(signal);
  }

  async #untilNot(state: ConnectionState): Promise<void> {
    while (this.#state === state) await this.#change();
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

const GONE: ErrorReport = {
  code: 'RemoteNodeFailed',
  message: texts.unanswered.gone,
  remedy: texts.unanswered.goneHint,
  details: {}
};

const SESSION_ENDED: ErrorReport = {
  code: 'InvalidRequest',
  message: texts.unanswered.sessionEnded,
  remedy: texts.unanswered.sessionEndedHint,
  details: {}
};

const STOPPED: ErrorReport = {
  code: 'InvalidRequest',
  message: texts.unanswered.stopped,
  remedy: texts.unanswered.stoppedHint,
  details: {}
};

function failure(error: ErrorReport): Reply<never> {
  return { ok: false, error };
}

/** undefined: there was no answer. */
async function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(path, {
      method: 'POST',
      headers: { ...MARK, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      ...(signal && { signal })
    });
  } catch {
    return undefined;
  }
}

async function replyIn(answer: Response): Promise<Reply<unknown>> {
  try {
    const value = parseServedJson(await answer.text());
    return answer.ok ? { ok: true, value } : failure(value as ErrorReport);
  } catch {
    return failure({
      code: 'RemoteNodeFailed',
      message: texts.unanswered.status(answer.status),
      remedy: texts.unanswered.statusHint,
      details: { status: answer.status }
    });
  }
}
