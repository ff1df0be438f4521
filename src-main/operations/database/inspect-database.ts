/** What a directory holds: checkpoints, chunks, epochs, index, scavenge state, and warnings about them. */
import {
  EngineError,
  isUndoUnfinished,
  keptUse,
  readEpochs,
  readStreamForward,
  readablePointOf,
  requestedTruncation,
  requireFault,
  sizeOfAll,
  storedStatePath,
  ticksFromMs,
  ticksToIso,
  UNDO_MARKER,
  type Database,
  type StreamIndex,
  isFileGone
} from '../../../src-core/index.ts';
import { withDatabase } from './database-access.ts';
import { directoryBytes } from './directory-bytes.ts';
import { inspectedHealth, Sight, type Seen } from '../doctor/inspect-health.ts';
import { directoryIdentity } from '../doctor/kept-health.ts';
import { lastScavenged, type LastScavenged } from './last-scavenged.ts';
import { foreseeScavenge, startingPoint, type StartingPoint } from '../scavenge/next-scavenge.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { InspectReport, Warning } from '../../contract/operations/reports.ts';
import { glanceAtScavengeState, type ScavengeStateGlance } from '../scavenge/scavenge-state-glance.ts';
import { statisticsWarning } from './statistics-warning.ts';
import { logCoverageReport } from '../repair/coverage-report.ts';
import { proofsOf } from '../repair/proofs-of.ts';
import type { LogCoverageReport } from '../../contract/operations/coverage-reports.ts';
import { findStateProblem } from '../scavenge/stored-state.ts';
import { openIndexDirectory, openSystemIndex } from '../streams/stream-index-access.ts';

const SCAVENGE_POINTS_STREAM = '$scavengePoints';
const PAGE_EVENTS = 256;
/**
 * Where epoch.chk says -1 the newest epoch is looked for from the end of the log; a log of terabytes may hold none. The server
 * searches all of it, which takes too long for a first look.
 */
const EPOCH_SEARCH_BYTES = 4 * 1024 * 1024;

export async function inspectDatabase(
  request: CheckedRequestOf<'inspectDatabase'>,
  context: OperationContext
): Promise<InspectReport> {
  // Before anything is read, so that later changes are not attributed to this inspection.
  const directory = directoryIdentity(context.fileSystem, request);
  return withDatabase(request, context, async (database) => {
    const { chunkSet, checkpoints, fileSystem } = database;
    const sight = new Sight();
    const warnings: Warning[] = [];
    const { inUse, unfinishedRestore } = database;
    if (unfinishedRestore) sight.add(restoreFinding(database.dataDirectory, unfinishedRestore.backup));
    const undoUnfinished = isUndoUnfinished(fileSystem, database.dataDirectory);
    if (undoUnfinished) sight.add(undoFinding(database.dataDirectory));
    sight.add(...database.problems);
    sight.addCheckpoints(database);
    if (inUse) warnings.push(inUseWarning(inUse));
    warnings.push(...truncateWarnings(checkpoints.truncate));
    const state = glanceAtScavengeState(database);
    const index = indexSummary(database, context, sight);
    const known = await tolerant(sight, undefined, () =>
      scavengePoints(database, { state, request }, context)
    );
    const points = known?.points ?? [];
    const stateWarning = await tolerant(undefined, undefined, () => warningOfState(database, state, context));
    if (stateWarning) sight.add({ severity: 'damage', file: null, ...stateWarning });
    // What prevents this has already been reported above.
    const statistics = await tolerant(undefined, undefined, () =>
      statisticsWarning(database, request, context)
    );
    if (statistics) warnings.push(statistics);
    const epochs = await tolerant(sight, [], async () =>
      readEpochs(database.log, checkpoints.epoch, EPOCH_SEARCH_BYTES)
    );
    if (epochs.length === 0 && !hasEpochCheckpoint(database) && database.log.end > EPOCH_SEARCH_BYTES) {
      warnings.push(EPOCH_NOT_FOUND);
    }
    const { health, damage } = inspectedHealth(database, { sight, place: request, directory }, context);
    return {
      dataDirectory: database.dataDirectory,
      indexDirectory: database.indexDirectory,
      inUse,
      restoreState: unfinishedRestore?.phase ?? null,
      chunkSize: chunkSet.chunkSizeBytes,
      checkpoints: {
        ...checkpoints,
        index: index?.prepareCheckpoint ?? null,
        scavenge: points.at(-1)?.position ?? null
      },
      epochs: epochs.map(({ number, position, id }) => ({ number, position, id })),
      chunkCount: chunkCount(database),
      bytes: bytesOnDisk(database),
      index,
      scavengePoints: points,
      scavengeState: state ? { stage: state.stage, scavengePoint: state.scavengePoint } : null,
      nextScavenge: foreseeScavenge({ database, request, state, start: known?.start, stateWarning }),
      ...(await tolerant(undefined, NOT_TOLD, () => askLastScavenged(database, { state, request }, context))),
      health,
      ...(request.winnowHome === undefined ? {} : { coverage: coverageNow(database, request, context) }),
      replaced: keptUse(database),
      undoUnfinished,
      freeBytes: fileSystem.freeBytes(database.dataDirectory),
      warnings: [...damage, ...sight.hints.map(asWarning), ...warnings]
    };
  });
}

