/**
 * Chosen streams of a node or a backup as a new database: their events with numbers, ids, types, times, flags and payloads,
 * their metadata, their tombstones. It is written beside its place and gets its name when log and index are whole; cut anywhere,
 * there is nothing under the name or the whole database, and the same request continues.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  buildIndex,
  EngineError,
  EventMatcher,
  EventWalk,
  ExtractedLog,
  invalidRequest,
  lockDirectory,
  openDatabase,
  ticksFromMs,
  type Database,
  type EventSelection,
  type LogRecord,
  isFileGone
} from '../../../src-core/index.ts';
import type { ExportReport } from '../../contract/operations/extraction-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';

import { ExchangeWatch, isExchange } from '../database/exchanged-directory.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';
import { limitedContext } from '../limited-context.ts';
import type { OperationContext } from '../operation.ts';
import { nothingFound } from './absent-names.ts';
import { checkCount } from './count-check.ts';
import { exportReport } from './export-report.ts';
import {
  exportPlace,
  forgetExport,
  newExportState,
  readExportState,
  requireExportable,
  writeExportState,
  type ExportPlace,
  type ExportState
} from './export-state.ts';
import { openSource, sourceDirectories, type ExtractionSource } from './extraction-source.ts';
import { questionOf } from './extracted-selection.ts';
import { Tally } from './tally.ts';

type Request = CheckedRequestOf<'exportDatabase'>;

/** A scavenge replaces files while they are read: then everything before the new chunk is kept. */
const ATTEMPTS = 4;
const LINK_TYPE = Buffer.from('$>', 'utf8');
const AT_SIGN = 0x40;

export async function exportDatabase(request: Request, unlimited: OperationContext): Promise<ExportReport> {
  if (isRemoteLocation(request.dataDirectory)) return exportFrom(request, unlimited);
  const watch = new ExchangeWatch(unlimited.fileSystem, request);
  try {
    return await exportFrom(request, unlimited, watch);
  } catch (error) {
    throw watch.faultAtStart(error);
  }
}

async function exportFrom(
  request: Request,
  unlimited: OperationContext,
  watch?: ExchangeWatch
): Promise<ExportReport> {
  const context = limitedContext(unlimited, request);
  const { fileSystem } = context;
  const selection = chosenStreams(request);
  const place = exportPlace(request.toDatabase);
  let source = await openSource(namedSource(request), context);
  try {
    requireExportable(place, sourceDirectories(request.dataDirectory, source), fileSystem);
    const question = questionOf(
      { ...request, types: [], systemStreams: false },
      { toDatabase: place.directory, chunkSizeBytes: request.chunkSizeBytes }
    );
    const left = request.startAfresh
      ? undefined
      : readExportState(place, question, source.records.end, context);
    let state = left ?? newExportState(question, source.records.end);
    const resumedAt = left ? left.position : null;
    if (request.dryRun) return exportReport({ request, place, state, resumedAt, written: null }, source);
    requireNobodyWrites(place, context);
    if (!left) forgetExport(place, context);
    let filesReplaced = false;
    for (let attempt = 1; ; attempt++) {
      try {
        await copyEvents({ source, selection, place, state, request }, context);
        watch?.requireOneDatabase({ tellsFault: state.unreadableCount > 0 });
        break;
      } catch (error) {
        if (attempt === ATTEMPTS || !isFileGone(error)) {
          const fault = watch ? watch.faultAtStart(error) : error;
          // A mixture of two databases: none is made of it, and none is to be continued.
          if (isExchange(fault)) forgetExport(place, context);
          throw fault;
        }
        filesReplaced = true;
        state = readExportState(place, question, state.end, context) ?? newExportState(question, state.end);
        await source.close();
        source = await openSource(namedSource(request), context);
      }
    }
    const absence = nothingFound(request, state);
    if (absence) {
      forgetExport(place, context);
      throw absence;
    }
    const written = await finishDatabase(place, state, context);
    const check = await checkCount(
      {
        database: source.open.database,
        selection,
        range: { from: 0, to: state.end },
        events: state.events,
        winnowHome: request.winnowHome,
        isAsked: request.check,
        isComparable: state.unreadableCount === 0 && !filesReplaced
      },
      context
    );
    return exportReport({ request, place, state, resumedAt, written, check }, source);
  } finally {
    await source.close();
  }
}

/** With the metadata of each: a stream without them would be another one to its readers. */
function chosenStreams({ streams, categories }: Request): EventSelection {
  if (streams.length === 0 && categories.length === 0) {
    throw invalidRequest(
      'No stream is named.',
      '--stream',
      'Name streams or categories; for all of them take a backup.'
    );
  }
  const withMetadata = (names: readonly string[]): string[] =>
    names.flatMap((name) => (name.startsWith('$$') ? [name] : [name, `$$${name}`]));
  return { streams: withMetadata(streams), categories: withMetadata(categories) };
}

interface Copy {
  source: ExtractionSource;
  selection: EventSelection;
  place: ExportPlace;
  state: ExportState;
  request: Request;
}

