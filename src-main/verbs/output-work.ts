/** Where work that writes something new puts it: the page names a directory that a person chose, the names are given here. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { NodeEntry } from '../contract/verbs/workbench-contract.ts';
import type { Choices } from './restore-work.ts';

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

/** The directory of a support bundle, and its small file if one is wanted; the key of its names stands beside it. */
export function bundleOutput(
  node: NodeEntry,
  asked: Record<string, unknown>,
  choices: Choices
): { to: string; packFile?: string } {
  const to = freePlace(directoryOf(asked, choices), `${nameOf(node)}-bundle-${today()}`, '');
  return asked['packs'] === true ? { to, packFile: `${to}.tar.zst` } : { to };
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
