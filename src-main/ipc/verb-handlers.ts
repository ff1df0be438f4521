/**
 * What each verb of the window does, over the parts of the main process: engine, registry, work, dialogs. This
 * file knows no Electron; what needs it (dialogs, clipboard, theme) is handed in.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EngineError, NodeFileSystem, readCheckpoints } from '../../src-core/index.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import type { RequestOf } from '../operations/operation-contract.ts';
import type { NodeRegistry, OpenedNode } from '../settings/node-registry.ts';
import { readNodeConfiguration } from '../settings/node-configuration.ts';
import { watchDatabase } from '../watch/database-watcher.ts';
import type {
  CallName,
  EngineState,
  IndexEntryRow,
  NodeEntry,
  Theme,
  WindowEvent,
  WorkSnapshot
} from './contract.ts';
import type { VerbHandlers } from './ipc-server.ts';
import { engineRequest } from './validate.ts';
import type { WorkKeeper } from './work-keeper.ts';

/** Entries that a look-up in the index shows at most. */
const LOOK_UP_ROWS = 500;

export interface HandlerParts {
  version: string;
  platform: string;
  home: string;
  engine: EngineHost;
  engineState: () => EngineState;
  restartEngine: () => void;
  registry: NodeRegistry;
  work: WorkKeeper;
  openNodeId: string | null;
  theme: () => Theme;
  setTheme: (theme: Theme) => void;
  /** Ask with a dialog of the system; undefined: nothing chosen. */
  chooseDirectory: () => Promise<string | undefined>;
  chooseConfiguration: () => Promise<string | undefined>;
  copyText: (text: string) => void;
  send: (event: WindowEvent) => void;
}

