/**
 * A client of the node service (`winnow serve`) for Node: `import { WinnowClient } from 'winnow/client'`. It depends on
 * nothing. Its types are those of the service's OpenAPI description (a test compares them); answers may have more.
 */

export interface ClientOptions {
  /** Of the service, such as `http://127.0.0.1:2113`. Another certificate authority: NODE_EXTRA_CA_CERTS, or `fetch`. */
  url: string;
  /** Without: only what anyone may ask. */
  user?: { name: string; password: string };
  /** For an answer, in ms; 30,000 if not given. A call that waits for the end of a run has no limit. */
  timeoutMs?: number;
  fetch?: typeof fetch;
}

export type RunResult = 'Unknown' | 'InProgress' | 'Success' | 'Stopped' | 'Errored';

/** The query of a start, as in the OpenAPI description: `{ threads: 2, throttle: '50MiB' }`. */
export type RunQuery = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface LastRun<Report = Record<string, unknown>> {
  /** Empty: none since the service started. */
  id: string;
  result: RunResult;
  /** What the command writes with `--json`; null where it has not ended, and for scavenges, which have theirs in the history. */
  report: Report | null;
  /** Why it failed. */
  error: { code: string; message?: string; remedy?: string } | null;
}

export interface VerifyReport {
  ok: boolean;
  findings: { severity: string; code: string; file: string | null; message: string; remedy: string }[];
  checked: { files: number; bytes: number; records: number; indexEntries: number };
  notChecked: string[];
}

export type ScavengeEvent =
  | { kind: 'started'; scavengeId: string }
  | { kind: 'progress'; scavengeId: string; phase: string; done: number; total: number | null; unit: string }
  | { kind: 'ended' | 'idle'; scavengeId: string; result: RunResult };

export interface AutoScavengeStatus {
  state: string;
  schedule: string | null;
  timeUntilNextCycle: string | null;
  timeZone?: string | undefined;
  skipped?: string | undefined;
  quietHours?: { from: string; to: string; days: number[]; isNow: boolean } | undefined;
  pausedBy?: 'person' | 'quietHours' | null | undefined;
  refusal?: string | undefined;
}

/** `window`: work only then, such as `02:00-04:00`. */
export type QuietHours = { from: string; to: string; days?: number[] } | { window: string } | null;

export interface BackupSchedule {
  dataDirectory: string;
  target: string | null;
  schedule: {
    expression: string;
    words: string;
    timeZone: string;
    compress: boolean;
    retention: { last: number; daily: number; weekly: number; monthly: number };
    next: string[];
    last: { endedAt: string; message: string | null } | null;
  } | null;
}

type Schedule = NonNullable<BackupSchedule['schedule']>;
export type NewBackupSchedule = Pick<Schedule, 'expression'> &
  Partial<Pick<Schedule, 'timeZone' | 'compress'>> & { retention?: Partial<Schedule['retention']> };

/** A call that was refused or failed, in the words of the service. */
export class WinnowError extends Error {
  /** Of HTTP: 401 wrong password, 403 no role, 429 too many tries, 503 not now. */
  readonly status: number;
  /** How long to wait before the next try; undefined: not said. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, status: number, retryAfterSeconds: number | undefined) {
    super(message);
    this.name = 'WinnowError';
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Call {
  query?: RunQuery;
  body?: unknown;
  isEndless?: boolean;
  signal?: AbortSignal;
}

const PATIENCE_MS = 30_000;
const POLL_MS = 250;
const LONGEST_EVENT = 1024 * 1024; // longer than any; a line that does not end must not fill the memory

/** Work, or a question that takes long: started, looked at, stopped, waited for. */
export class Runs<Report = Record<string, unknown>> {
  readonly #client: WinnowClient;
  readonly #kind: string;
  readonly #noun: string;

  constructor(client: WinnowClient, kind: string) {
    this.#client = client;
    this.#kind = kind;
    this.#noun = kind === 'scavenge' ? 'scavenge' : 'run';
  }

