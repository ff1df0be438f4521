/**
 * Events of a node or a backup as a file: the walk over the source, the rows, the files, the counts. Reads only what it is
 * asked for, whatever state the source is in; writes nothing but its output.
 */
import path from 'node:path';
import { EngineError, EventWalk, type EventSelection, namesIn, isFileGone } from '../../../src-core/index.ts';
import type { ExtractReport } from '../../contract/operations/extraction-reports.ts';
import type { ExtractFormat } from '../../contract/operations/extraction-requests.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';

import { ExchangeWatch, isExchange } from '../database/exchanged-directory.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';
import { limitedContext } from '../limited-context.ts';
import type { OperationContext } from '../operation.ts';
import { isUnbounded, nothingFound } from './absent-names.ts';
import { checkCount } from './count-check.ts';
import { eventValues } from './event-values.ts';
import { extractReport, type ReportParts } from './extraction-report.ts';
import { openSource, sourceDirectories, type ExtractionSource } from './extraction-source.ts';
import { newState, readState, type ExtractionState } from './extraction-state.ts';
import { questionOf, selectionOf } from './extracted-selection.ts';
import { ExtractionOutput } from './extraction-output.ts';
import { outputPlace, requireUsable, UNFINISHED, type OutputPlace } from './output-place.ts';
import type { RowFormat } from './row-writer.ts';
import { Tally } from './tally.ts';

type Request = CheckedRequestOf<'extractEvents'>;

/** A scavenge replaces files while they are read: then the walk continues with the new ones. */
const ATTEMPTS = 4;

export async function extractEvents(request: Request, unlimited: OperationContext): Promise<ExtractReport> {
  if (isRemoteLocation(request.dataDirectory)) return extractFrom(request, unlimited);
  const watch = new ExchangeWatch(unlimited.fileSystem, request);
  try {
    return await extractFrom(request, unlimited, watch);
  } catch (error) {
    throw watch.faultAtStart(error);
  }
}

async function extractFrom(
  request: Request,
  unlimited: OperationContext,
  watch?: ExchangeWatch
): Promise<ExtractReport> {
  const context = limitedContext(unlimited, request);
  const { fileSystem } = context;
  const selection = selectionOf(request);
  const format = await formatOf(request.format);
  const place = outputPlace(request.to, request.format, fileSystem);
  let source = await openSource(sourceOf(request), context);
  try {
    const { overwrite, startAfresh } = request;
    const directories = sourceDirectories(request.dataDirectory, source);
    requireUsable(place, { overwrite, startAfresh, sourceDirectories: directories }, fileSystem);
    const from = selection.fromPosition ?? 0;
    const end = Math.min(selection.toPosition ?? Infinity, source.records.end);
    const question = questionOf(request, { format: request.format, to: place.path, kind: place.kind });
    const left = startAfresh ? undefined : unfinished(place, question, source, context);
    const state = left ?? newState(question, { from: Math.min(from, end), end });
    const resumedAt = left ? left.position : null;
    const parts: ReportParts = { request, place, state, resumedAt, from, end: state.end };
    if (request.dryRun) return extractReport(parts, source, { dryRun: true });
    if (startAfresh) forgetUnfinished(place, context);

    const { partBytes, checkpointBytes, groupRows } = request;
    const output = new ExtractionOutput({
      fileSystem,
      place,
      format,
      state,
      partBytes,
      checkpointBytes,
      groupRows
    });
    let filesReplaced = false;
    try {
      output.begin();
      const tally = new Tally(state);
      for (let attempt = 1, reached = -1; !state.isWhole; attempt++) {
        try {
          await walkOnce({ source, selection, output, tally, state }, context);
          break;
        } catch (error) {
          if (!isFileGone(error)) throw error;
          if (state.position > reached) attempt = 1;
          if (attempt === ATTEMPTS) throw error;
          reached = state.position;
          filesReplaced = true;
          await source.close();
          source = await openSource(sourceOf(request), context);
        }
      }
      tally.save();
      watch?.requireOneDatabase({ tellsFault: state.unreadableCount > 0 });
      const absence = isUnbounded(request) ? nothingFound(request, state) : undefined;
      if (absence) {
        output.close();
        forgetUnfinished(place, context);
        throw absence;
      }
      const { end: to } = state;
      context.control.report({ phase: 'finishing', done: to, total: to, unit: 'bytes' }, true);
      output.finish(manifestOf(request, state));
    } catch (error) {
      const fault = watch ? watch.faultAtStart(error) : error;
      // A mixture of two databases: no file of it is made, and none is to be continued.
      if (isExchange(fault)) {
        output.close();
        forgetUnfinished(place, context);
      }
      throw fault;
    } finally {
      output.close();
    }
    const check = await checkCount(
      {
        database: source.open.database,
        selection,
        range: { from, to: state.end },
        events: state.events,
        winnowHome: request.winnowHome,
        isAsked: request.check,
        isComparable: state.unreadableCount === 0 && !filesReplaced
      },
      context
    );
    return extractReport(parts, source, { dryRun: false, check });
  } finally {
    await source.close();
  }
}

