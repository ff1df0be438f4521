/**
 * The nodes a person has opened: their directories, names, and the answer to "single node or member
 * of a cluster?". One file, `nodes.json`, in WINNOW_HOME; the window and the command line share it, so each
 * change reads the file again and writes it as a whole, one process after another.
 *
 * Invariants: one entry for one pair of directories; entries are ordered by the last opening, newest first.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { EngineError } from '../../src-core/index.ts';
import { isRemoteLocation } from './s3-location.ts';
import { editAlone } from './edit-lock.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

// Made when a registry is read: that takes longer than to read it, and few commands do.
const nodeEntry = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    dataDirectory: z.string(),
    indexDirectory: z.string().exactOptional(),
    configurationFile: z.string().exactOptional(),
    clusterSize: z.number().int().positive().exactOptional(),
    isSingleNode: z.boolean().nullable(),
    isSample: z.boolean(),
    backupTarget: z.string().exactOptional(),
    backupEndpoint: z.string().exactOptional(),
    backupSchedule: z
      .object({
        expression: z.string(),
        timeZone: z.string(),
        compress: z.boolean(),
        retention: z.object({ last: z.number(), daily: z.number(), weekly: z.number(), monthly: z.number() }),
        handledMs: z.number(),
        last: z
          .object({
            atMs: z.number(),
            message: z.string().nullable(),
            startedMs: z.number().exactOptional(),
            dueMs: z.number().exactOptional(),
            missed: z.number().exactOptional()
          })
          .nullable(),
        running: z.object({ startedMs: z.number(), dueMs: z.number(), missed: z.number() }).exactOptional()
      })
      .exactOptional(),
    backupKey: z.object({ kind: z.enum(['file', 'password']), file: z.string() }).exactOptional(),
    lastOpenedMs: z.number()
  })
);
export type RegisteredNode = z.infer<typeof nodeEntry>;

const registryFile = z.lazy(() => z.object({ nodes: z.array(nodeEntry) }));

/** What is known about a node when it is opened. */
export interface OpenedNode {
  dataDirectory: string;
  indexDirectory?: string;
  configurationFile?: string;
  clusterSize?: number;
  isSample?: boolean;
}

/** What a person can change in an entry. */
export interface NodeEdit {
  name?: string;
  isSingleNode?: boolean;
  /** null: none any longer; its backups stay where they are. */
  backupTarget?: string | null;
  /** Of an object store other than Amazon's; allowed only with a new `backupTarget`. */
  backupEndpoint?: string;
  /** null: none any longer. */
  backupSchedule?: NonNullable<RegisteredNode['backupSchedule']> | null;
  /** null: the next backups are not encrypted. */
  backupKey?: { kind: 'file' | 'password'; file: string } | null;
}

export class NodeRegistry {
  readonly #file: string;
  readonly #clock: () => number;

  constructor(home: string, clock: () => number) {
    this.#file = path.join(home, 'nodes.json');
    this.#clock = clock;
  }

  /** Newest first. */
  list(): RegisteredNode[] {
    const nodes = readJsonFile(this.#file, registryFile)?.nodes ?? [];
    return nodes.sort((a, b) => b.lastOpenedMs - a.lastOpenedMs);
  }

  find(id: string): RegisteredNode | undefined {
    return this.list().find((node) => node.id === id);
  }

  /** Throws DatabaseNotFound. */
  get(id: string): RegisteredNode {
    const node = this.find(id);
    if (!node) throw unknownNode(id);
    return node;
  }

  /** Registers a node, or marks the entry of the same directories as opened now. */
  open(opened: OpenedNode): RegisteredNode {
    return editAlone(this.#file, () => {
      const dataDirectory = realPath(opened.dataDirectory);
      const indexDirectory =
        opened.indexDirectory === undefined ? undefined : realPath(opened.indexDirectory);
      const id = idOf(dataDirectory, indexDirectory);
      const nodes = this.list();
      const known = nodes.find((node) => node.id === id);
      const node: RegisteredNode = {
        isSingleNode: null,
        isSample: false,
        ...known,
        id,
        name: known?.name ?? nameFor(dataDirectory, nodes),
        dataDirectory,
        lastOpenedMs: this.#clock()
      };
      if (indexDirectory !== undefined) node.indexDirectory = indexDirectory;
      if (opened.configurationFile !== undefined) node.configurationFile = opened.configurationFile;
      if (opened.clusterSize !== undefined) node.clusterSize = opened.clusterSize;
      if (opened.isSample) {
        node.isSample = true;
        node.isSingleNode = true;
      }
      this.#write([node, ...nodes.filter((other) => other.id !== id)]);
      return node;
    });
  }

