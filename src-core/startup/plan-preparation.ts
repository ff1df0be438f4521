/**
 * What of the next start's work can be done beforehand, in the order in which it has to be done, or why none of it may
 * be. Decides over what the doctor has found; reads little more: whether the log holds an entry, or a stream, that index
 * and filter do not. Nothing is planned that a start would undo.
 */
import { openDatabase, type Database } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { StartExamination } from '../insight/doctor/examine-start.ts';
import { mergedMap, nextMerge } from '../index/catch-up/merge-levels.ts';
import { readIndexMap, type IndexMap } from '../index/index-map.ts';
import { NEWEST_TABLE_VERSION } from '../index/index-table.ts';
import { IndexTableReader } from '../index/index-table-reader.ts';
import { LogEntries } from '../index/log-entries.ts';
import { hashStream } from '../index/stream-hash.ts';
import { EngineError, requireFault } from '../errors.ts';
import { estimateEntryCount } from '../repair/estimate-entry-count.ts';
import { requireRebuildable, spaceFor } from '../repair/rebuild-index.ts';
import { describeTruncation } from '../log/truncation-rule.ts';

export type PreparationCode =
  | 'applyTruncation'
  | 'rebuildIndex'
  | 'catchUpIndex'
  | 'mergeTables'
  | 'rebuildExistenceFilter'
  | 'catchUpExistenceFilter';

export interface PreparationStep {
  code: PreparationCode;
  /** One sentence. */
  why: string;
  /** Bytes that are written; of a truncation those that are cut off. A plan estimates them. */
  bytes: number;
  /** Index entries that are written; null where none are. */
  entries: number | null;
  done: boolean;
}

export interface PreparationChoice {
  /** Does what truncate.chk asks for, as the server's start would. */
  applyTruncation: boolean;
  /** Merges tables as the running server would. */
  mergeTables: boolean;
}

export interface Preparation {
  steps: PreparationStep[];
  /** Why nothing can be prepared; null if it can, or if nothing is left to be done. */
  refusal: EngineError | null;
  /** What is not done, and why, a sentence each. */
  notes: string[];
}

export interface PlanPreparation {
  examination: StartExamination;
  choice: PreparationChoice;
  control: OperationControl;
}

export async function planPreparation(options: PlanPreparation): Promise<Preparation> {
  // A truncation that was cut leaves a log with a hole, which the truncation itself does away with.
  const database = openDatabase(options.examination.facts.place);
  try {
    return await plan({ ...options, database });
  } finally {
    database.close();
  }
}

interface Planning extends PlanPreparation {
  /** After the truncation, if there is one. */
  database: Database;
}

async function plan(options: Planning): Promise<Preparation> {
  const { examination, database, choice } = options;
  const refusal = refusalOf(options);
  if (refusal) return { steps: [], refusal, notes: [] };
  const { truncation } = examination.facts;
  const steps: PreparationStep[] = [];
  if (truncation && choice.applyTruncation) {
    steps.push({
      code: 'applyTruncation',
      why: `truncate.chk is set: the start ${describeTruncation(truncation)}.`,
      bytes: truncation.cutBytes,
      entries: null,
      done: false
    });
  }
  const left = whyIndexIsLeft(examination);
  const index = left === undefined ? await indexStep(options) : [];
  steps.push(...index);
  if (choice.mergeTables && left === undefined) steps.push(...mergeStep(database, index));
  steps.push(...(await filterStep(options, index)));
  return { steps, refusal: null, notes: [...chaserNote(options), ...(left === undefined ? [] : [left])] };
}

/** A sentence where the server would not use what is written to the index: no table is. */
function whyIndexIsLeft({ facts: { server, settings, index } }: StartExamination): string | undefined {
  if (server.newestTableVersion < NEWEST_TABLE_VERSION)
    return `The index is left as it is: a server ${server.text} does not read the tables that Winnow writes.`;
  const { maxAutoMergeLevel } = settings;
  if (maxAutoMergeLevel !== undefined && index.maxAutoMergeLevel < maxAutoMergeLevel)
    return 'The index is left as it is: the server rebuilds it because MaxAutoMergeIndexLevel is higher than before.';
  return undefined;
}

/** An index that reaches to the chaser or farther is thrown away, so nothing may be prepared beyond it. */
function chaserNote({ database, examination }: Planning): string[] {
  const { indexEnd } = examination.facts;
  const { writer, chaser } = database.checkpoints;
  if (examination.facts.truncation || (chaser ?? 0) >= (writer ?? 0)) return [];
  return [
    `chaser.chk is at ${indexEnd}, the log ends at ${writer ?? 0}: what lies between is read by the server itself.`
  ];
}

