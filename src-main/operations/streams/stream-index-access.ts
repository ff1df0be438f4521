/**
 * How operations access a database's index: the tables on disk, and the entries that are only in the log. Reading
 * those can take long, so they are kept between requests until log or index change; nothing on disk stays open.
 * An unusable index never prevents reading: all entries then come from the log, as the server
 * would rebuild them, and the log of the operation says so.
 */
import {
  IndexDirectory,
  PreparedHeads,
  StreamIndex,
  hashStream,
  readRecentEntries,
  type ChunkDigests,
  type Database,
  type IndexFit,
  type IndexMap,
  type IndexTableReader,
  type KnownFits,
  type RecentEntries,
  type RecordLog
} from '../../../src-core/index.ts';
import { EngineCache, keyOf, stampOf } from '../database/engine-cache.ts';
import type { OperationContext } from '../operation.ts';

const KEPT_DATABASES = 3;
const recentEntries = new EngineCache<RecentEntries>(KEPT_DATABASES);
/** Whether an index belongs to its log, which takes a look at chunks all over the log. By database. */
const fits = new Map<string, { stamp: string; fit: IndexFit }>();

/**
 * Opens the index for a few questions; the caller closes it. With `digests` that are prepared the log is not read for it, and with
 * `records` of them for many questions neither.
 */
export async function openStreamIndex(
  database: Database,
  context: OperationContext,
  digests?: ChunkDigests,
  records: Pick<RecordLog, 'readAt'> = database.log
): Promise<StreamIndex> {
  const directory = openIndexDirectory(database, context, fitsOf(database));
  try {
    for (const problem of directory.problems) {
      if (problem.severity !== 'damage') continue;
      context.log({
        level: 'warning',
        message: `${problem.message} Its entries are read from the log instead.`
      });
    }
    const recent = await recentEntriesOf(database, directory, context, digests);
    return new StreamIndex({ directory, recent, log: records });
  } catch (error) {
    directory.close();
    throw error;
  }
}

function fitsOf(database: Database): KnownFits {
  const key = keyOf(database);
  const stampWith = (map: IndexMap, tables: readonly IndexTableReader[]): string =>
    JSON.stringify([
      stampOf(database),
      map,
      tables.map(({ facts }) => [facts.device, facts.inode, facts.size, facts.modifiedMs])
    ]);
  return {
    get: (map, tables) => {
      const kept = fits.get(key);
      return kept?.stamp === stampWith(map, tables) ? kept.fit : undefined;
    },
    keep: (map, tables, fit) => {
      fits.delete(key);
      fits.set(key, { stamp: stampWith(map, tables), fit });
      for (const oldest of fits.keys()) {
        if (fits.size <= KEPT_DATABASES) break;
        fits.delete(oldest);
      }
    }
  };
}

/** Only the tables. */
export function openIndexDirectory(
  database: Database,
  context: OperationContext,
  knownFits?: KnownFits
): IndexDirectory {
  return IndexDirectory.open({
    knownFits,
    fileSystem: context.fileSystem,
    directory: database.indexDirectory,
    logEnd: database.checkpoints.chaser ?? 0,
    log: database.log
  });
}

/** The entries after the checkpoints of the map; all entries if the tables cannot be used. */
export function recentEntriesOf(
  database: Database,
  directory: IndexDirectory,
  { control, fileSystem }: OperationContext,
  digests?: ChunkDigests
): Promise<RecentEntries> {
  const { prepareCheckpoint, commitCheckpoint } = directory.checkpoints;
  const stamp = `${stampOf(database)}|${prepareCheckpoint}/${commitCheckpoint}`;
  const range = { prepareCheckpoint, commitCheckpoint, end: database.log.end };
  const heads = digests && new PreparedHeads({ digests, fileSystem, operation: control });
  const read = async (): Promise<RecentEntries> =>
    (await heads?.recentEntries(database.log.chunks, range)) ??
    readRecentEntries({
      log: database.log,
      ...range,
      hasher: hashStream,
      breathe: () => control.breathe()
    });
  return recentEntries.get(keyOf(database), stamp, read, control);
}
