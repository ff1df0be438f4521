/** Tables, levels, map and filters of the index. Damage is an error here: a partial index is not described. */
import {
  EngineError,
  hashText,
  type Database,
  type IndexDirectory,
  type IndexTableReader
} from '../../../src-core/index.ts';
import { withDatabase } from '../database/database-access.ts';
import { indexProblemAsError } from '../repair/index-problem-error.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { IndexReport } from '../../contract/operations/reports.ts';
import { openIndexDirectory, recentEntriesOf } from '../streams/stream-index-access.ts';

/** For a directory without a map: what the server would write first. */
const NEWEST_MAP_VERSION = 2;

export async function inspectIndex(
  request: CheckedRequestOf<'inspectIndex'>,
  context: OperationContext
): Promise<IndexReport> {
  return withDatabase(request, context, async (database) => {
    const directory = openIndexDirectory(database, context);
    try {
      requireUsable(directory, database);
      const recent = await recentEntriesOf(database, directory, context, request);
      const { map } = directory;
      return {
        mapVersion: map?.version ?? NEWEST_MAP_VERSION,
        prepareCheckpoint: map?.prepareCheckpoint ?? -1,
        commitCheckpoint: map?.commitCheckpoint ?? -1,
        tables: (map?.tables ?? []).map((place, i) => {
          const table = directory.tables[i];
          return { file: place.file, level: place.level, order: place.position, ...tableFacts(table) };
        }),
        entriesBehindCheckpoint: recent.count
      };
    } finally {
      directory.close();
    }
  });
}

/** Throws the first damage; afterwards there is one open table for each line of the map. */
export function requireUsable(directory: IndexDirectory, { checkpoints }: Database): void {
  const damage = directory.problems.find((problem) => problem.severity === 'damage');
  if (!damage) return;
  if (damage.code === 'indexAheadOfLog' && checkpoints.chaser === null) throw chaserMissing(directory);
  throw indexProblemAsError(damage);
}

/** The index may be as sound as it likes: a server that finds no chaser.chk makes one that says 0. */
function chaserMissing({ checkpoints }: IndexDirectory): EngineError {
  return new EngineError({
    code: 'IndexCorrupt',
    message:
      'chaser.chk is missing. The server takes it for 0, and so the index, which reaches to position ' +
      `${checkpoints.commitCheckpoint}, for one that is ahead of the log.`,
    remedy: 'Run "winnow repair", which sets it to the end of the log, or let the server rebuild the index.',
    details: { file: 'chaser.chk', problem: 'indexAheadOfLog', position: checkpoints.commitCheckpoint }
  });
}

function tableFacts(table: IndexTableReader | undefined) {
  if (!table) throw new RangeError('A usable index has every table open.');
  const first =
    table.count > 0 ? table.readEntry(0, { hashHigh: 0, hashLow: 0, number: 0, position: 0 }) : undefined;
  const maxHash = first ? hashText(first.hashHigh, first.hashLow) : null;
  const last = first ? table.readEntry(table.count - 1, first) : undefined;
  const minHash = last ? hashText(last.hashHigh, last.hashLow) : null;
  return {
    version: table.version,
    entries: table.count,
    minHash,
    maxHash,
    hasFilter: table.hasFilterFile,
    md5: Buffer.from(table.readStoredMd5()).toString('hex')
  };
}