function coverageNow(
  database: Database,
  request: CheckedRequestOf<'inspectDatabase'>,
  context: OperationContext
): LogCoverageReport {
  return logCoverageReport(database, proofsOf(request, context).book, { nowMs: context.clock() });
}

/** A state that no scavenge may use. Checks only a sample of its streams; `verify` checks all. */
async function warningOfState(
  database: Database,
  state: ScavengeStateGlance | undefined,
  context: OperationContext
): Promise<Warning | undefined> {
  if (!state) return undefined;
  if (state.problem) {
    const { message, remedy } = state.problem;
    return { code: 'stateInvalid', message, remedy };
  }
  if (database.inUse) return undefined; // a scavenge may be writing to it
  const problem = await findStateProblem(database, context, { isWhole: false });
  return problem && { code: problem.code, message: problem.message, remedy: problem.remedy };
}

/** A failure here becomes an observation: inspection must work on a damaged database. */
async function tolerant<T>(sight: Sight | undefined, otherwise: T, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof EngineError) || isFileGone(error)) throw error;
    sight?.stumble(error);
    return otherwise;
  }
}

function inUseWarning(holder: { by: string; pid: number | null }): Warning {
  const pid = holder.pid === null ? '' : `, process ${holder.pid}`;
  return {
    code: 'inUse',
    message: `The database is open in ${holder.by}${pid}. It can be read; operations that write are refused.`,
    remedy: 'Stop the server first if you want to change anything.'
  };
}

function asWarning({ code, message, remedy }: Warning): Warning {
  return { code, message, remedy };
}

function restoreFinding(dataDirectory: string, backup: string): Seen {
  return {
    file: null,
    severity: 'damage',
    code: 'restoreUnfinished',
    message: `A restore of ${backup} into this directory is unfinished. Everything else reported here may be a mixture of the old and the new database.`,
    remedy:
      `Finish it with "winnow restore --continue --to ${dataDirectory}", or put the old files back with ` +
      `"winnow restore --undo --to ${dataDirectory}".`
  };
}

function undoFinding(dataDirectory: string): Seen {
  return {
    file: UNDO_MARKER,
    severity: 'damage',
    code: 'undoUnfinished',
    message:
      'Undoing a scavenge of this directory is unfinished. Everything else reported here may be a mixture of the files of before it and after it.',
    remedy: `Finish it with "winnow scavenge --undo ${dataDirectory}"; it resumes where it stopped.`
  };
}

function hasEpochCheckpoint({ checkpoints: { epoch } }: Database): boolean {
  return epoch !== null && epoch >= 0;
}

const EPOCH_NOT_FOUND: Warning = {
  code: 'epochNotFound',
  message:
    'epoch.chk names no epoch, and the last 4 MiB of the log hold none. The log before them was not searched.',
  remedy: 'Nothing to do: the server searches the log for its newest epoch when it starts.'
};

function truncateWarnings(truncate: number | null): Warning[] {
  try {
    const position = requestedTruncation(truncate);
    return position === undefined ? [] : [truncateWarning(position)];
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return [{ code: 'truncatePending', message: error.message, remedy: error.remedy }];
  }
}

