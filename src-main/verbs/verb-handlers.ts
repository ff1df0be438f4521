/**
 * What each verb of the window does, with the parts of the main process: engine, registry, work, dialogs. This
 * file does not import Electron; what needs it (dialogs, clipboard, theme) is passed in.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EngineError, NodeFileSystem, readCheckpoints, requireFault } from '../../src-core/index.ts';
import { parseS3Location } from '../settings/s3-location.ts';
import { checkedRequest } from '../engine/engine-door.ts';
import { expireWhenSeen } from '../engine/expire-when-seen.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import { directoryIdentity } from '../operations/doctor/kept-health.ts';
import type { InspectReport } from '../contract/operations/reports.ts';
import type { RequestOf } from '../contract/operations/operation-contract.ts';
import { unknownNode, type NodeEdit, type NodeRegistry, type OpenedNode } from '../settings/node-registry.ts';
import { droppedDatabase } from '../settings/dropped-database.ts';
import { readNodeConfiguration } from '../settings/node-configuration.ts';
import { nodeStanding } from '../fleet/node-standing.ts';
import { watchDatabase } from './database-watcher.ts';
import type {
  BackupErasureReport,
  ErasureReport,
  CallName,
  EngineState,
  IndexEntryRow,
  NodeEntry,
  Preferences,
  Theme,
  WindowEvent
} from '../contract/verbs/workbench-contract.ts';
import { absentApplicationVerbs, type ApplicationVerbHandlers } from './application-verbs.ts';
import { absentClusterVerbs, type ClusterVerbHandlers } from './absent-cluster-verbs.ts';
import type { AskOptions, VerbHandlers } from '../contract/verbs/verb-handler.ts';
import { callContext, locationOf, placeContext, refuseWithoutPlan, workContext } from './node-work.ts';
import { ChosenPaths } from './chosen-paths.ts';
import { pathVerbs } from './path-verbs.ts';
import type { PathPurpose } from '../contract/verbs/path-contract.ts';
import type { RedactionReport } from '../contract/operations/redaction-reports.ts';
import { saveErasureReport } from './save-erasure.ts';
import type { ChooseSaveFile } from './save-text.ts';
import { SavedFiles } from './saved-files.ts';
import { operationTitle } from '../contract/operations/operation-titles.ts';
import { joinedRequest, takenFromWindow } from '../contract/verbs/validate.ts';
import type { WorkKeeper } from './work-keeper.ts';

const PLAIN_PREFERENCES: Preferences = {
  language: 'system',
  numbers: 'language',
  reducedMotion: 'system',
  zoomPercent: 100,
  notices: false
};
/** Maximum number of entries that a look-up in the index shows. */
const LOOK_UP_ROWS = 500;
/** Questions that need our own data as well as the database. */
const USE_HOME: ReadonlySet<CallName> = new Set<CallName>([
  'listHistory',
  'inspectDatabase',
  'exportUsage',
  'usageWithin',
  'readUsage',
  'listChunks',
  'readStreamsPage',
  'readStreamCategories',
  'readEventsPage',
  'searchRecords',
  'describeStream',
  'lookUpStream',
  'inspectIndex',
  'usageOfStreams',
  'explainRecords',
  'compareThresholds',
  'priceProjections',
  'forecastGrowth'
]);

/** Questions that may read much of a log: a person waits for them. */
const MAKES_ROOM: ReadonlySet<CallName> = new Set<CallName>([
  'readStreamsPage',
  'readStreamCategories',
  'searchRecords',
  'exportUsage',
  'usageWithin',
  'readUsage',
  'priceProjections',
  'forecastGrowth',
  'describeStream',
  'lookUpStream'
]);

/** The nodes to show: the person's list, or those of a service. */
export type Nodes = Pick<NodeRegistry, 'list' | 'find' | 'open' | 'edit' | 'forget' | 'recall'>;

/** Asks for a place; undefined: nothing chosen. */
export type ChoosePath = (options: AskOptions) => Promise<string | undefined>;