  /** undefined: there is no such entry. */
  edit(id: string, edit: NodeEdit): RegisteredNode | undefined {
    return editAlone(this.#file, () => {
      const nodes = this.list();
      const node = nodes.find((candidate) => candidate.id === id);
      if (!node) return undefined;
      if (edit.name !== undefined) node.name = edit.name;
      if (edit.isSingleNode !== undefined) node.isSingleNode = edit.isSingleNode;
      if (edit.backupTarget === null) {
        delete node.backupTarget;
        delete node.backupEndpoint;
        if (node.backupKey?.kind === 'password') delete node.backupKey;
      } else if (edit.backupTarget !== undefined) {
        const isRemote = isRemoteLocation(edit.backupTarget);
        node.backupTarget = isRemote ? edit.backupTarget : realPath(edit.backupTarget);
        delete node.backupEndpoint;
        if (isRemote && edit.backupEndpoint !== undefined) node.backupEndpoint = edit.backupEndpoint;
        // The sealed key of a password lies in the earlier target.
        if (node.backupKey?.kind === 'password') delete node.backupKey;
      }
      if (edit.backupSchedule === null) delete node.backupSchedule;
      else if (edit.backupSchedule !== undefined) node.backupSchedule = edit.backupSchedule;
      if (edit.backupKey === null) delete node.backupKey;
      else if (edit.backupKey !== undefined) node.backupKey = edit.backupKey;
      this.#write(nodes);
      return node;
    });
  }

  /** Removes the entry from the list. Does not touch the database. */
  forget(id: string): void {
    return editAlone(this.#file, () => {
      this.#write(this.list().filter((node) => node.id !== id));
    });
  }

  /** Puts an entry back that was forgotten; one that was made for the same directories since then stays instead. */
  recall(node: RegisteredNode): void {
    return editAlone(this.#file, () => {
      const nodes = this.list();
      if (!nodes.some(({ id }) => id === node.id)) this.#write([...nodes, node]);
    });
  }

  #write(nodes: RegisteredNode[]): void {
    writeJsonFile(this.#file, { nodes });
  }
}

/** The error of an id that no entry has, or no longer. */
export function unknownNode(nodeId: string): EngineError {
  return new EngineError({
    code: 'DatabaseNotFound',
    message: 'This node is no longer in the list.',
    remedy: 'Open its directory again.',
    details: { nodeId }
  });
}

/** The same directories reached by another path are the same node. */
function realPath(directory: string): string {
  const absolute = path.resolve(directory);
  try {
    return realpathSync(absolute);
  } catch {
    // Nothing there (any more): the engine reports that, with the path as given.
    return absolute;
  }
}

function idOf(dataDirectory: string, indexDirectory: string | undefined): string {
  const hash = createHash('sha256').update(dataDirectory);
  if (indexDirectory !== undefined) hash.update('\0').update(indexDirectory);
  return hash.digest('hex').slice(0, 16);
}

/** The last meaningful folder name: `data` and `db` alone say nothing, so their parent's is used. */
function nameFor(dataDirectory: string, nodes: RegisteredNode[]): string {
  const parts = dataDirectory.split(/[\\/]/).filter((part) => part !== '');
  const meaningful = parts.findLast((part) => !/^(data|db|log|index|var|lib)$/i.test(part));
  const base = meaningful ?? parts.at(-1) ?? dataDirectory;
  let name = base;
  for (let count = 2; nodes.some((node) => node.name === name); count++) name = `${base} (${count})`;
  return name;
}