function truncateWarning(position: number): Warning {
  return {
    code: 'truncatePending',
    message: `truncate.chk is set to ${position}: at its next start the server cuts the log there and deletes every later chunk file.`,
    remedy:
      'Nothing to do if this directory was just restored. Otherwise find out what set it before you start the server; "winnow doctor" names each file that the start deletes.'
  };
}

function chunkCount({ chunkSet }: Database): InspectReport['chunkCount'] {
  const { chunks } = chunkSet;
  return {
    physical: chunks.length,
    logical: chunks.reduce((sum, chunk) => sum + chunk.endNumber - chunk.startNumber + 1, 0),
    scavenged: chunks.filter((chunk) => chunk.isScavenged).length,
    merged: chunks.filter((chunk) => chunk.isMerged).length
  };
}

/** Sizes of files, not of their content. */
function bytesOnDisk(database: Database): InspectReport['bytes'] {
  const { chunkSet, fileSystem } = database;
  const chunkFiles = [...chunkSet.superseded, ...chunkSet.surplus, ...chunkSet.leftovers, ...chunkSet.chunks];
  const state = [storedStatePath(database)].flatMap((path) => [path, `${path}-wal`, `${path}-shm`]);
  return {
    data: chunkFiles.reduce((sum, file) => sum + file.fileSize, 0),
    index: directoryBytes(fileSystem, database.indexDirectory, new Set(['scavenging'])),
    state: sizeOfAll(fileSystem, state)
  };
}

function indexSummary(database: Database, context: OperationContext, sight: Sight): InspectReport['index'] {
  const directory = openIndexDirectory(database, context);
  try {
    const remedy = 'Run "winnow verify" to see what it means and what to do.';
    sight.add(...directory.problems.map((problem) => ({ ...problem, remedy })));
    const { map } = directory;
    if (!map) return null;
    return {
      mapVersion: map.version,
      prepareCheckpoint: map.prepareCheckpoint,
      commitCheckpoint: map.commitCheckpoint,
      tables: map.tables.length,
      entries: directory.entryCount
    };
  } finally {
    directory.close();
  }
}

const NOT_TOLD: LastScavenged = { lastScavenged: null, lastScavengedFrom: 'unknown' };

async function askLastScavenged(
  database: Database,
  {
    state,
    request
  }: { state: ScavengeStateGlance | undefined; request: CheckedRequestOf<'inspectDatabase'> },
  context: OperationContext
): Promise<LastScavenged> {
  const breathe = (): Promise<void> => context.control.breathe();
  const question = { database, state, winnowHome: request.winnowHome, breathe };
  let index: StreamIndex | undefined;
  try {
    index = await openSystemIndex(database, request, context);
  } catch (error) {
    if (!(error instanceof EngineError) || isFileGone(error)) throw error; // said by the looks before
  }
  try {
    return await lastScavenged({ ...question, index });
  } catch (error) {
    if (!(error instanceof EngineError) || isFileGone(error)) throw error;
    return await lastScavenged({ ...question, index: undefined }); // a log that cannot be read tells nothing
  } finally {
    index?.close();
  }
}

/** All that are readable, and the newest as the next scavenge sees it. */
async function scavengePoints(
  database: Database,
  {
    state,
    request
  }: { state: ScavengeStateGlance | undefined; request: CheckedRequestOf<'inspectDatabase'> },
  context: OperationContext
): Promise<{ points: InspectReport['scavengePoints']; start: StartingPoint }> {
  const index = await openSystemIndex(database, request, context);
  const points: InspectReport['scavengePoints'] = [];
  try {
    const now = ticksFromMs(context.clock());
    for (let from = 0; ;) {
      const page = readStreamForward(index, {
        stream: SCAVENGE_POINTS_STREAM,
        from,
        count: PAGE_EVENTS,
        now
      });
      if (page.error) throw page.error;
      for (const { position } of page.events) {
        const record = database.log.readAt(position);
        const point = record && readablePointOf(record);
        if (point) points.push({ ...point, effectiveNow: ticksToIso(point.effectiveNow) });
      }
      if (page.isEndOfStream || page.nextEventNumber <= from) break;
      from = page.nextEventNumber;
    }
    return { points, start: startingPoint({ database, index, state, request }) };
  } finally {
    index.close();
  }
}
