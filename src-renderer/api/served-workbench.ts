/**
 * The verbs of the contract in a browser: sent over HTTP to the service that the page came from. Theme and clipboard
 * are the browser's own. After a lost connection, the state at the new start is reported as events, so that the rest of
 * the page knows nothing of connections.
 */
import type {
  ChangedPart,
  Reply,
  StartState,
  Theme,
  VerbName,
  Verbs,
  WindowEvent,
  Workbench
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { ServedConnection, type ConnectionState, type LogInOutcome } from './served-connection.ts';

const THEME_KEY = 'winnow.theme';
const EVERYTHING: ChangedPart[] = ['chunks', 'checkpoints', 'index', 'scavengeState', 'lock'];

export interface ServedWorkbench {
  workbench: Workbench;
  logIn: (name: string, password: string) => Promise<LogInOutcome>;
  logOut: () => Promise<void>;
  /** Hears the connection's state, the present one first, until the returned function is called. */
  followConnection: (listener: (state: ConnectionState) => void) => () => void;
}

export function createServedWorkbench(): ServedWorkbench {
  const eventListeners = new Set<(event: WindowEvent) => void>();
  const stateListeners = new Set<(state: ConnectionState) => void>();
  const knownWork = new Set<string>();
  let state: ConnectionState = 'connecting';
  let isFirst = true;

  const tell = (event: WindowEvent): void => {
    if (event.kind === 'work') knownWork.add(event.snapshot.id);
    if (event.kind === 'workForgotten') knownWork.delete(event.id);
    for (const listener of eventListeners) listener(event);
  };
  const connection = new ServedConnection({
    onState: (next) => {
      state = next;
      for (const listener of stateListeners) listener(next);
    },
    onSnapshot: (snapshot) => {
      for (const event of eventsOf(snapshot, knownWork)) tell(event);
      const { openNodeId } = snapshot;
      // Whatever changed meanwhile nobody told.
      if (!isFirst && openNodeId !== null) tell({ kind: 'changed', nodeId: openNodeId, parts: EVERYTHING });
      isFirst = false;
    },
    onEvent: (event) => tell(event as WindowEvent)
  });

  /** Questions on their way, by the ids that the page gave them. */
  const questions = new Map<string, AbortController>();
  const askQuestion = async (request: Verbs['call']['request']): Promise<Reply<unknown>> => {
    const { callId } = request;
    if (callId === undefined) return connection.ask('call', request);
    const question = new AbortController();
    questions.set(callId, question);
    try {
      return await connection.ask('call', request, question.signal);
    } finally {
      questions.delete(callId);
    }
  };
  const stopCall = (callId: string): Promise<Reply<null>> => {
    questions.get(callId)?.abort();
    return Promise.resolve(DONE);
  };

  const own: Partial<Record<VerbName, (request: never) => Promise<Reply<unknown>>>> = {
    start: async () => {
      const reply = await connection.ask('start', {});
      if (reply.ok) (reply.value as StartState).theme = keptTheme();
      return reply;
    },
    setTheme: async ({ theme }: { theme: Theme }) => {
      localStorage.setItem(THEME_KEY, theme);
      showTheme(theme);
      return DONE;
    },
    call: askQuestion,
    copyText: ({ text }: { text: string }) => copyText(text)
  };
  showTheme(keptTheme());

  const workbench = new Proxy({} as Workbench, {
    get: (_target, name: string) => {
      if (name === 'stopCall') return stopCall;
      if (name !== 'follow')
        return own[name as VerbName] ?? ((request: unknown) => connection.ask(name as VerbName, request));
      return (listener: (event: WindowEvent) => void) => {
        eventListeners.add(listener);
        const stop = connection.follow();
        return () => {
          eventListeners.delete(listener);
          stop();
        };
      };
    }
  });
  return {
    workbench,
    logIn: (name, password) => connection.logIn(name, password),
    logOut: () => connection.logOut(),
    followConnection: (listener) => {
      stateListeners.add(listener);
      listener(state);
      return () => stateListeners.delete(listener);
    }
  };
}

const DONE: Reply<null> = { ok: true, value: null };

/** What a page that knows this work would have heard. */
function eventsOf({ nodes, work, engine }: StartState, knownWork: ReadonlySet<string>): WindowEvent[] {
  const present = new Set(work.map(({ id }) => id));
  return [
    { kind: 'nodes', nodes },
    { kind: 'engine', engine },
    ...[...knownWork].filter((id) => !present.has(id)).map((id) => ({ kind: 'workForgotten', id }) as const),
    ...work.map((snapshot) => ({ kind: 'work', snapshot }) as const)
  ];
}

function keptTheme(): Theme {
  const kept = localStorage.getItem(THEME_KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Every colour is chosen by the scheme of the page (tokens.css). */
function showTheme(theme: Theme): void {
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}

async function copyText(text: string): Promise<Reply<null>> {
  try {
    // Absent where the page did not come over a connection that the browser trusts.
    await navigator.clipboard.writeText(text);
    return DONE;
  } catch {
    return {
      ok: false,
      error: {
        code: 'InvalidRequest',
        message: 'The browser does not let this page copy.',
        remedy: 'Select the text and copy it yourself, or reach the service over TLS.',
        details: {}
      }
    };
  }
}
