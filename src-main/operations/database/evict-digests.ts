/**
 * Bounds what digests take of the home: the databases that nobody has asked about for the longest time lose theirs first. All of
 * it can be made again, so what cannot be read or removed is left.
 */
import fs from 'node:fs';
import path from 'node:path';

/** Of all databases together: what belongs to a log of some 400 GB with records of 1 KB. */
export const MOST_DIGEST_BYTES = 20 * 2 ** 30;

/** `digests`: the directory with one for each database. That of `inUse` stays, whatever it takes. */
export function evictDigests(
  digests: string,
  { inUse, mostBytes }: { inUse: string; mostBytes: number }
): void {
  const found = namesIn(digests).map((name) => {
    const directory = path.join(digests, name);
    return { directory, usedMs: modifiedMs(directory), bytes: bytesIn(directory) };
  });
  let total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { directory, bytes } of found.sort((a, b) => a.usedMs - b.usedMs)) {
    if (total <= mostBytes) return;
    if (path.resolve(directory) === path.resolve(inUse)) continue;
    tried(() => fs.rmSync(directory, { recursive: true, force: true }), undefined);
    total -= bytes;
  }
}

/** The database was asked about now. */
export function markUsed(directory: string): void {
  const now = new Date();
  tried(() => fs.utimesSync(directory, now, now), undefined);
}

function namesIn(directory: string): string[] {
  return tried(() => fs.readdirSync(directory), []);
}

function modifiedMs(directory: string): number {
  return tried(() => fs.statSync(directory).mtimeMs, 0);
}

function bytesIn(directory: string): number {
  return namesIn(directory).reduce(
    (sum, name) => sum + tried(() => fs.statSync(path.join(directory, name)).size, 0),
    0
  );
}

/** Another process may remove the same at the same time, and a home may be read-only. */
function tried<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
