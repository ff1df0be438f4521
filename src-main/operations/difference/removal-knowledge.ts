/**
 * What is known of the scavenges of a side: its index, and the points that it has worked to. The point of its own scavenge
 * state comes first; without one the newest point in the log stands for it, and without that the end of the log.
 */
import {
  isReadFault,
  newestPointBefore,
  openIndexDirectory,
  openStreamIndex,
  pointAtEnd,
  ticksFromIso,
  type Database,
  type RemovalPoint,
  type StreamIndex
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import { recordedScavenges } from '../scavenge/list-history.ts';
import { glanceAtScavengeState } from '../scavenge/scavenge-state-glance.ts';
import type { OpenSide } from './open-side.ts';

/** Of a log whose tables cannot be used all entries would be read into memory; this much at most. */
const MOST_LOG_WITHOUT_TABLES = 256 * 1024 * 1024;
/** Recorded runs that are asked about, the newest. */
const MOST_RUNS = 5;

/** undefined: it cannot be used, or there is none at hand. The caller closes it. */
export async function openIndexOf(
  database: Database | undefined,
  context: OperationContext
): Promise<StreamIndex | undefined> {
  if (!database) return undefined;
  try {
    return await openUsable(database, context);
  } catch (error) {
    // Damage is told where the records are compared; without an index less is explained.
    if (!isReadFault(error)) throw error;
    return undefined;
  }
}

async function openUsable(
  database: Database,
  { control }: OperationContext
): Promise<StreamIndex | undefined> {
  const { fileSystem, log, indexDirectory } = database;
  const chaserCheckpoint = database.checkpoints.chaser ?? 0;
  const directory = openIndexDirectory({ fileSystem, directory: indexDirectory, log, chaserCheckpoint });
  if (!directory.isUsable && log.end > MOST_LOG_WITHOUT_TABLES) {
    directory.close();
    return undefined;
  }
  const breathe = (): Promise<void> => control.breathe();
  return openStreamIndex({ fileSystem, directory, log, chaserCheckpoint, breathe });
}

export interface KnownSide {
  open: OpenSide;
  index: StreamIndex | undefined;
}

/** `log`: a side whose log knows the points; the same one, or the other where this one is encoded. */
export function removalPoints(
  { open: { database, side }, index }: KnownSide,
  log: KnownSide,
  winnowHome: string | undefined
): RemovalPoint[] {
  const recorded = database ? recordedPoints(database, winnowHome) : [];
  const own = database && statePoint(database);
  if (own) return [own, ...recorded];
  const source = database && index ? { database, index } : log.index && fromOther(log);
  const inLog = source && newestPointBefore(source.database.log, source.index, side.end);
  if (inLog) return [inLog, ...recorded];
  if (recorded.length > 0) return recorded;
  const atEnd = database && pointAtEnd(database.log);
  return atEnd ? [atEnd] : [];
}

function fromOther({ open: { database }, index }: KnownSide) {
  return database && index ? { database, index } : undefined;
}

function statePoint(database: Database): RemovalPoint | undefined {
  const point = glanceAtScavengeState(database)?.checkpoint?.scavengePoint;
  if (!point || point.position > database.log.end) return undefined;
  return { position: point.position, effectiveNow: point.effectiveNow, from: 'state' };
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
