/** The verbs about paths and passwords: chosen by a person, kept here, named by their ids. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { invalidRequest } from '../../src-core/index.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import type { PathPurpose, PathVerbName } from '../contract/verbs/path-contract.ts';
import type { AskOptions, VerbHandlers } from '../contract/verbs/verb-handler.ts';
import type { BackupKey, NodeEntry, WindowEvent } from '../contract/verbs/workbench-contract.ts';
import { unknownNode, type NodeRegistry, type OpenedNode } from '../settings/node-registry.ts';
import { createPrivateFile, makePrivateDirectory } from '../settings/private-file.ts';
import { parseS3Location } from '../settings/s3-location.ts';
import { newBackupSchedule } from '../settings/backup-schedule.ts';
import type { ChosenPaths } from './chosen-paths.ts';
import type { ChooseSaveFile } from './save-text.ts';

export interface PathVerbParts {
  home: string;
  chosen: ChosenPaths;
  engine: Pick<EngineHost, 'call'>;
  registry: Pick<NodeRegistry, 'list' | 'find' | 'edit'>;
  /** Asks with a system dialog, or takes what was chosen on a page; undefined: nothing chosen. */
  choosePath: (purpose: PathPurpose, options: AskOptions) => Promise<string | undefined>;
  chooseSaveFile?: ChooseSaveFile;
  openDatabase: (opened: OpenedNode) => Promise<NodeEntry>;
  send: (event: WindowEvent) => void;
}

export function pathVerbs(parts: PathVerbParts): Pick<VerbHandlers, PathVerbName> {
  const { chosen, registry } = parts;
  return {
    choosePath: async ({ purpose }, options = {}) => {
      const directory = await parts.choosePath(purpose, options);
      if (directory === undefined) return null;
      return chosen.keep(purpose, { path: directory, nodeId: nodeAt(registry.list(), directory) });
    },
    nameStore: ({ location, endpoint }) => {
      parseS3Location(location);
      const store = { path: location, nodeId: null };
      return chosen.keep('backups', endpoint === undefined ? store : { ...store, endpoint });
    },
    openChosen: ({ id }) => parts.openDatabase({ dataDirectory: chosen.find(id, 'restoreTo').path }),
    keepPassword: ({ password }) => chosen.keepPassword(password),
    setBackupSchedule: ({ nodeId, schedule }) => {
      const edited = registry.edit(nodeId, {
        backupSchedule: schedule && newBackupSchedule(schedule, Date.now())
      });
      if (!edited) throw unknownNode(nodeId);
      parts.send({ kind: 'nodes', nodes: registry.list() });
      return edited;
    },
    setBackupKey: async ({ nodeId, key, password }, options = {}) => {
      const node = registry.find(nodeId);
      if (!node) throw unknownNode(nodeId);
      const backupKey = key === 'none' ? null : await keyOf(key, { node, password, parts, options });
      if (backupKey === undefined) return null;
      const edited = registry.edit(nodeId, { backupKey });
      if (!edited) throw unknownNode(nodeId);
      parts.send({ kind: 'nodes', nodes: registry.list() });
      return edited;
    }
  };
}

interface KeyParts {
  node: NodeEntry;
  password: string | undefined;
  parts: PathVerbParts;
  options: AskOptions;
}

/** undefined: the user chose no file. */
async function keyOf(
  key: 'file' | 'newFile' | 'password',
  { node, password, parts, options }: KeyParts
): Promise<BackupKey | undefined> {
  switch (key) {
    case 'file': {
      const file = await parts.choosePath('keyFile', options);
      return file === undefined ? undefined : { kind: 'file', file };
    }
    case 'newFile': {
      const name = `${node.name.replaceAll(/[^\w.-]/g, '-')}.key`;
      const file = await parts.chooseSaveFile?.({ title: 'Save the new key', name, extension: 'key' });
      if (file === undefined) return undefined;
      await parts.engine.call('makeBackupKey', { file });
      return { kind: 'file', file };
    }
    case 'password':
      return sealed(node, password, parts);
  }
}

/** The secret key goes to the target, sealed; the public one stays here, so that a backup needs no password. */
async function sealed(
  node: NodeEntry,
  password: string | undefined,
  { home, engine }: PathVerbParts
): Promise<BackupKey> {
  const { backupTarget, backupEndpoint } = node;
  if (password === undefined) throw invalidRequest('No password was given.', 'password');
  if (backupTarget === undefined) {
    throw invalidRequest('The node has no place for its backups yet.', 'target', 'Choose one first.');
  }
  const { publicKey } = await engine.call('sealBackupKey', {
    target: backupTarget,
    password,
    ...(backupEndpoint === undefined ? {} : { s3Endpoint: backupEndpoint })
  });
  const directory = path.join(home, 'backup-keys');
  makePrivateDirectory(directory);
  const file = path.join(directory, `${publicKey}.txt`);
  createPrivateFile(file, `${publicKey}\n`);
  return { kind: 'password', file };
}

function nodeAt(nodes: readonly NodeEntry[], directory: string): string | null {
  const real = realPath(directory);
  return nodes.find(({ dataDirectory }) => dataDirectory === real)?.id ?? null;
}

function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return path.resolve(directory);
  }
}
