/**
 * What work that writes something new reads, and where it puts it: the page names places that a person chose, and backups by
 * their ids; the names of what is made are given here.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { invalidRequest, isBackupId } from '../../src-core/index.ts';
import type { NodeEntry } from '../contract/verbs/workbench-contract.ts';
import { sourceOf, type Choices } from './restore-work.ts';

interface ExtractedBackup {
  dataDirectory: string;
  s3Endpoint?: string;
  keyFile?: string;
  password?: string;
}

/** The backup that is read, with what opens it; undefined: the node itself. */
export function extractionSource(
  node: NodeEntry,
  asked: Record<string, unknown>,
  choices: Choices
): ExtractedBackup | undefined {
  const { usesBackups, backupId, fromPlace } = asked;
  if (usesBackups !== true && fromPlace === undefined) return undefined;
  const { target, ...access } = sourceOf(node, asked, choices);
  if (backupId === undefined) return { dataDirectory: target, ...access };
  // Anything else behind the target would be another place.
  if (typeof backupId === 'string' && isBackupId(backupId)) {
    return { dataDirectory: `${target}@${backupId}`, ...access };
  }
  throw invalidRequest('There is no backup of that name.', 'backupId', 'Choose it again.');
}

/** The data directory of a new database. */
export function exportOutput(
  node: NodeEntry,
  asked: Record<string, unknown>,
  choices: Choices
): { toDatabase: string } {
  return { toDatabase: freePlace(directoryOf(asked, choices), `${nameOf(node)}-export-${today()}`, '') };
}

/** The file that events are extracted to. */
export function extractionOutput(
  node: NodeEntry,
  asked: Record<string, unknown>,
  choices: Choices
): { to: string } {
  const { format } = asked;
  const extension = format === 'csv' || format === 'parquet' ? format : 'jsonl';
  return { to: freePlace(directoryOf(asked, choices), `${nameOf(node)}-events-${today()}`, `.${extension}`) };
}

/** The directory of a support bundle, and what is wanted beside it; without a key that was chosen, a new one stands there too. */
export function bundleOutput(
  node: NodeEntry,
  asked: Record<string, unknown>,
  choices: Choices
): { to: string; packFile?: string; namesFile?: string; keyFile?: string; configuration?: string } {
  const to = freePlace(directoryOf(asked, choices), `${nameOf(node)}-bundle-${today()}`, '');
  const { bundleKeyPlace: key, configurationPlace: other, usesConfiguration } = asked;
  const configuration =
    typeof other === 'string'
      ? choices.chosen.find(other, 'configuration').path
      : usesConfiguration === true
        ? node.configurationFile
        : undefined;
  return {
    to,
    ...(asked['packs'] === true ? { packFile: `${to}.tar.zst` } : {}),
    ...(asked['listsNames'] === true ? { namesFile: `${to}.names.jsonl` } : {}),
    ...(typeof key === 'string' ? { keyFile: choices.chosen.find(key, 'bundleKey').path } : {}),
    ...(configuration === undefined ? {} : { configuration })
  };
}

function directoryOf(asked: Record<string, unknown>, { chosen }: Choices): string {
  const { outputPlace } = asked;
  return chosen.find(typeof outputPlace === 'string' ? outputPlace : '', 'output').path;
}

/** Nothing there is replaced; what an interrupted run left has the same name, so that it goes on. */
function freePlace(directory: string, name: string, extension: string): string {
  for (let number = 1; ; number++) {
    const place = path.join(directory, `${name}${number === 1 ? '' : `-${number}`}${extension}`);
    if (!existsSync(place)) return place;
  }
}

function nameOf({ name }: NodeEntry): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '') || 'node';
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
