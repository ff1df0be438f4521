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
  SCAVENGE_POINTS_STREAM,
  SCAVENGES_STREAM,
  chunksInRange,
  systemStreams,
  type AskedStreams,
  type ChunkDigests,
  type Database,
  type IndexFit,
  type IndexMap,
  type IndexTableReader,
  type KnownFits,
  type RecentEntries,
  type RecordLog,
  type StreamHasher
} from '../../../src-core/index.ts';
import { digestsOfHalf } from '../database/digests-of.ts';
import { EngineCache, keyOf, stampOf } from '../database/engine-cache.ts';
import type { OperationContext } from '../operation.ts';

const KEPT_DATABASES = 3;
const recentEntries = new EngineCache<RecentEntries>(KEPT_DATABASES);
/** Of streams of the system alone. */
const systemEntries = new EngineCache<RecentEntries>(KEPT_DATABASES);
/** By which a scavenge begins; their metadata counts too. */
const SCAVENGE_STREAMS = [SCAVENGE_POINTS_STREAM, SCAVENGES_STREAM].flatMap((name) => [name, `$$${name}`]);
/** Whether an index belongs to its log, which takes a look at chunks all over the log. By database. */
const fits = new Map<string, { stamp: string; fit: IndexFit }>();

export interface IndexReading {
  /** Where digests are kept: what they know of is not read from the log. Absent: nowhere. */
  winnowHome?: string | undefined;
  /** Those of the question, prepared. Absent: those that are kept; what they do not know is read. */
  digests?: ChunkDigests | undefined;
  /** Default: those of the log. */
  records?: Pick<RecordLog, 'readAt'>;
  /** Only streams of the system will be asked about, whose names begin with a dollar sign. */
  isOfSystem?: boolean;
}

/** Opens the index for a few questions; the caller closes it. */
export async function openStreamIndex(
  database: Database,
  context: OperationContext,
  reading: IndexReading
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
    const recent = await recentEntriesOf(database, directory, context, reading);
    const hasher = reading.isOfSystem ? hashOfSystem : hashStream;
    return new StreamIndex({ directory, recent, log: reading.records ?? database.log, hasher });
  } catch (error) {
    directory.close();
    throw error;
  }
}

/**
 * For questions about streams of the system alone, whose names begin with a dollar sign. An index that cannot be used is not told:
 * who asks says so itself.
 */
export function openSystemIndex(
  database: Database,
  { winnowHome }: Pick<IndexReading, 'winnowHome'>,
  context: OperationContext
): Promise<StreamIndex> {
  const quiet = { ...context, log: () => undefined };
  return openStreamIndex(database, quiet, { winnowHome, isOfSystem: true });
}

/** What may not know a stream must not say that there is none. */
const hashOfSystem: StreamHasher = (stream, into) => {
  if (!stream.startsWith('$')) throw new RangeError(`This index was not opened for "${stream}".`);
  return hashStream(stream, into);
};

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
export async function recentEntriesOf(
  database: Database,
  directory: IndexDirectory,
  context: OperationContext,
  reading: IndexReading
): Promise<RecentEntries> {
  const { control, fileSystem } = context;
  const { log } = database;
  const { prepareCheckpoint, commitCheckpoint } = directory.checkpoints;
  const key = keyOf(database);
  const stamp = `${stampOf(database)}|${prepareCheckpoint}/${commitCheckpoint}`;
  const range = { prepareCheckpoint, commitCheckpoint, end: log.end };
  const fromDigests = async (only?: AskedStreams): Promise<RecentEntries | undefined> => {
    const { dataDirectory } = database;
    const { winnowHome } = reading;
    const chunks = chunksInRange(log.chunks, range);
    const digests = reading.digests ?? digestsOfHalf({ dataDirectory, winnowHome }, chunks, context);
    return (
      digests &&
      new PreparedHeads({ digests, fileSystem, operation: control }).recentEntries(log, range, only)
    );
  };
  const fromLog = (only?: AskedStreams): Promise<RecentEntries> =>
    readRecentEntries({ log, ...range, hasher: hashStream, breathe: () => control.breathe(), only });
  if (!reading.isOfSystem || recentEntries.holds(key, stamp)) {
    return recentEntries.get(key, stamp, async () => (await fromDigests()) ?? fromLog(), control);
  }
  const only = systemStreams(SCAVENGE_STREAMS);
  const ofSystem = async () => (await fromDigests(only)) ?? fromLog(only);
  return systemEntries.get(key, stamp, ofSystem, control);
}