export interface HandlerParts {
  version: string;
  platform: string;
  home: string;
  engine: EngineHost;
  engineState: () => EngineState;
  restartEngine: () => void;
  registry: Nodes;
  work: WorkKeeper;
  openNodeId: string | null;
  theme: () => Theme;
  setTheme: (theme: Theme) => void;
  /** Ask with a system dialog, or take what was chosen on a page; undefined: nothing chosen. */
  chooseDirectory: ChoosePath;
  chooseConfiguration: ChoosePath;
  chooseBackupTarget: ChoosePath;
  choosePath: (purpose: PathPurpose, options: AskOptions) => Promise<string | undefined>;
  /** Asks with a dialog where to write a file; undefined: nothing chosen. Not given: the page saves files itself. */
  chooseSaveFile?: ChooseSaveFile;
  copyText: (text: string) => void;
  /** Opens a directory in the file manager; rejects with what the system says. */
  showDirectory: (directory: string) => Promise<void>;
  /** Not given: dialogs of the system are there instead. */
  listFolder?: VerbHandlers['listFolder'];
  /** Not given: there are no clusters here. */
  clusterVerbs?: ClusterVerbHandlers;
  /** Not given: there is no application here, only a page. */
  applicationVerbs?: ApplicationVerbHandlers;
  preferences?: () => Preferences;
  send: (event: WindowEvent) => void;
}

