/** What a repair said of each file, held against the files that it left and the list of moves that it wrote. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { FileChange } from '../../src-core/repair/file-change.ts';
import type { RepairOutcome } from '../../src-core/repair/run-repair.ts';

interface Moved {
  changed?: string;
  was?: number | null;
  now?: number;
  moved?: string;
}

/** Every change of a repair of one round is true, and no checkpoint changed that it did not name. */
export function expectTrueChanges({ actions, setAside }: RepairOutcome, dataDirectory: string): void {
  const changes = actions.filter(({ done }) => done).flatMap((action) => action.changes);
  for (const change of changes) expectTrue(change, changes, dataDirectory);
  if (actions.some(({ done }) => done)) expect(changes).not.toEqual([]);
  const moves = setAside === null ? [] : movesOf(setAside);
  const told = changes
    .filter(({ kind }) => kind === 'checkpoint')
    .map(({ file, old, new: now }) => ({ file, old, new: now }));
  const written = moves
    .filter(({ changed }) => changed !== undefined)
    .map(({ changed, was, now }) => ({ file: changed, old: was, new: now }));
  expect(sorted(told)).toEqual(sorted(written));
  for (const { moved } of moves) {
    if (moved === undefined || !moved.startsWith('chunk-')) continue;
    expect(changes.some(({ kind, old }) => kind === 'name' && old === moved)).toBe(true);
  }
}

function expectTrue(change: FileChange, all: FileChange[], dataDirectory: string): void {
  const { file, kind, offset, old, new: now } = change;
  const inLog = file.startsWith('chunk-');
  // Under the name that serves afterwards.
  const serving = all.find((other) => other.kind === 'name' && other.file === file)?.new ?? file;
  const target = path.join(dataDirectory, String(serving));
  if (kind === 'name' && inLog) {
    if (now === null) expect(fs.existsSync(path.join(dataDirectory, String(old)))).toBe(false);
    else expect(fs.existsSync(path.join(dataDirectory, String(now)))).toBe(true);
  }
  if (kind === 'length') expect(fs.statSync(target).size).toBe(now);
  if (kind === 'bytes') {
    const bytes = Buffer.from(String(now), 'hex');
    expect(
      fs
        .readFileSync(target)
        .subarray(offset!, offset! + bytes.length)
        .equals(bytes)
    ).toBe(true);
    expect(old).not.toBe(now);
  }
  if (kind === 'zeros')
    expect(
      fs
        .readFileSync(target)
        .subarray(offset!)
        .every((byte) => byte === 0)
    ).toBe(true);
}

function movesOf(folder: string): Moved[] {
  const list = path.join(folder, 'moved.ndjson');
  return fs
    .readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Moved);
}

function sorted(values: readonly { file: string | undefined }[]): unknown[] {
  return [...values].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}
