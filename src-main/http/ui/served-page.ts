/**
 * The back end of the served page: the verbs of the window for the nodes and clusters that the page shows, its work, and
 * the pages that follow them. No HTTP here: page-routes.ts has the addresses and the guards.
 *
 * Scavenges started over the admin API or by the schedule are shown as work too, and exclude the page's own.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import packageFacts from '../../../package.json' with { type: 'json' };
import { EngineError } from '../../../src-core/index.ts';
import type { EngineHost } from '../../engine/engine-host.ts';
import type {
  StartState,
  VerbName,
  WindowEvent,
  WorkSnapshot
} from '../../contract/verbs/workbench-contract.ts';
import type { AskOptions, VerbHandlers } from '../../contract/verbs/verb-handler.ts';
import { answerVerb } from '../../verbs/answer-verb.ts';
import { verbHandlers } from '../../verbs/verb-handlers.ts';
import { hostedAsWork, type RunHosted } from '../../verbs/hosted-work.ts';
import { WorkKeeper } from '../../verbs/work-keeper.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';
import type { UserStore } from '../../access/user-store.ts';
import type { Caller } from '../../access/basic-authentication.ts';
import type { ActivityLog } from '../../activity/activity-log.ts';
import type { ApplicationVerbHandlers } from '../../verbs/application-verbs.ts';
import type { Settings } from '../../settings/settings.ts';
import { PATH_QUESTIONS, type FolderPurpose } from '../../contract/verbs/folder-contract.ts';
import { AllowedFolders } from './allowed-folders.ts';
import { chosenOnPage, chosenPathIn, knownFolders } from './chosen-path.ts';
import { EventConnections } from './event-connections.ts';
import { FileTurns } from './file-turns.ts';
import { servedNodes, type ServedNodes } from './served-nodes.ts';
import { listFolder } from './list-folder.ts';
import { NodeWatches } from './node-watches.ts';
import type { PageClusters } from './page-clusters.ts';
import { pageApplicationVerbs } from './page-application.ts';
import { readPageFiles, type PageFiles } from './page-files.ts';
import { QuestionTurns } from './question-turns.ts';
import { Sessions } from './sessions.ts';
import { Uploads, type KeptUpload } from './uploads.ts';

/** Any user may verify and plan; together they must not bring the machine to a standstill. */
export const MOST_RUNNING = 8;
/** Users who may only read must leave room for users who scavenge. */
export const MOST_RUNNING_OF_USER = 4;

export interface ServedPageParts {
  engine: EngineHost;
  /** Directory of the built window. */
  directory: string;
  location: DatabaseLocation;
  saidSingleNode: boolean;
  clusterSize: number | undefined;
  winnowHome: string;
  clock: () => number;
  /** Absolute; besides the directories of known nodes and their backup targets. */
  allowedPaths: readonly string[];
  settings: Settings;
  activity: Pick<ActivityLog, 'list'>;
  /** Work has begun or moved on. */
  onWork: () => void;
}

export class ServedPage {
  readonly files: PageFiles;
  readonly handlers: VerbHandlers;
  readonly work: WorkKeeper;
  readonly #parts: ServedPageParts;
  readonly nodes: ServedNodes;
  /** Runs work that was started elsewhere on the hosted node, so that the pages show it too. */
  readonly runWork: RunHosted;
  readonly #watches: NodeWatches;
  /** Users by the id of their work. */
  readonly #startedBy = new Map<string, string>();
  readonly #turns = new QuestionTurns();
  readonly #fileTurns = new FileTurns();
  readonly #folders: AllowedFolders;
  readonly #openable: AllowedFolders;
  readonly #uploads: Uploads;
  #application: ApplicationVerbHandlers | undefined;
  #connections: EventConnections | undefined;
  #isClosing = false;
  #clusters: PageClusters | undefined;

