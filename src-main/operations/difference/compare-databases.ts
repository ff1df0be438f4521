/**
 * Whether nodes and backups hold the same log: each of the named ones is compared with the first. Only reads; encoded
 * backups are decoded chunk by chunk into a temporary directory.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  compareLogs,
  readChunkChecksum,
  readEpochs,
  RemovalJudge,
  ticksFromMs,
  ticksToIso,
  type Epoch,
  type LogDifference,
  type RemovalPoint,
  type SideName,
  requireFaultBut,
  isFileGone
} from '../../../src-core/index.ts';
import type { ComparisonReport, DifferenceReport } from '../../contract/operations/difference-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';

import { ExchangeWatch } from '../database/exchanged-directory.ts';
import { isRemoteLocation } from '../../settings/s3-location.ts';
import { limitedContext } from '../limited-context.ts';
import type { OperationContext } from '../operation.ts';
import { joinedRanges } from './joined-ranges.ts';
import { noteComparison } from './note-comparison.ts';
import { countProvedFiles } from './proved-files.ts';
import { openSide, type OpenSide } from './open-side.ts';
import { openSureIndexes, removalPoints, SideIndex, type KnownSide } from './removal-knowledge.ts';
import {
  comparisonReport,
  firstDifference,
  foundRow,
  isAllRight,
  type FoundRow
} from './report-difference.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

type Request = CheckedRequestOf<'compareDatabases'>;

/** Places that are described for each pair. */
const MOST_DIFFERENCES = 100;
/** Files whose hashes are computed to say which of two is damaged. */
const MOST_HASHES = 4;
/** Where epoch.chk does not name the last epoch it is looked for, so far back at most. */
const EPOCH_SEARCH_BYTES = 16 * 1024 * 1024;
/** A running server or a scavenge replaces files meanwhile: then everything is read again. */
const ATTEMPTS = 4;

export async function compareDatabases(
  request: Request,
  unlimited: OperationContext
): Promise<DifferenceReport> {
  const context = limitedContext(unlimited, request);
  const watches = [request, ...request.others]
    .filter(({ dataDirectory }) => !isRemoteLocation(dataDirectory))
    .map((side) => new ExchangeWatch(context.fileSystem, side));
  for (let attempt = 1; ; attempt++) {
    try {
      const report = await compareOnce(request, context);
      for (const watch of watches) watch.requireOneDatabase({ tellsFault: !report.ok });
      noteComparison(report, request.winnowHome, context);
      return report;
    } catch (error) {
      if (attempt === ATTEMPTS || !isFileGone(error)) {
        throw watches.reduce((fault: unknown, watch) => watch.faultOf(fault), error);
      }
    }
  }
}

