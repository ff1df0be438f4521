/**
 * What is known of the scavenges of a side: its index, and the points that it has worked to. The point of its own scavenge
 * state comes first; without one the newest point in the log stands for it, and without that the end of the log.
 */
import {
  HashSieve,
  isReadFault,
  removalPointBefore,
  openIndexDirectory,
  openStreamIndex,
  openStreamIndexAtOnce,
  pointAtEnd,
  ticksFromIso,
  type Database,
  type IndexDirectory,
  type Manifest,
  type RemovalPoint,
  type StreamIndex
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import { recordedScavenges } from '../scavenge/list-history.ts';
import { glanceAtScavengeState } from '../scavenge/scavenge-state-glance.ts';
import type { OpenSide } from './open-side.ts';

/** Of a log whose tables cannot be used all entries would be read into memory; this much at most. */
const MOST_LOG_WITHOUT_TABLES = 256 * 1024 * 1024;
/** Below this the log is not read for its entries before it is known which streams they are wanted of. */
const LITTLE_LOG = 128 * 1024 * 1024;
/** Recorded runs that are asked about, the newest. */
const MOST_RUNS = 5;

export interface KnownSide {
  open: OpenSide;
  index: SideIndex;
}

/**
 * The index of a side, opened when it is first asked: what its tables do not hold is read from the log, which for a small log is
 * as much as the comparison itself.
 */
export class SideIndex {
  readonly #database: Database | undefined;
  #opened: { index: StreamIndex | undefined } | undefined;
  #part: StreamIndex | undefined;
  readonly #logBytes: number;

  constructor({ database, side }: OpenSide) {
    this.#database = database;
    this.#logBytes = side.chunks.reduce((sum, { fileSize }) => sum + fileSize, 0);
  }

  /** undefined: it cannot be used, or there is none at hand. */
  get(): StreamIndex | undefined {
    if (!this.#opened) {
      const asked = this.#directory();
      this.#opened = { index: asked && unlessDamaged(() => openStreamIndexAtOnce(asked)) };
    }
    return this.#opened.index;
  }

  /**
   * As far as it knows these streams; once. Undefined where the whole one is open or as quickly opened: only a small log without
   * tables is read for some streams.
   */
  ofStreams(streams: readonly string[]): StreamIndex | undefined {
    if (this.#opened || this.#part) return undefined;
    const asked = this.#directory();
    if (!asked || !this.#isLittleWithoutTables(asked)) {
      asked?.directory.close();
      return undefined;
    }
    const only = HashSieve.of(streams).streams;
    this.#part = unlessDamaged(() => openStreamIndexAtOnce({ ...asked, only }));
    return this.#part;
  }

  /** Opens it now, with pauses, unless that is better done when it is known what will be asked. */
  async open({ control }: OperationContext): Promise<void> {
    if (this.#opened) return;
    const asked = this.#directory();
    if (asked && this.#isLittleWithoutTables(asked)) {
      asked.directory.close();
      return;
    }
    this.#opened = { index: undefined };
    if (!asked) return;
    const { fileSystem, checkpoints } = this.#database!;
    const breathe = (): Promise<void> => control.breathe();
    const chaserCheckpoint = checkpoints.chaser ?? 0;
    try {
      this.#opened.index = await openStreamIndex({ fileSystem, ...asked, chaserCheckpoint, breathe });
    } catch (error) {
      if (!isReadFault(error)) throw error;
    }
  }

  close(): void {
    this.#opened?.index?.close();
    this.#part?.close();
  }

  #isLittleWithoutTables({ directory }: { directory: IndexDirectory }): boolean {
    const hasTables = directory.isUsable && directory.tables.length > 0;
    return !hasTables && this.#logBytes <= LITTLE_LOG;
  }

  #directory(): { directory: IndexDirectory; log: Database['log'] } | undefined {
    if (!this.#database) return undefined;
    const { fileSystem, log, indexDirectory, checkpoints } = this.#database;
    const chaserCheckpoint = checkpoints.chaser ?? 0;
    const directory = unlessDamaged(() =>
      openIndexDirectory({ fileSystem, directory: indexDirectory, log, chaserCheckpoint })
    );
    if (!directory) return undefined;
    if (directory.isUsable || log.end <= MOST_LOG_WITHOUT_TABLES) return { directory, log };
    directory.close();
    return undefined;
  }
}

/** Damage is told where the records are compared; without an index less is explained. */
function unlessDamaged<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!isReadFault(error)) throw error;
    return undefined;
  }
}

/**
 * Opens the indexes that are sure to be asked: those of sides from which a scavenge removed something, and those that have to answer
 * for an encoded backup.
 */
export async function openSureIndexes(known: readonly KnownSide[], context: OperationContext): Promise<void> {
  const scavenged = known.filter(({ open }) => open.side.chunks.some(({ isScavenged }) => isScavenged));
  const answersForOthers = scavenged.some(({ open }) => !open.database);
  for (const { index } of answersForOthers ? known : scavenged) await index.open(context);
}

/** `log`: a side whose log knows the points; the same one, or the other where this one is encoded. */
export function removalPoints(
  { open: { database, side, manifest }, index }: KnownSide,
  log: KnownSide,
  winnowHome: string | undefined
): RemovalPoint[] {
  // Nothing is gone from it that would have to be explained.
  if (!side.chunks.some(({ isScavenged }) => isScavenged)) return [];
  const recorded = [
    ...manifestPoints(manifest, side.end),
    ...(database ? recordedPoints(database, winnowHome) : [])
  ];
  const own = database && statePoint(database);
  if (own) return [own, ...recorded];
  const source = sourceOf(database, index.get()) ?? sourceOf(log.open.database, log.index.get());
  const inLog = source && removalPointBefore(source.database.log, source.index, side.end);
  if (inLog) return [inLog, ...recorded];
  if (recorded.length > 0) return recorded;
  const atEnd = database && pointAtEnd(database.log);
  return atEnd ? [atEnd] : [];
}

function sourceOf(database: Database | undefined, index: StreamIndex | undefined) {
  return database && index ? { database, index } : undefined;
}

function statePoint(database: Database): RemovalPoint | undefined {
  const point = glanceAtScavengeState(database)?.checkpoint?.scavengePoint;
  if (!point || point.position > database.log.end) return undefined;
  return { position: point.position, effectiveNow: point.effectiveNow, from: 'state' };
}

/** Points to which this backup itself was scavenged, if no log has them. */
function manifestPoints(manifest: Manifest | undefined, end: number): RemovalPoint[] {
  return (manifest?.rewrite?.detachedPoints ?? []).flatMap(({ position, effectiveNow }): RemovalPoint[] => {
    const ticks = ticksFromIso(effectiveNow);
    if (ticks === undefined || position > end) return [];
    return [{ position, effectiveNow: ticks, from: 'backup' }];
  });
}

/** Runs to points that no log has, as far as this program did them. */
function recordedPoints(database: Database, winnowHome: string | undefined): RemovalPoint[] {
  const runs = recordedScavenges(winnowHome, database.dataDirectory).filter(
    ({ start }) => start.placement === 'detached' && !start.resumed && start.position <= database.log.end
  );
  return runs.slice(-MOST_RUNS).flatMap(({ start }): RemovalPoint[] => {
    const effectiveNow = ticksFromIso(start.at);
    return effectiveNow === undefined ? [] : [{ position: start.position, effectiveNow, from: 'history' }];
  });
}
