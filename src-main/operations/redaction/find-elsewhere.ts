/**
 * The other files of a database in which ids of redacted events are found: older versions of chunks, what scavenges
 * keep, what interrupted work left, unknown files. By the search of the erasure report, without the chunks that serve.
 */
import {
  listDatabaseFiles,
  runErasure,
  type Database,
  type OperationControl,
  type RedactionPlan
} from '../../../src-core/index.ts';
import type { RedactionReport } from '../../contract/operations/redaction-reports.ts';

export async function findElsewhere(
  database: Database,
  { records }: RedactionPlan,
  control: OperationControl
): Promise<RedactionReport['elsewhere']> {
  const eventIds = [...new Set(records.map(({ eventId }) => eventId))];
  if (eventIds.length === 0) return [];
  const { files } = listDatabaseFiles({ database, stateDirectories: [] });
  // Tables, filters and the scavenge state hold names and numbers, but no id and no data.
  const others = files.filter(
    ({ kind, form }) => kind !== 'log' && form !== 'table' && form !== 'numbers' && form !== 'state'
  );
  const question = { streams: [], categories: [], eventIds };
  const { streams } = await runErasure({ database, question, files: others, notExamined: [], control });
  return streams.flatMap(({ stream: eventId, places }) =>
    places
      .filter(({ what }) => what !== 'redacted')
      .map(({ kind, what, file, records: count, remedy }) => ({
        eventId,
        kind,
        what,
        file,
        records: count,
        remedy
      }))
  );
}