function refusalOf({ examination, database, choice }: Planning): EngineError | undefined {
  const { findings, facts } = examination;
  const reason = findings.find(({ effect }) => effect === 'refuses' || effect === 'diesLater');
  if (reason) {
    return new EngineError({
      code: 'LogCorrupt',
      message: `A start cannot be prepared where none succeeds: ${reason.message}`,
      remedy: reason.remedy,
      details: { file: reason.file ?? '', reason: reason.code }
    });
  }
  if (facts.truncation && !choice.applyTruncation) {
    return new EngineError({
      code: 'InvalidRequest',
      message: `truncate.chk is set: the start ${describeTruncation(facts.truncation)}, and only then looks at the index.`,
      remedy:
        'Give --apply-truncation to do that now, as the start would, or start the server. If it is not intended, write -1 into truncate.chk.',
      details: { field: '--apply-truncation', file: 'truncate.chk' }
    });
  }
  try {
    requireRebuildable(database);
    return undefined;
  } catch (error) {
    requireFault(error);
    return error;
  }
}

async function indexStep(options: Planning): Promise<PreparationStep[]> {
  const { database, examination } = options;
  const { index, indexEnd } = examination.facts;
  if (index.willRebuild || !index.isUsable) {
    const entries = estimateEntryCount(database, indexEnd);
    if (entries === 0) return [];
    const work = examination.estimate.work.find(({ what }) => what === 'readLogIntoIndex');
    const why = work?.why ?? 'There is no index on the disk.';
    return [{ code: 'rebuildIndex', why, bytes: spaceFor(entries).bytes, entries, done: false }];
  }
  const map = readIndexMap(database.fileSystem, database.indexDirectory);
  if (!map || !(await hasNewEntry(options, map))) return [];
  const whole = estimateEntryCount(database, indexEnd);
  const share = (indexEnd - index.readFrom) / Math.max(1, indexEnd);
  const entries = Math.max(1, Math.round(whole * share));
  const why = `The index on the disk reaches to position ${index.readFrom}; the log has entries after it.`;
  return [{ code: 'catchUpIndex', why, bytes: spaceFor(entries).bytes, entries, done: false }];
}

/** Stops at the first entry that no table holds. */
async function hasNewEntry(
  { database, examination, control }: Planning,
  { prepareCheckpoint, commitCheckpoint }: IndexMap
): Promise<boolean> {
  const { log } = database;
  let isFound = false;
  const sink = { add: () => (isFound = true) };
  const entries = new LogEntries({ log, hasher: hashStream, prepareCheckpoint, commitCheckpoint, sink });
  const records = log.cursor(Math.max(0, commitCheckpoint), examination.facts.indexEnd);
  try {
    while (!isFound && records.next()) {
      entries.see(records.record);
      if (control.isDue) await control.breathe();
    }
  } finally {
    records.close();
  }
  return isFound;
}

/** Every level in question, with the table that is still to come. */
function mergeStep(
  { fileSystem, indexDirectory }: Database,
  [index]: readonly PreparationStep[]
): PreparationStep[] {
  // A rebuilt index is one table.
  if (index?.code === 'rebuildIndex') return [];
  const found = readIndexMap(fileSystem, indexDirectory);
  if (!found) return [];
  const counts = new Map(found.tables.map(({ file }) => [file, countOf(fileSystem, indexDirectory, file)]));
  let map = found;
  if (index) {
    const position = map.tables.filter(({ level }) => level === 0).length;
    // Where a level below is free it may go there; then fewer merges follow than are told here.
    map = { ...map, tables: [{ level: 0, position, file: 'new' }, ...map.tables] };
    counts.set('new', index.entries ?? 0);
  }
  let entries = 0;
  let merges = 0;
  for (let next = nextMerge(map); next; next = nextMerge(map)) {
    const count = next.tables.reduce((sum, { file }) => sum + (counts.get(file) ?? 0), 0);
    const name = `merged ${merges++}`;
    counts.set(name, count);
    map = mergedMap(map, next.level, name);
    entries += count;
  }
  if (merges === 0) return [];
  const why = 'The running server merges these tables in the background once it adds its next one.';
  return [{ code: 'mergeTables', why, bytes: spaceFor(entries).bytes, entries, done: false }];
}

function countOf(fileSystem: Database['fileSystem'], directory: string, name: string): number {
  const table = IndexTableReader.open({ fileSystem, directory, name });
  try {
    return table.count;
  } finally {
    table.close();
  }
}

async function filterStep(
  { database, examination, control }: Planning,
  index: readonly PreparationStep[]
): Promise<PreparationStep[]> {
  const { filter, indexEnd } = examination.facts;
  if (!filter || indexEnd === 0) return [];
  const { state, why, fileBytes, checkpoint } = filter;
  const step = (code: PreparationCode, words: string): PreparationStep[] => [
    { code, why: words, bytes: fileBytes, entries: null, done: false }
  ];
  if (state !== 'usable')
    return step('rebuildExistenceFilter', `The server would make the filter of existing streams: ${why}.`);
  // A rebuild of the index removes it, because nobody has compared it with the log.
  if (index.some(({ code }) => code === 'rebuildIndex')) {
    return step('rebuildExistenceFilter', 'It is made again with the index that is rebuilt.');
  }
  const records = database.log.cursor(checkpoint, indexEnd);
  try {
    while (records.next()) {
      if (records.record.kind === 'prepare')
        return step(
          'catchUpExistenceFilter',
          `The filter of existing streams reaches to position ${checkpoint}.`
        );
      if (control.isDue) await control.breathe();
    }
  } finally {
    records.close();
  }
  return [];
}