  constructor(parts: ServedPageParts) {
    const { engine, winnowHome, clock } = parts;
    this.#parts = parts;
    this.files = readPageFiles(parts.directory);
    const samples = path.join(winnowHome, 'samples');
    this.nodes = servedNodes({ ...parts, roots: [...parts.allowedPaths, samples] });
    this.#uploads = new Uploads(winnowHome);
    this.#folders = new AllowedFolders(() => [...parts.allowedPaths, ...knownFolders(parts)]);
    this.#openable = new AllowedFolders(() => [
      ...parts.allowedPaths,
      ...(existsSync(samples) ? [samples] : [])
    ]);
    this.#watches = new NodeWatches((nodeId, changed) =>
      this.#connections?.send({ kind: 'changed', nodeId, parts: changed })
    );
    const send = (event: WindowEvent): void => this.send(event);
    this.work = new WorkKeeper({
      clock,
      onChange: (snapshot) => {
        if (snapshot.endedMs === null) parts.onWork();
        send({ kind: 'work', snapshot });
        if (snapshot.endedMs !== null || snapshot.progress === null) send({ kind: 'activity' });
      },
      onForget: (id) => {
        this.#startedBy.delete(id);
        send({ kind: 'workForgotten', id });
      }
    });
    this.runWork = hostedAsWork({
      work: this.work,
      engineFor: () => engine,
      nodeAt: () => this.nodes.hosted()
    });
    const handlers = verbHandlers({
      version: packageFacts.version,
      platform: process.platform,
      home: winnowHome,
      engine,
      // The service restarts an engine that died.
      engineState: () => ({ isAlive: true, reason: null }),
      restartEngine: () => engine.restart(),
      registry: this.nodes,
      work: this.work,
      openNodeId: this.nodes.id,
      theme: () => 'system',
      setTheme: () => undefined,
      chooseDirectory: chosenOnPage,
      chooseConfiguration: chosenOnPage,
      chooseBackupTarget: chosenOnPage,
      choosePath: (_purpose, options) => chosenOnPage(options),
      listFolder: (request) =>
        this.#fileTurns.run((given) => listFolder(this.#foldersFor(request.purpose), request, given)),
      copyText: () => undefined,
      showDirectory: () => Promise.resolve(),
      send: (event) => {
        // A page that shows something else must not be led away by what another page has made.
        if (event.kind !== 'open') send(event);
      }
    });
    this.handlers = {
      ...handlers,
      startWork: (request) => {
        if (this.#isClosing) throw ending();
        if (this.work.running().length >= MOST_RUNNING) throw tooMuch(MOST_RUNNING);
        return handlers.startWork(request);
      },
      // For all pages: a page that turns to another node must not end the watch for the others.
      watchNode: ({ id }) => {
        if (id !== null) this.#watches.watch(this.nodes.get(id));
        return null;
      }
    };
  }

  /** The sessions and event connections of the page, once the users are known. */
  admit(users: UserStore): { sessions: Sessions; connections: EventConnections } {
    const sessions = new Sessions(users, this.#parts.clock);
    const connections = new EventConnections({
      isOpen: (token) => sessions.isOpen(token),
      onFollowed: (isFollowed) => {
        this.#watches.setFollowed(isFollowed);
        this.#clusters?.setFollowed(isFollowed);
        if (isFollowed) this.#watches.watch(this.nodes.hosted());
      }
    });
    this.#connections = connections;
    const { settings, activity, directory } = this.#parts;
    this.#application = pageApplicationVerbs({
      nodes: this.nodes,
      users,
      settings,
      activity,
      pageDirectory: directory
    });
    return { sessions, connections };
  }

  /** The initial state of a page, for this user. */
  async stateFor({ name, roles }: Caller): Promise<StartState> {
    const state = await this.handlers.start({});
    const mayWrite = roles.length > 0;
    return {
      ...state,
      capabilities: {
        choosesPaths: mayWrite,
        isWindow: false,
        writes: mayWrite,
        administers: isAdministrator({ roles }),
        user: name
      },
      pathQuestions: PATH_QUESTIONS
    };
  }

  /** One verb that this user may use. */
  async answer(caller: Caller, verb: VerbName, request: unknown, options: AskOptions = {}): Promise<unknown> {
    const { asked, chosen } = chosenPathIn(verb, request);
    const handlers = this.#handlersFor(caller);
    if (verb === 'openDirectory' || verb === 'openChosen') await this.refresh();
    if (chosen.kind === 'nothing') return answerVerb(handlers, verb, asked, options);
    const chosenPath =
      chosen.kind === 'file'
        ? this.#uploads.keep(chosen.uploaded, keptOf(verb))
        : await this.#fileTurns.run(() =>
            this.#foldersFor(verb === 'openDirectory' ? 'database' : undefined).admitFolder(
              chosen.path,
              chosen
            )
          );
    return answerVerb(handlers, verb, asked, { ...options, chosenPath });
  }

  /** A folder that is known because a node or its backups are there may be written to, but no other database there is shown. */
  #foldersFor(purpose: FolderPurpose | undefined): AllowedFolders {
    return purpose === 'database' ? this.#openable : this.#folders;
  }

  /** Users share the engine: each has some turns, and some work. */
  #handlersFor(caller: Caller): VerbHandlers {
    const { handlers } = this;
    const { name } = caller;
    return {
      ...handlers,
      ...this.#clusters?.verbs,
      ...this.#applicationFor(caller),
      start: () => this.stateFor(caller),
      call: (request, options = {}) =>
        this.#turns.run(name, options.signal, async () => handlers.call(request, options)),
      lookUpIndex: (request, options = {}) =>
        this.#turns.run(name, options.signal, async () => handlers.lookUpIndex(request, options)),
      startWork: (request) => {
        const running = this.work.running().filter(({ id }) => this.#startedBy.get(id) === name);
        if (running.length >= MOST_RUNNING_OF_USER) throw tooMuch(MOST_RUNNING_OF_USER, ' of yours');
        const snapshot = handlers.startWork(request) as WorkSnapshot;
        this.#startedBy.set(snapshot.id, name);
        return this.work.attribute(snapshot, { door: 'page', user: name });
      }
    };
  }

  #applicationFor({ name }: Caller): Partial<ApplicationVerbHandlers> {
    const application = this.#application;
    if (!application) return {};
    return {
      ...application,
      removeUser: (request) => {
        if (request.name === name) throw ownUser(name);
        return application.removeUser(request);
      }
    };
  }

  /** What is kept of the node has changed. */
  tellNodes(): void {
    this.send({ kind: 'nodes', nodes: this.nodes.list() });
  }

  /** To every page. */
  send(event: WindowEvent): void {
    this.#connections?.send(event);
  }

  /** Follows the links of the folders whose databases may be opened. Throws StorageFailed if that takes too long. */
  refresh(): Promise<void> {
    return this.#fileTurns.run(() => this.nodes.refresh());
  }

  /** From now on the page has clusters, schedules and the licence. */
  joinClusters(clusters: PageClusters): void {
    this.#clusters = clusters;
  }

  /** Stops running work where it can be resumed. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([this.work.stopAll(), this.#clusters?.close()]);
    this.#connections?.closeAll();
    this.#watches.setFollowed(false);
    this.#uploads.discard();
  }
}

/** A file of one piece of work ends with the service; what belongs to a node, a cluster or the licence stays. */
function keptOf(verb: VerbName): KeptUpload {
  switch (verb) {
    case 'setBackupKey':
      return 'backup-keys';
    case 'chooseClusterAuthority':
      return 'authorities';
    case 'chooseLicence':
      return 'licences';
    default:
      return 'uploads';
  }
}

export function isAdministrator({ roles }: Pick<Caller, 'roles'>): boolean {
  return roles.includes('$admins');
}

/** An administrator who is gone cannot undo it. */
function ownUser(name: string): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: `You are logged in as ${name}. Nothing was removed.`,
    remedy: 'Log in as another administrator, or use "winnow user remove".',
    details: { field: 'name' }
  });
}

/** Work started now would not be stopped in an orderly way. */
function ending(): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: 'The service is shutting down. Nothing was started.',
    remedy: 'Try again once it has restarted.',
    details: {}
  });
}

function tooMuch(most: number, whose = ''): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `${most} operations${whose} are already running. Nothing was started.`,
    remedy: 'Wait until one ends, or stop one.',
    details: {}
  });
}
