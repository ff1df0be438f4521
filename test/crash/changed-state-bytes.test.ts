/**
 * The state of a scavenge, of its end and of each stage that a run can be stopped at: one byte of it is changed, by its lowest and by
 * its highest bit. `verify` finds it, or the state reads as before, or what is read otherwise is a column on the list of
 * those that nothing contradicts, with the reason. In each run every 29th byte; all of them by `npm run crash -- --all`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { verifyScavengeState } from '../../src-core/scavenge/state/verify-state.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { scavengeOf, STATE_BELOW, stateRoot, withRealState } from '../fuzz/structures/structured-bases.ts';
import { writeCrashDatabase } from '../support/crash-database.ts';
import { recordCampaign, sampled } from '../support/proof-record.ts';

const MASKS = [0x01, 0x80];
const SAMPLED = 61;
const SEED = 17;
const STAGES = [
  'accumulation',
  'calculation',
  'chunkExecution',
  'chunkMerging',
  'indexExecution',
  undefined
] as const;
const SAME = 'nothing that is read';

const listed = z
  .array(z.strictObject({ what: z.string(), reason: z.string().min(20) }))
  .parse(JSON.parse(fs.readFileSync(new URL('undetectable-state.json', import.meta.url), 'utf8')))
  .map(({ what }) => what);

const root = stateRoot();
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

test('a changed byte of a scavenge state is found, or what it changes stands on the list', async () => {
  const every = sampled(SAMPLED);
  const unknown: string[] = [];
  const met = new Set<string>();
  const counts = { files: 0, bytes: 0, cases: 0, found: 0, listed: 0 };
  const dataDirectory = path.join(root, 'base');
  const file = path.join(dataDirectory, STATE_BELOW, 'scavenging.db');
  for (const stopAfter of STAGES) {
    counts.files++;
    const memory = await writeCrashDatabase({ dataDirectory, point: { threshold: 0 } });
    const fileSystem = withRealState(memory, dataDirectory);
    const stop = stopAfter === undefined ? {} : { stopAfter };
    await scavengeOf(fileSystem, dataDirectory, { scavengePoint: 'existing', ...stop });
    const bytes = fs.readFileSync(file);
    const rows = rowsOf(file);
    expect(await codeOf(fileSystem, dataDirectory)).toBeUndefined();
    for (let at = SEED % every; at < bytes.length; at += every) {
      counts.bytes++;
      for (const mask of MASKS) {
        counts.cases++;
        write(file, at, bytes[at]! ^ mask);
        if ((await codeOf(fileSystem, dataDirectory)) !== undefined) counts.found++;
        else {
          const changed = changesOf(rows, rowsOf(file));
          for (const what of changed) met.add(what);
          counts.listed++;
          const strange = changed.filter((what) => !listed.includes(what));
          if (strange.length > 0)
            unknown.push(`${stopAfter ?? 'done'}: byte ${at} by ${mask}: ${strange.join()}`);
        }
      }
      write(file, at, bytes[at]!);
    }
    fs.rmSync(dataDirectory, { recursive: true });
  }
  recordCampaign({
    name: 'one byte of a scavenge state changed',
    promise: 'bytes',
    operation: 'verify',
    faults: 'lowest or highest bit of a byte',
    counts,
    seed: SEED
  });
  expect(unknown).toEqual([]);
  // With all bytes tested: the list names nothing that is found.
  if (every === 1) expect([...met].sort()).toEqual([...listed].sort());
});

/** What a whole verification says of the state. */
async function codeOf(fileSystem: FileSystem, dataDirectory: string): Promise<string | undefined> {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const index = await database.openIndex(uncontrolled());
    const makeScratch = (): string => fs.mkdtempSync(path.join(root, 'scratch-'));
    return (await verifyScavengeState({ database, index, makeScratch, isWhole: true }))?.code;
  } finally {
    database.close();
  }
}

function write(file: string, at: number, byte: number): void {
  const open = fs.openSync(file, 'r+');
  fs.writeSync(open, Uint8Array.of(byte), 0, 1, at);
  fs.closeSync(open);
}

/** The content of a column in each row, as text, by `table.column`. */
type Rows = Map<string, string>;

function rowsOf(file: string): Rows {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const found: Rows = new Map();
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    for (const { name } of names) {
      const select = database.prepare(`SELECT * FROM ${String(name)}`);
      select.setReadBigInts(true);
      const rows = select.all();
      for (const { name: column } of select.columns())
        found.set(`${String(name)}.${column}`, rows.map((row) => String(row[column])).join('\n'));
    }
    return found;
  } finally {
    database.close();
  }
}

function changesOf(before: Rows, after: Rows): string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  const changed = [...all].filter((column) => before.get(column) !== after.get(column));
  return changed.length === 0 ? [SAME] : changed;
}