async function copyEvents(
  { source, selection, place, state, request }: Copy,
  context: OperationContext
): Promise<void> {
  const { fileSystem, control } = context;
  const { chunkSizeBytes } = request;
  const tally = new Tally(state);
  const matcher = new EventMatcher(selection);
  const parts = { fileSystem, directory: place.unfinished, chunkSizeBytes, newGuid: () => randomUUID() };
  if (!fileSystem.describe(place.unfinished)) {
    fileSystem.makeDirectory(place.unfinished);
    fileSystem.syncDirectory(path.dirname(place.unfinished));
  }
  let log: ExtractedLog | undefined;
  let unlock: (() => void) | undefined;
  const begun = (made: ExtractedLog): ExtractedLog => {
    unlock = lockDirectory({ fileSystem, dataDirectory: place.unfinished, assumeStopped: true });
    return made;
  };
  if (state.target > 0) log = begun(ExtractedLog.continueAt(state.target, parts));
  else forgetExport(place, context, { keepsDirectory: true });
  const notCommittedBefore = state.notCommitted;
  const walk = new EventWalk({
    source: source.records,
    ahead: source.ahead,
    selection,
    range: { from: state.position, to: state.end },
    control,
    onUnreadable: (range) => {
      tally.addUnreadable(range);
      const { file, from, to, why } = range;
      const words = `${file}: log positions ${from} to ${to} cannot be read: ${why}`;
      context.log({ level: 'warning', message: words });
    },
    onPosition: (position) =>
      control.report({ phase: 'copying', done: position, total: state.end, unit: 'bytes' })
  });
  try {
    while (await walk.next()) {
      const { record, eventNumber, commitPosition } = walk;
      log ??= begun(ExtractedLog.create({ ...parts, ticks: record.ticks }));
      const isChunkStart = log.add({ record, eventNumber, commitPosition });
      if (isChunkStart) {
        // The next run begins with this event: it is not counted yet.
        tally.save();
        state.position = record.position;
        state.target = log.position - record.length - 8;
        state.notCommitted = notCommittedBefore + walk.notCommitted;
        writeExportState(place, state, context);
      }
      tally.add(record.stream, record.eventType, record.length + 8);
      countLink(record, matcher, state);
    }
    log ??= begun(ExtractedLog.create({ ...parts, ticks: ticksFromMs(context.clock()) }));
    state.notCommitted = notCommittedBefore + walk.notCommitted;
    tally.save();
    log.finish();
  } catch (error) {
    log?.abandon();
    throw error;
  } finally {
    unlock?.();
    walk.close();
  }
}

/** Another export to the same place holds the new log. Takes the lock for a moment only: what it is on may be removed. */
function requireNobodyWrites({ unfinished }: ExportPlace, { fileSystem }: OperationContext): void {
  if (!fileSystem.describe(path.join(unfinished, 'writer.chk'))) return;
  lockDirectory({ fileSystem, dataDirectory: unfinished, assumeStopped: true })();
}

function countLink(record: LogRecord, matcher: EventMatcher, state: ExportState): void {
  const { bytes, typeStart, typeEnd } = record;
  if (typeEnd - typeStart !== 2 || bytes.compare(LINK_TYPE, 0, 2, typeStart, typeEnd) !== 0) return;
  state.links++;
  const { data } = record;
  const at = data.indexOf(AT_SIGN);
  if (at < 0 || !matcher.matchesStream(data, at + 1, data.length)) state.danglingLinks++;
}

/** The index, the last look, the name. */
async function finishDatabase(
  place: ExportPlace,
  state: ExportState,
  { fileSystem, control }: OperationContext
): Promise<NonNullable<ExportReport['written']>> {
  const database = openDatabase({ fileSystem, dataDirectory: place.unfinished });
  let written: NonNullable<ExportReport['written']>;
  try {
    database.requireWhole();
    const { log, indexDirectory, chunkSet } = database;
    fileSystem.makeDirectory(indexDirectory);
    const built = await buildIndex({
      fileSystem,
      directory: indexDirectory,
      log,
      end: log.end,
      newGuid: () => randomUUID(),
      breathe: async () => {
        if (control.isDue) await control.breathe();
      },
      onProgress: (progress) => control.report(progress)
    });
    requireComplete(database, built.entryCount, state);
    const { chunkSizeBytes } = chunkSet;
    written = {
      chunks: chunkSet.chunks.length,
      chunkSize: chunkSizeBytes,
      end: log.end,
      indexEntries: built.entryCount
    };
  } finally {
    database.close();
  }
  fileSystem.remove(place.stateFile);
  fileSystem.syncDirectory(place.unfinished);
  if (fileSystem.describe(place.directory)) fileSystem.removeDirectory(place.directory);
  fileSystem.rename(place.unfinished, place.directory);
  fileSystem.syncDirectory(path.dirname(place.directory));
  return written;
}

/** The index was made by reading the new log from its beginning: one entry for each event, and one for that of the epoch. */
function requireComplete({ dataDirectory }: Database, entries: number, { events }: ExportState): void {
  if (entries === events + 1) return;
  throw new EngineError({
    code: 'AssertionFailed',
    message: `The new database has ${entries} index entries for ${events} events and one epoch.`,
    remedy: 'Report it. The unfinished database is not in use.',
    details: { file: dataDirectory, expected: events + 1, found: entries }
  });
}

function namedSource(request: Request) {
  const { dataDirectory: place, indexDirectory, keyFile, password, s3Endpoint, scratchDirectory } = request;
  return { place, indexDirectory, keyFile, password, s3Endpoint, scratchDirectory };
}
