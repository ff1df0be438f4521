/** What the main process adds to work on backups and restores: which backups, to where, and the keys that open them. */
import path from 'node:path';
import { invalidRequest } from '../../src-core/index.ts';
import type { NodeEntry, RestoreChoices } from '../contract/verbs/workbench-contract.ts';
import { readCertificateAuthority } from '../settings/certificate-file.ts';
import { unknownNode } from '../settings/node-registry.ts';
import type { ChosenPaths } from './chosen-paths.ts';

/** How people's choices are looked up. */
export interface Choices {
  chosen: ChosenPaths;
  nodeNamed: (id: string) => NodeEntry | undefined;
}

interface Target {
  target: string;
  s3Endpoint?: string;
}

/** Where the backups are, and what opens them. `node`: null for work on a chosen directory. */
export function sourceOf(
  node: NodeEntry | null,
  asked: RestoreChoices,
  choices: Choices
): Target & { keyFile?: string; password?: string } {
  const { fromNode, fromPlace } = asked;
  const owner = fromNode === undefined ? node : namedNode(fromNode, choices);
  return {
    ...(fromPlace === undefined ? targetOf(owner) : targetAt(fromPlace, choices)),
    ...keysOf(fromPlace === undefined ? owner : null, asked, choices)
  };
}

/** Key file or password as given; else the node's own key file, which has the secret key. */
export function keysOf(
  node: NodeEntry | null,
  { keyPlace, passwordId }: RestoreChoices,
  { chosen }: Choices
): { keyFile?: string; password?: string } {
  if (passwordId !== undefined) return { password: chosen.password(passwordId) };
  if (keyPlace !== undefined) return { keyFile: chosen.find(keyPlace, 'keyFile').path };
  return node?.backupKey?.kind === 'file' ? { keyFile: node.backupKey.file } : {};
}

/** The file with the keys that open the backups from then on: a chosen one, else that of the node's next backups. */
export function newKeysOf(
  node: NodeEntry,
  { newKeysPlace }: { newKeysPlace?: string },
  { chosen }: Choices
): string {
  if (newKeysPlace !== undefined) return chosen.find(newKeysPlace, 'keyFile').path;
  if (node.backupKey) return node.backupKey.file;
  throw invalidRequest('No file with the new keys was chosen.', 'newKeysPlace', 'Choose one.');
}

/** The directories that are restored to. */
export function destinationOf(
  node: NodeEntry | null,
  { toPlace, indexPlace }: RestoreChoices,
  { chosen }: Choices
): { dataDirectory: string; indexDirectory?: string } {
  const index = indexPlace === undefined ? undefined : chosen.find(indexPlace, 'index').path;
  if (toPlace !== undefined) {
    const dataDirectory = chosen.find(toPlace, 'restoreTo').path;
    return index === undefined ? { dataDirectory } : { dataDirectory, indexDirectory: index };
  }
  if (!node) throw invalidRequest('No directory to restore to was chosen.', 'toPlace', 'Choose one.');
  const { dataDirectory, indexDirectory = index } = node;
  return indexDirectory === undefined ? { dataDirectory } : { dataDirectory, indexDirectory };
}

/** The node's backup target, as requests name it. */
export function targetOf(node: NodeEntry | null): Target {
  if (node?.backupTarget !== undefined) return storeOf(node.backupTarget, node.backupEndpoint);
  throw invalidRequest(
    node ? `No directory for backups of ${node.name} has been chosen.` : 'No backup was chosen.',
    'target',
    'Choose one in the view Backups.'
  );
}

/** A directory or store that a person chose for its backups. */
export function targetAt(placeId: string, { chosen }: Choices): Target {
  const { path: target, endpoint } = chosen.find(placeId, 'backups');
  return storeOf(target, endpoint);
}

interface ServerAccess {
  nodeUrl?: string;
  nodeUser?: string;
  passwordId?: string;
  authorityPlace?: string;
}

/** For a new backup: the key it is encrypted for, and the running server that is asked about itself. */
export function newBackupOf(
  node: NodeEntry,
  { nodeUrl, nodeUser, passwordId, authorityPlace }: ServerAccess,
  { chosen }: Choices
): Target & { keyFile?: string; node?: object } {
  const keyFile = node.backupKey?.file;
  const encrypted = { ...targetOf(node), ...(keyFile === undefined ? {} : { keyFile }) };
  if (nodeUrl === undefined) return encrypted;
  const authority = authorityPlace === undefined ? undefined : chosen.find(authorityPlace, 'authority').path;
  return {
    ...encrypted,
    node: {
      url: nodeUrl,
      ...(nodeUser === undefined ? {} : { user: nodeUser }),
      ...(passwordId === undefined ? {} : { password: chosen.password(passwordId) }),
      ...(authority === undefined
        ? {}
        : { ca: readCertificateAuthority(authority, path.basename(authority)) })
    }
  };
}

function storeOf(target: string, endpoint: string | undefined): Target {
  return { target, ...(endpoint === undefined ? {} : { s3Endpoint: endpoint }) };
}

function namedNode(id: string, { nodeNamed }: Choices): NodeEntry {
  const node = nodeNamed(id);
  if (!node) throw unknownNode(id);
  return node;
}