export function verbHandlers(parts: HandlerParts): VerbHandlers {
  const { engine, registry, work } = parts;
  let closeWatch: (() => Promise<void>) | undefined;

  const openNode = (opened: OpenedNode): NodeEntry => {
    const node = registry.open(opened);
    parts.send({ kind: 'nodes', nodes: registry.list() });
    return node;
  };

  /** Only what the engine recognises as a database becomes a node. */
  const openDatabase = async (opened: OpenedNode): Promise<NodeEntry> => {
    await engine.call('inspectDatabase', locationOf(opened));
    return openNode(opened);
  };

  return {
    start: () => ({
      version: parts.version,
      platform: parts.platform,
      theme: parts.theme(),
      nodes: registry.list(),
      work: work.list(),
      openNodeId: parts.openNodeId,
      engine: parts.engineState()
    }),

    call: ({ name, nodeId, request }) => {
      const filledIn = {
        ...(nodeId === undefined ? {} : locationOf(nodeIn(registry, nodeId))),
        ...(name === 'listHistory' ? { winnowHome: parts.home } : {})
      };
      return engine.call(name, engineRequest(name, request, filledIn) as RequestOf<CallName>);
    },

    lookUpIndex: async ({ nodeId, stream }) => {
      const rows: IndexEntryRow[] = [];
      const request = { ...locationOf(nodeIn(registry, nodeId)), stream };
      for await (const batch of engine.stream('listIndexEntries', request)) {
        rows.push(...batch);
        if (rows.length >= LOOK_UP_ROWS) break;
      }
      return rows.slice(0, LOOK_UP_ROWS);
    },

    startWork: ({ name, nodeId, request, planId }) => {
      const node = nodeIn(registry, nodeId);
      const checked = engineRequest(name, request, workContext(name, node, parts.home));
      const writerCheckpoint = name === 'verifyDatabase' ? null : writerOf(node);
      if (planId !== undefined) refuseStalePlan(work.find(planId), nodeId, writerCheckpoint);
      return work.start({
        name,
        nodeId,
        title: `${TITLES[name]} ${node.name}`,
        request: (request ?? {}) as Record<string, unknown>,
        writerCheckpoint,
        run: (options) => engine.call(name, checked as RequestOf<typeof name>, options)
      });
    },

    createSample: () => {
      const dataDirectory = freeSampleDirectory(parts.home, registry.list());
      const request = engineRequest('writeSample', {}, { dataDirectory }) as RequestOf<'writeSample'>;
      return work.start({
        name: 'writeSample',
        nodeId: null,
        title: 'Create the sample database',
        request: {},
        run: (options) => engine.call('writeSample', request, options),
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

    openDirectory: async () => {
      const dataDirectory = await parts.chooseDirectory();
      return dataDirectory === undefined ? null : openDatabase({ dataDirectory });
    },
    openConfiguration: async () => {
      const configurationFile = await parts.chooseConfiguration();
      if (configurationFile === undefined) return null;
      return openDatabase({ ...readNodeConfiguration(configurationFile), configurationFile });
    },
    changeNode: ({ id, ...edit }) => {
      const node = registry.edit(id, edit);
      if (!node) throw unknownNode(id);
      parts.send({ kind: 'nodes', nodes: registry.list() });
      return node;
    },
    forgetNode: ({ id }) => {
      registry.forget(id);
      parts.send({ kind: 'nodes', nodes: registry.list() });
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
    copyText: ({ text }) => {
      parts.copyText(text);
      return null;
    }
  };
}

const TITLES = { verifyDatabase: 'Verify', planScavenge: 'Plan', runScavenge: 'Scavenge' } as const;

interface Location {
  dataDirectory: string;
  indexDirectory?: string;
}

function locationOf(node: OpenedNode): Location {
  return node.indexDirectory === undefined
    ? { dataDirectory: node.dataDirectory }
    : { dataDirectory: node.dataDirectory, indexDirectory: node.indexDirectory };
}

/** Directories, and for a scavenge what is known about the node's cluster. */
function workContext(name: keyof typeof TITLES, node: NodeEntry, home: string): Record<string, unknown> {
  if (name === 'verifyDatabase') return { ...locationOf(node) };
  return {
    ...locationOf(node),
    winnowHome: home,
    ...(node.isSingleNode === true ? { singleNode: true } : {}),
    ...clusterSizeOf(node)
  };
}

/** Read here: an inspection by the engine reads the end of the log as well, and the work would wait for it. */
function writerOf({ dataDirectory }: NodeEntry): number | null {
  return readCheckpoints(new NodeFileSystem(), dataDirectory).writer;
}

/** A plan is exact for the log it was made of, and says nothing about another. */
function refuseStalePlan(plan: WorkSnapshot | undefined, nodeId: string, writer: number | null): void {
  if (plan?.name === 'planScavenge' && plan.nodeId === nodeId && plan.writerCheckpoint === writer) return;
  throw new EngineError({
    code: 'InvalidRequest',
    message: 'The log has changed since this plan was made. Nothing was written.',
    remedy: 'Make the plan again.',
    details: { field: 'planId', expected: plan?.writerCheckpoint ?? 'a plan', found: writer ?? 'no log' }
  });
}

/** A person's "member of a cluster" counts like a configuration that says so. */
function clusterSizeOf(node: NodeEntry): { clusterSize?: number } {
  if (node.isSingleNode === true) return {};
  if (node.clusterSize !== undefined) return { clusterSize: node.clusterSize };
  return node.isSingleNode === false ? { clusterSize: 3 } : {};
}

function freeSampleDirectory(home: string, nodes: NodeEntry[]): string {
  const taken = new Set(nodes.map((node) => node.dataDirectory));
  for (let count = 1; ; count++) {
    const directory = path.join(home, 'samples', count === 1 ? 'sample' : `sample-${count}`);
    if (!taken.has(directory) && !existsSync(directory)) return directory;
  }
}

function nodeIn(registry: NodeRegistry, id: string): NodeEntry {
  const node = registry.find(id);
  if (!node) throw unknownNode(id);
  return node;
}

function unknownNode(id: string): EngineError {
  return new EngineError({
    code: 'DatabaseNotFound',
    message: 'This node is not in the list any more.',
    remedy: 'Open its directory again.',
    details: { nodeId: id }
  });
}