async function compareOnce(request: Request, context: OperationContext): Promise<DifferenceReport> {
  const scratch = makeScratchDirectory(request.scratchDirectory, 'diff');
  const open: OpenSide[] = [];
  const known: KnownSide[] = [];
  try {
    const { keyFile, password, s3Endpoint } = request;
    for (const [i, { dataDirectory: place, indexDirectory, name }] of [
      request,
      ...request.others
    ].entries()) {
      const own = path.join(scratch, String(i));
      await mkdir(own);
      open.push(await openSide({ place, indexDirectory, name, keyFile, password, s3Endpoint }, own, context));
    }
    for (const one of open) known.push({ open: one, index: new SideIndex(one) });
    await openSureIndexes(known, context);
    const points: RemovalPoint[][] = [];
    const comparisons: ComparisonReport[] = [];
    for (let i = 1; i < known.length; i++) {
      comparisons.push(await comparePair({ known, points, first: 0, second: i }, request, context));
    }
    const ok = comparisons.every(({ verdict }) => isAllRight(verdict));
    const sides = known.map((side, i) => sideReport(side, points[i]));
    const names = open.map(({ name }) => name);
    return {
      ok,
      equal: ok,
      summary: comparisons.map(({ summary }) => summary).join(' '),
      compared: { from: 0, to: Math.min(...comparisons.map(({ comparedTo }) => comparedTo)) },
      ranges: joinedRanges(comparisons, names),
      firstDifference: firstDifference(comparisons, names),
      sides,
      comparisons
    };
  } finally {
    for (const { index } of known) index.close();
    for (const one of open) await one.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Pair {
  known: readonly KnownSide[];
  /** Filled for each side that is compared. */
  points: RemovalPoint[][];
  first: number;
  second: number;
}

async function comparePair(
  { known, points, first, second }: Pair,
  request: Request,
  context: OperationContext
): Promise<ComparisonReport> {
  const one = known[first]!;
  const other = known[second]!;
  points[first] ??= removalPoints(one, other, request.winnowHome);
  points[second] ??= removalPoints(other, one, request.winnowHome);
  const now = ticksFromMs(context.clock());
  // Made when a record of theirs is first asked about: a side from which nothing can be gone needs no index.
  const judges = new Map<SideName, RemovalJudge>();
  const judgeOf = (lackedBy: SideName): RemovalJudge => {
    let judge = judges.get(lackedBy);
    if (!judge) {
      const [lacking, holding, at] =
        lackedBy === 'one' ? [one, other, points[first]!] : [other, one, points[second]!];
      judge = new RemovalJudge({
        lacking: () => lacking.index.get(),
        lackingOf: (streams) => lacking.index.ofStreams(streams),
        holding: () => holding.index.get(),
        points: at,
        now
      });
      judges.set(lackedBy, judge);
    }
    return judge;
  };
  const { chunkSizeBytes } = one.open.side;
  const found = await compareLogs<FoundRow>({
    one: one.open.side,
    other: other.open.side,
    readsAll: request.readAll,
    judge: (lackedBy, record) => judgeOf(lackedBy).judge(record),
    prepare: (lackedBy, streams) => judgeOf(lackedBy).prepare(streams),
    describe: (record, place) => foundRow(record, place, chunkSizeBytes),
    mostDifferences: MOST_DIFFERENCES,
    control: context.control
  });
  const pair = { one: first, other: second, names: known.map(({ open }) => open.name), chunkSizeBytes };
  return comparisonReport(found, pair, {
    epochs: differentEpoch(one.open, other.open, found.comparedTo),
    hashes: await hashesOf(found, { one: [first, one.open], other: [second, other.open] }, context),
    provedFiles:
      found.trustedFiles === 0 ? 0 : countProvedFiles(one.open, other.open, request.winnowHome, context)
  });
}

/** Of the files in which records differ: the one whose hash no longer holds is the damaged one. */
async function hashesOf(
  { differences }: LogDifference<FoundRow>,
  sides: Record<SideName, [number, OpenSide]>,
  { fileSystem, control }: OperationContext
): Promise<ComparisonReport['hashes']> {
  const hashes: ComparisonReport['hashes'] = [];
  for (const difference of differences) {
    if (difference.kind !== 'bytes') continue;
    for (const name of ['one', 'other'] as const) {
      const [index, { side }] = sides[name];
      const file = difference[name]?.file;
      const chunk = side.chunks.find(({ fileName }) => fileName === file);
      if (!chunk || hashes.length >= MOST_HASHES) continue;
      if (hashes.some((known) => known.side === index && known.file === chunk.fileName)) continue;
      const opened = await side.open(chunk);
      try {
        const sum = await readChunkChecksum(fileSystem, opened.chunk, () => control.breathe());
        if (sum) hashes.push({ side: index, file: chunk.fileName, holds: sum.computed === sum.stored });
      } finally {
        opened.close();
      }
    }
  }
  return hashes;
}

/** The first epoch that is not the same on both: the logs were written under different leaders from there. */
function differentEpoch(one: OpenSide, other: OpenSide, before: number): ComparisonReport['epochs'] {
  const epochs = epochsOf(one).filter(({ position }) => position < before);
  const others = new Map(epochsOf(other).map((epoch) => [epoch.number, epoch]));
  for (const epoch of epochs.sort((a, b) => a.number - b.number)) {
    const same = others.get(epoch.number);
    if (!same || (same.id === epoch.id && same.position === epoch.position)) continue;
    return { number: epoch.number, one: epoch.id, other: same.id };
  }
  return null;
}

/** None if damage hides them. */
function epochsOf({ database, manifest }: OpenSide): Pick<Epoch, 'number' | 'position' | 'id'>[] {
  if (!database) return manifest?.epochs ?? [];
  try {
    return readEpochs(database.log, database.checkpoints.epoch, EPOCH_SEARCH_BYTES);
  } catch (error) {
    requireFaultBut(error, 'StorageFailed');
    return [];
  }
}

function sideReport(
  { open }: KnownSide,
  points: readonly RemovalPoint[] | undefined
): DifferenceReport['sides'][number] {
  const { name, side, database, manifest } = open;
  const [point] = points ?? [];
  const scavenged = side.chunks.filter(({ isScavenged }) => isScavenged);
  return {
    name,
    kind: manifest ? 'backup' : 'database',
    dataDirectory: database?.dataDirectory ?? null,
    backup: manifest?.id ?? null,
    end: side.end,
    chunks: side.chunks.length,
    scavengedChunks: scavenged.length,
    mergedChunks: side.chunks.filter(({ startNumber, endNumber }) => endNumber > startNumber).length,
    inUse: database !== undefined && database.inUse !== null,
    point:
      point && scavenged.length > 0
        ? { position: point.position, effectiveNow: ticksToIso(point.effectiveNow), from: point.from }
        : null
  };
}