export function verbHandlers(parts: HandlerParts): VerbHandlers {
  const { engine, registry, work } = parts;
  /** Since this process started. */
  const forgotten = new Map<string, NodeEntry>();
  /** Nodes as they were when their backup target was removed. */
  const withTarget = new Map<string, NodeEntry>();
  const savedFiles = new SavedFiles(parts.chooseSaveFile);
  const chosen = new ChosenPaths();
  const choices = { chosen, nodeNamed: (id: string) => registry.find(id) };
  let closeWatch: (() => Promise<void>) | undefined;

  const openNode = (opened: OpenedNode): NodeEntry => {
    const node = registry.open(opened);
    parts.send({ kind: 'nodes', nodes: registry.list() });
    return node;
  };

  const edited = (id: string, edit: NodeEdit): NodeEntry => {
    const node = registry.edit(id, edit);
    if (!node) throw unknownNode(id);
    parts.send({ kind: 'nodes', nodes: registry.list() });
    return node;
  };

  /** Only what the engine recognises as a database becomes a node. */
  const openDatabase = async (opened: OpenedNode): Promise<NodeEntry> => {
    try {
      await engine.call('inspectDatabase', locationOf(opened));
    } catch (error) {
      throw withChosenId(error, opened, chosen);
    }
    return openNode(opened);
  };

  return {
    ...(parts.clusterVerbs ?? absentClusterVerbs()),
    ...(parts.applicationVerbs ?? absentApplicationVerbs()),
    ...pathVerbs({ ...parts, chosen, openDatabase }),

    start: () => {
      // A page that starts has written nothing yet: what is open is of one that has gone.
      savedFiles.discardAll();
      return {
        version: parts.version,
        platform: parts.platform,
        theme: parts.theme(),
        preferences: parts.preferences?.() ?? PLAIN_PREFERENCES,
        nodes: registry.list(),
        work: work.list(),
        openNodeId: parts.openNodeId,
        engine: parts.engineState(),
        capabilities: { choosesPaths: true, isWindow: true, writes: true, administers: true, user: null },
        pathQuestions: []
      };
    },

    call: ({ name, nodeId, request }, options = {}) => {
      const filledIn = {
        ...(nodeId === undefined
          ? placeContext(takenFromWindow(name, request), choices)
          : callContext(name, nodeIn(registry, nodeId))),
        ...(USE_HOME.has(name) ? { winnowHome: parts.home } : {})
      };
      if (nodeId !== undefined && MAKES_ROOM.has(name)) work.makeRoom(nodeId);
      const answer = engine.call(name, joinedRequest(name, request, filledIn), options);
      if (name === 'inspectDatabase')
        answer
          .then((report) => expireWhenSeen(engine, report as Partial<InspectReport>, Date.now()))
          .catch(() => undefined);
      return answer;
    },

    lookUpIndex: async ({ nodeId, stream }, options = {}) => {
      const rows: IndexEntryRow[] = [];
      const request = { ...locationOf(nodeIn(registry, nodeId)), stream };
      for await (const batch of engine.stream('listIndexEntries', request, options)) {
        rows.push(...batch);
        if (rows.length >= LOOK_UP_ROWS) break;
      }
      return rows.slice(0, LOOK_UP_ROWS);
    },

    nodeStanding: ({ nodeId }, options = {}) =>
      nodeStanding(nodeIn(registry, nodeId), {
        engine,
        backupsIn: (target, s3Endpoint) =>
          engine.call(
            'listBackups',
            { target, ...(s3Endpoint === undefined ? {} : { s3Endpoint }) },
            options
          ),
        winnowHome: parts.home,
        nowMs: Date.now(),
        cluster: null,
        signal: options.signal
      }),

    startWork: ({ name, nodeId, request, planId }) => {
      const node = nodeId === null ? null : nodeIn(registry, nodeId);
      const asked = takenFromWindow(name, request);
      const filledIn = {
        ...workContext({ name, node, home: parts.home, asked, choices }),
        ...(planId === undefined ? {} : { plan: planId })
      };
      // Checked before the work is listed; and the plan is of a request with all its defaults.
      const checked = checkedRequest(name, joinedRequest(name, asked, filledIn)) as RequestOf<typeof name>;
      refuseWithoutPlan(name, checked);
      // Without a node it is a restore, which names its directory.
      const location = node ?? (checked as unknown as OpenedNode);
      const begun = {
        name,
        nodeId,
        request: asked,
        writerCheckpoint: name === 'verifyDatabase' || name === 'examineStart' ? null : writerOf(location),
        directory: identityOf(location),
        backupTarget: node?.backupTarget ?? null
      };
      return work.start({
        ...begun,
        title: operationTitle(name, { node: node?.name, isPlan: asked['dryRun'] === true }),
        run: (options) => engine.call(name, checked, options)
      });
    },

    createSample: () => {
      const dataDirectory = freeSampleDirectory(parts.home, registry.list());
      return work.start({
        name: 'writeSample',
        nodeId: null,
        title: operationTitle('writeSample', { isPlan: false }),
        request: {},
        run: (options) => engine.call('writeSample', { dataDirectory }, options),
        onDone: () => {
          const node = openNode({ dataDirectory, isSample: true });
          parts.send({ kind: 'open', nodeId: node.id });
        }
      });
    },

    stopWork: ({ id }) => {
      work.stop(id);
      return null;
    },
    forgetWork: ({ id }) => {
      work.forget(id);
      return null;
    },
    workResult: ({ id }) => work.result(id),

    listFolder: parts.listFolder ?? noListing,
    openDirectory: async (_request, options = {}) => {
      const dataDirectory = await parts.chooseDirectory(options);
      return dataDirectory === undefined ? null : openDatabase({ dataDirectory });
    },
    openConfiguration: async (_request, options = {}) => {
      const configurationFile = await parts.chooseConfiguration(options);
      if (configurationFile === undefined) return null;
      return openDatabase({ ...readNodeConfiguration(configurationFile), configurationFile });
    },
    openDropped: ({ path: dropped }) => openDatabase(droppedDatabase(dropped)),
    chooseBackupTarget: async ({ nodeId }, options = {}) => {
      nodeIn(registry, nodeId);
      const backupTarget = await parts.chooseBackupTarget(options);
      if (backupTarget === undefined) return null;
      return edited(nodeId, { backupTarget });
    },
    nameBackupStore: ({ nodeId, location, endpoint }) => {
      parseS3Location(location);
      return edited(nodeId, {
        backupTarget: location,
        ...(endpoint === undefined ? {} : { backupEndpoint: endpoint })
      });
    },
    forgetBackupTarget: ({ nodeId }) => {
      withTarget.set(nodeId, nodeIn(registry, nodeId));
      return edited(nodeId, { backupTarget: null });
    },
    recallBackupTarget: ({ nodeId }) => {
      const before = withTarget.get(nodeId);
      if (before?.backupTarget === undefined) throw unknownNode(nodeId);
      const { backupTarget, backupEndpoint, backupKey } = before;
      edited(nodeId, { backupTarget, ...(backupEndpoint === undefined ? {} : { backupEndpoint }) });
      withTarget.delete(nodeId);
      return edited(nodeId, { backupKey: backupKey ?? null });
    },
    changeNode: ({ id, ...edit }) => edited(id, edit),
    forgetNode: ({ id }) => {
      const node = registry.find(id);
      if (node) forgotten.set(id, node);
      registry.forget(id);
      parts.send({ kind: 'nodes', nodes: registry.list() });
      return null;
    },
    recallNode: ({ id }) => {
      const node = forgotten.get(id);
      if (!node) throw unknownNode(id);
      registry.recall(node);
      forgotten.delete(id);
      parts.send({ kind: 'nodes', nodes: registry.list() });
      return node;
    },
    showInFolder: async ({ nodeId }) => {
      await parts.showDirectory(nodeIn(registry, nodeId).dataDirectory);
      return null;
    },

    watchNode: ({ id }) => {
      void closeWatch?.();
      closeWatch = undefined;
      if (id === null) return null;
      const location = locationOf(nodeIn(registry, id));
      closeWatch = watchDatabase(
        {
          dataDirectory: location.dataDirectory,
          indexDirectory: location.indexDirectory ?? path.join(location.dataDirectory, 'index')
        },
        (changed) => parts.send({ kind: 'changed', nodeId: id, parts: changed })
      );
      return null;
    },

    setTheme: ({ theme }) => {
      parts.setTheme(theme);
      return null;
    },
    restartEngine: () => {
      parts.restartEngine();
      return null;
    },
    saveErasure: async ({ id, form }) => {
      return saveErasureReport(erasureDocument(work, id), form, parts.chooseSaveFile);
    },
    openSavedFile: ({ name, form }) => savedFiles.open(name, form),
    writeSavedFile: ({ id, text }) => {
      savedFiles.write(id, text);
      return null;
    },
    endSavedFile: ({ id, isComplete }) => savedFiles.end(id, isComplete),
    copyText: ({ text }) => {
      parts.copyText(text);
      return null;
    }
  };
}