interface Walk {
  source: ExtractionSource;
  selection: EventSelection;
  output: ExtractionOutput;
  tally: Tally;
  state: ExtractionState;
}

async function walkOnce({ source, selection, output, tally, state }: Walk, context: OperationContext) {
  const { control } = context;
  const notCommittedBefore = state.notCommitted;
  const { chunkSizeBytes } = source.records;
  const blockOf = (position: number): number => Math.floor(position / (chunkSizeBytes * CHUNKS_OF_BLOCK));
  let block = blockOf(state.position);
  const walk = new EventWalk({
    source: source.records,
    ahead: source.ahead,
    selection,
    range: { from: state.position, to: state.end },
    control,
    onUnreadable: (range) => {
      tally.addUnreadable(range);
      state.position = Math.max(state.position, range.to);
      const { file, from, to, why } = range;
      const words = `${file}: log positions ${from} to ${to} cannot be read: ${why}`;
      context.log({ level: 'warning', message: words });
    },
    onPosition: (position) => {
      state.position = Math.max(state.position, position);
      control.report({ phase: 'extracting', done: position, total: state.end, unit: 'bytes' });
    }
  });
  try {
    while (await walk.next()) {
      const { record, eventNumber } = walk;
      const values = eventValues(record, eventNumber);
      output.add(values);
      tally.add(values.stream, values.eventType, record.length + 8);
      state.position = record.position + 1;
      state.notCommitted = notCommittedBefore + walk.notCommitted;
      const isOtherBlock = blockOf(record.position) !== block;
      block = blockOf(record.position);
      if (output.isPartFull) {
        tally.save();
        output.endPart();
      } else if (output.isCheckpointDue || isOtherBlock) {
        tally.save();
        output.checkpoint();
      }
    }
    state.position = state.end;
  } finally {
    state.notCommitted = notCommittedBefore + walk.notCommitted;
    walk.close();
  }
}

/**
 * Where little is found the walk itself is what a kill costs, so there is a state for each so many chunks. Where they end depends on the
 * log alone: a run that continues makes the same row groups as one that was never cut.
 */
const CHUNKS_OF_BLOCK = 8;

function sourceOf(request: Request) {
  const { dataDirectory: place, indexDirectory, keyFile, password, s3Endpoint, scratchDirectory } = request;
  return { place, indexDirectory, keyFile, password, s3Endpoint, scratchDirectory };
}

/** Loaded when it is asked for. */
async function formatOf(format: ExtractFormat): Promise<RowFormat> {
  switch (format) {
    case 'jsonl':
      return (await import('./json-lines.ts')).jsonLines;
    case 'csv':
      return (await import('./csv-rows.ts')).csvRows;
    case 'parquet':
      return (await import('./parquet-rows.ts')).parquetRows;
  }
}

function unfinished(
  place: OutputPlace,
  question: string,
  { records }: ExtractionSource,
  { fileSystem }: OperationContext
): ExtractionState | undefined {
  const state = readState(fileSystem, place.stateFile);
  if (!state) return undefined;
  const refuse = (message: string): EngineError =>
    new EngineError({
      code: 'InvalidRequest',
      message,
      remedy: 'Begin again with --start-afresh, or choose another output.',
      details: { field: '--to', file: place.stateFile }
    });
  if (state.question !== question) {
    throw refuse(`An unfinished extraction with another question is kept for ${place.path}.`);
  }
  if (records.end < state.end) {
    throw refuse(
      `The log ends at ${records.end} now; the unfinished extraction to ${place.path} began with one that ended at ${state.end}.`
    );
  }
  return state;
}

/** Only what carries the names of an unfinished extraction; parts only where its state lies beside them. */
function forgetUnfinished(place: OutputPlace, { fileSystem }: OperationContext): void {
  if (place.kind === 'file') {
    fileSystem.remove(`${place.path}${UNFINISHED}`);
  } else {
    const isOurs = fileSystem.describe(place.stateFile) !== undefined;
    for (const name of namesIn(fileSystem, place.path)) {
      const isPart = isOurs && /^part-\d{5}\.(jsonl|csv|parquet)$/.test(name);
      if (isPart || name.endsWith(UNFINISHED)) fileSystem.remove(path.join(place.path, name));
    }
  }
  // Last: as long as it is there the rest is known to be ours.
  fileSystem.remove(place.stateFile);
}

/** What a reader of the parts needs to know. */
function manifestOf(request: Request, state: ExtractionState): object {
  const { streams, categories, types, fromTime, toTime, fromPosition, toPosition, systemStreams } = request;
  return {
    version: 1,
    format: request.format,
    selection: { streams, categories, types, fromTime, toTime, fromPosition, toPosition, systemStreams },
    end: state.end,
    events: state.events,
    unreadable: state.unreadable,
    unreadableCount: state.unreadableCount
  };
}
