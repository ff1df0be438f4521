/**
 * The verbs of the contract in a browser: sent over HTTP to the service that the page came from. Theme, numbers and clipboard
 * are the browser's own, files become downloads, and where the window shows a dialog for a path, the page asks itself. After a lost connection, the state at the new start is reported as events, so that the rest of
 * the page knows nothing of connections.
 */
import type {
  ChangedPart,
  ClusterEntry,
  ErrorReport,
  FolderQuestion,
  PathQuestion,
  Preferences,
  Reply,
  SavedText,
  StartState,
  Theme,
  VerbName,
  Verbs,
  WindowEvent,
  Workbench
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { download } from './download.ts';
import { keptPreferences, keptTheme, keepPreferences, keepTheme } from './kept-appearance.ts';
import { pickTextFile } from './upload.ts';
import { ServedConnection, type ConnectionState, type LogInOutcome } from './served-connection.ts';
import { texts } from '../texts.ts';

const EVERYTHING: ChangedPart[] = ['chunks', 'checkpoints', 'index', 'scavengeState', 'lock'];

/** Asks a person for a folder of the service's machine; null: none was chosen. */
export type AskPath = (question: FolderQuestion) => Promise<string | null>;

export interface ServedWorkbench {
  workbench: Workbench;
  /** From now on, whatever asks where is answered by this. */
  askPathsWith: (askPath: AskPath) => void;
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
      pathQuestions = snapshot.pathQuestions;
      for (const event of eventsOf(snapshot, knownWork)) tell(event);
      // Whatever changed meanwhile nobody told.
      if (!isFirst) {
        for (const { id } of snapshot.nodes) tell({ kind: 'changed', nodeId: id, parts: EVERYTHING });
        void followAgain();
      }
      isFirst = false;
    },
    onEvent: (event) => tell(event as WindowEvent)
  });

  /** The cluster whose snapshots the page waits for. */
  let followed: string | null = null;
  const followCluster = ({ cluster }: Verbs['followCluster']['request']): Promise<Reply<unknown>> => {
    followed = cluster;
    return connection.ask('followCluster', { cluster });
  };
  /** A service that was started again follows nothing yet. */
  const followAgain = async (): Promise<void> => {
    const reply = (await connection.ask('listClusters', {})) as Reply<ClusterEntry[]>;
    if (reply.ok) tell({ kind: 'clusters', clusters: reply.value });
    if (followed !== null) await connection.ask('followCluster', { cluster: followed });
  };

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

  const saved = async (verb: VerbName, request: unknown): Promise<Reply<SavedText | null>> => {
    const reply = (await connection.ask(verb, request)) as Reply<SavedText | null>;
    if (!reply.ok || reply.value?.text === undefined) return reply;
    const { file, text } = reply.value;
    download(file, [text], file.endsWith('.html') ? 'text/html' : 'application/json');
    return { ok: true, value: { file } };
  };

  let askPath: AskPath = () => Promise.resolve(null);
  let pathQuestions: readonly PathQuestion[] = [];
  /** A verb that asks where: the answer goes along with the request. */
  const askWhere = async (
    verb: VerbName,
    question: PathQuestion,
    request: object
  ): Promise<Reply<unknown>> => {
    if (!('mayBeNew' in question)) {
      const uploaded = await pickTextFile();
      if (uploaded === 'tooLong') return { ok: false, error: TOO_LONG };
      return uploaded === null ? NOTHING : connection.ask(verb, { ...request, uploaded });
    }
    const chosenPath = await askPath(question);
    return chosenPath === null ? NOTHING : connection.ask(verb, { ...request, chosenPath });
  };

  const own: Partial<Record<VerbName, (request: never) => Promise<Reply<unknown>>>> = {
    start: async () => {
      const reply = await connection.ask('start', {});
      if (!reply.ok) return reply;
      const state = reply.value as StartState;
      return { ok: true, value: { ...state, theme: keptTheme(), preferences: keptPreferences() } };
    },
    setTheme: async ({ theme }: { theme: Theme }) => {
      keepTheme(theme);
      showTheme(theme);
      return DONE;
    },
    changePreferences: async (changes: Partial<Preferences>) => ({
      ok: true,
      value: keepPreferences(changes)
    }),
    call: askQuestion,
    followCluster,
    saveErasure: (request: Verbs['saveErasure']['request']) => saved('saveErasure', request),
    saveBillOfMaterials: () => saved('saveBillOfMaterials', {}),
    copyText: ({ text }: { text: string }) => copyText(text)
  };
  showTheme(keptTheme());

  const asking = (verb: VerbName, request: object): Promise<Reply<unknown>> => {
    const question = pathQuestions.find((candidate) => asksWhere(candidate, verb, request));
    return question ? askWhere(verb, question, request) : connection.ask(verb, request);
  };

  let stopFollowing: (() => void) | undefined;
  const workbench = new Proxy({} as Workbench, {
    get: (_target, name: string) => {
      if (name === 'stopCall') return stopCall;
      if (name !== 'follow')
        return own[name as VerbName] ?? ((request: object) => asking(name as VerbName, request));
      return (listener: (event: WindowEvent) => void) => {
        eventListeners.add(listener);
        // One connection for all listeners, however many views follow.
        stopFollowing ??= connection.follow();
        return () => {
          eventListeners.delete(listener);
          if (eventListeners.size > 0) return;
          stopFollowing?.();
          stopFollowing = undefined;
        };
      };
    }
  });
  return {
    workbench,
    askPathsWith: (answer) => (askPath = answer),
    logIn: (name, password) => connection.logIn(name, password),
    logOut: () => connection.logOut(),
    followConnection: (listener) => {
      stateListeners.add(listener);
      listener(state);
      return () => stateListeners.delete(listener);
    }
  };
}

function asksWhere({ verb, when = {} }: PathQuestion, asked: VerbName, request: object): boolean {
  const isLike = ([member, value]: [string, string]): boolean =>
    (request as Record<string, unknown>)[member] === value;
  return verb === asked && Object.entries(when).every(isLike);
}

const DONE: Reply<null> = { ok: true, value: null };
const NOTHING = DONE;

const TOO_LONG: ErrorReport = {
  code: 'InvalidRequest',
  message: texts.unanswered.tooLong,
  remedy: texts.unanswered.tooLongHint,
  details: {}
};

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
        message: texts.unanswered.noCopy,
        remedy: texts.unanswered.noCopyHint,
        details: {}
      }
    };
  }
}