/** null: this work has none to save. */
function erasureDocument(work: WorkKeeper, id: string): ErasureReport | RedactionReport | null {
  const reply = work.result(id);
  switch (work.find(id)?.name) {
    case 'reportErasure':
    case 'redactEvents':
      return reply as ErasureReport | RedactionReport | null;
    case 'eraseInBackup':
      return (reply as BackupErasureReport | null)?.redaction ?? null;
    default:
      return null;
  }
}

function noListing(): never {
  throw new EngineError({
    code: 'InvalidRequest',
    message: 'The window asks for folders with a dialog of the system.',
    remedy: 'Choose there.',
    details: {}
  });
}

/**
 * Read here: an inspection by the engine also reads the end of the log, and the work would wait for it. A damaged
 * checkpoint is not a reason to refuse a repair or a restore; other operations that need it report it themselves.
 */
function identityOf(node: OpenedNode): string | null {
  try {
    return directoryIdentity(new NodeFileSystem(), locationOf(node));
  } catch (error) {
    requireFault(error);
    return null;
  }
}

function writerOf({ dataDirectory }: OpenedNode): number | null {
  try {
    return readCheckpoints(new NodeFileSystem(), dataDirectory).writer;
  } catch (error) {
    requireFault(error);
    return null;
  }
}

/** A directory without a database can be restored to: the page gets an id for it. */
function withChosenId(error: unknown, { dataDirectory }: OpenedNode, chosen: ChosenPaths): unknown {
  if (!(error instanceof EngineError) || error.code !== 'DatabaseNotFound') return error;
  if (new NodeFileSystem().describe(dataDirectory)?.isDirectory !== true) return error;
  const { code, message, remedy, details, cause } = error;
  const { id } = chosen.keep('restoreTo', { path: dataDirectory, nodeId: null });
  return new EngineError({ code, message, remedy, details: { ...details, restoreTo: id }, cause });
}

function freeSampleDirectory(home: string, nodes: NodeEntry[]): string {
  const taken = new Set(nodes.map((node) => node.dataDirectory));
  for (let count = 1; ; count++) {
    const directory = path.join(home, 'samples', count === 1 ? 'sample' : `sample-${count}`);
    if (!taken.has(directory) && !existsSync(directory)) return directory;
  }
}

function nodeIn(registry: Nodes, id: string): NodeEntry {
  const node = registry.find(id);
  if (!node) throw unknownNode(id);
  return node;
}