  /** Its id. Throws WinnowError with status 400 for a wrong value, and while one runs. */
  async start(query: RunQuery = {}): Promise<string> {
    const answer = await this.#client.call('POST', `/admin/${this.#kind}`, { query });
    await answer.text();
    return answer.headers.get(`X-${this.#noun}-Id`) ?? '';
  }

  /** Id of the one that runs. */
  async current(): Promise<string | undefined> {
    const answer = await this.#client.json<Record<string, string>>('GET', `/admin/${this.#kind}/current`);
    return answer[`${this.#noun}Id`] || undefined;
  }

  async last(): Promise<LastRun<Report>> {
    const answer = await this.#client.json<Record<string, unknown>>('GET', `/admin/${this.#kind}/last`);
    return {
      id: String(answer[`${this.#noun}Id`]),
      result: answer[`${this.#noun}Result`] as RunResult,
      report: (answer['report'] as Report | undefined) ?? null,
      error: (answer['error'] as LastRun['error'] | undefined) ?? null
    };
  }

  /** Resolves when it has ended; false: it was not running. Without an id: the one that runs. */
  async stop(id = 'current'): Promise<boolean> {
    const path = `/admin/${this.#kind}/${encodeURIComponent(id)}`;
    return (await unlessMissing(this.#client.json('DELETE', path, { isEndless: true }))) !== undefined;
  }

  /** Waits for the end of a run that was started with this id. Throws if another one was started meanwhile. */
  async ended(id: string, { signal }: { signal?: AbortSignal } = {}): Promise<LastRun<Report>> {
    for (;;) {
      signal?.throwIfAborted();
      const last = await this.last();
      if (last.id !== id)
        throw new WinnowError(`The last ${this.#kind} is ${last.id}, not ${id}.`, 404, undefined);
      if (last.result !== 'InProgress') return last;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

export class WinnowClient {
  readonly scavenge: Runs = new Runs(this, 'scavenge');
  readonly verify: Runs<VerifyReport> = new Runs(this, 'verify');
  readonly rescue: Runs = new Runs(this, 'rescue');
  readonly rebuild: Runs = new Runs(this, 'rebuild');
  readonly diff: Runs<{ ok: boolean }> = new Runs(this, 'diff');
  readonly plan: Runs = new Runs(this, 'plan');
  readonly projections: Runs = new Runs(this, 'projections');
  readonly startup: Runs = new Runs(this, 'startup');
  readonly fleet: Runs<{ at: string; nodes: object[]; clusters: object[] }> = new Runs(this, 'fleet');
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  info(): Promise<{ winnowVersion: string; state: string }> {
    return this.json('GET', '/info');
  }
  /** In the Prometheus format. */
  async metrics(): Promise<string> {
    return (await this.call('GET', '/metrics')).text();
  }

  /** Events of all scavenges, the newest first: the data of each is JSON as text. */
  async history(count = 20): Promise<{ eventType: string; eventNumber: number; data: string }[]> {
    const path = `/streams/$scavenges/head/backward/${count}`;
    const read = this.json<{ entries: [] }>('GET', path, { query: { embed: 'body' } });
    return (await unlessMissing(read))?.entries ?? [];
  }

  /** What happens to scavenges from now on, beginning with how it stands. Ends with the signal, or with the service. */
  async *follow({ signal }: { signal?: AbortSignal } = {}): AsyncGenerator<ScavengeEvent> {
    const call = { isEndless: true, ...(signal && { signal }) };
    const answer = await this.call('GET', '/scavenges/current/events', call);
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const bytes of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        text += decoder.decode(bytes, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        if (text.length > LONGEST_EVENT) throw new WinnowError('An event does not end.', 502, undefined);
        for (const block of blocks) {
          const kind = /^event: ?(\w+)$/m.exec(block)?.[1];
          const data = /^data: ?(.+)$/m.exec(block)?.[1];
          if (kind && data) yield { ...(JSON.parse(data) as object), kind } as ScavengeEvent;
        }
      }
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  async autoScavengeEnabled(): Promise<boolean> {
    return (await this.json<{ enabled: boolean }>('GET', '/auto-scavenge/enabled')).enabled;
  }
  autoScavengeStatus(): Promise<AutoScavengeStatus> {
    return this.json('GET', '/auto-scavenge/status');
  }
  /** `pausing`: a running scavenge is still stopping. */
  async pauseAutoScavenge(): Promise<'paused' | 'pausing'> {
    return (await this.call('POST', '/auto-scavenge/pause')).status === 202 ? 'pausing' : 'paused';
  }
  async resumeAutoScavenge(): Promise<void> {
    await this.json('POST', '/auto-scavenge/resume');
  }
  /** When the cycle would have begun. */
  async skipNextCycle(): Promise<string> {
    return (await this.json<{ skipped: string }>('POST', '/auto-scavenge/skip')).skipped;
  }
  /** A CRON expression of five fields. */
  async configureAutoScavenge(schedule: string, timeZone?: string): Promise<void> {
    await this.json('POST', '/auto-scavenge/configure', {
      body: { schedule, ...(timeZone && { timeZone }) }
    });
  }
  async setQuietHours(quietHours: QuietHours): Promise<void> {
    await this.json('POST', '/auto-scavenge/quiet-hours', { body: quietHours });
  }
  /** Begins a cycle now; its id. */
  async startCycle(options: { threshold?: number; scavengePoint?: string } = {}): Promise<string> {
    const path = '/auto-scavenge/scavenge';
    return (await this.json<{ clusterScavengeId: string }>('POST', path, { body: options }))
      .clusterScavengeId;
  }

  backupSchedule(): Promise<BackupSchedule> {
    return this.json('GET', '/backups/schedule');
  }
  setBackupSchedule(schedule: NewBackupSchedule): Promise<BackupSchedule> {
    return this.json('PUT', '/backups/schedule', { body: schedule });
  }
  async removeBackupSchedule(): Promise<void> {
    await (await this.call('DELETE', '/backups/schedule')).text();
  }

  /** Any operation that answers with JSON. */
  async json<Answer>(method: string, path: string, call?: Call): Promise<Answer> {
    return (await (await this.call(method, path, call)).json()) as Answer;
  }

  /** Any operation. Throws WinnowError unless it succeeds. */
  async call(method: string, path: string, { query, body, isEndless, signal }: Call = {}): Promise<Response> {
    const { url, user, timeoutMs = PATIENCE_MS, fetch: ask = fetch } = this.#options;
    const asked = new URL(path, url);
    for (const [name, value] of Object.entries(query ?? {}))
      for (const one of [value].flat()) asked.searchParams.append(name, String(one));
    const login = user && Buffer.from(`${user.name}:${user.password}`).toString('base64');
    const signals = [...(signal ? [signal] : []), ...(isEndless ? [] : [AbortSignal.timeout(timeoutMs)])];
    const answer = await ask(asked, {
      method,
      redirect: 'error', // the password is for this service alone
      headers: {
        ...(login && { Authorization: `Basic ${login}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' })
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any(signals)
    });
    if (answer.ok) return answer;
    const wait = Number(answer.headers.get('Retry-After') ?? NaN);
    const how = answer.status === 401 && !user ? 'refused: give a user' : `answered with ${answer.status}`;
    const words = wordsOf(await answer.text()) || `${method} ${path} was ${how}.`;
    throw new WinnowError(words, answer.status, Number.isNaN(wait) ? undefined : wait);
  }
}

async function unlessMissing<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof WinnowError && error.status === 404) return undefined;
    throw error;
  }
}

/** Of a problem document its detail, of a JSON text the text, else what was sent. */
function wordsOf(sent: string): string {
  try {
    const value = JSON.parse(sent) as string | { detail?: string };
    return typeof value === 'string' ? value : (value.detail ?? sent);
  } catch {
    return sent.trim();
  }
}
