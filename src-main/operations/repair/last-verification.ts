/**
 * What the last complete verification in this process found, for plans of a repair: they need not read the whole database
 * again while no file has changed. A run never relies on it.
 */
import path from 'node:path';
import type { RepairVerification } from '../../../src-core/index.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';

/** More findings than this are found again: they would take too much memory. */
const MOST_FINDINGS = 10_000;

let last: { place: string; directory: string; verification: RepairVerification } | undefined;

/** `directory`: the identity of the files, taken before they were read. */
export function keepVerification(
  location: DatabaseLocation,
  directory: string,
  { findings, ok }: RepairVerification
): void {
  if (findings.length > MOST_FINDINGS) last = undefined;
  else last = { place: placeOf(location), directory, verification: { findings, ok } };
}

/** undefined: none is known, or a file has changed since. */
export function knownVerification(
  location: DatabaseLocation,
  directory: string
): RepairVerification | undefined {
  return last?.place === placeOf(location) && last.directory === directory ? last.verification : undefined;
}

function placeOf({ dataDirectory, indexDirectory }: DatabaseLocation): string {
  const data = path.resolve(dataDirectory);
  return `${data}\n${path.resolve(indexDirectory ?? path.join(data, 'index'))}`;
}
