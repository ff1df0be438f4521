/**
 * The number of events by another road than the walk that wrote them: from what is known of the chunks, which are the heads
 * of all records. Where they are not known, that is said; asked to, they are read first.
 */
import {
  EventMatcher,
  isReadFault,
  PreparedHeads,
  type Database,
  type EventSelection
} from '../../../src-core/index.ts';
import type { ExtractReport } from '../../contract/operations/extraction-reports.ts';
import { digestsOf, knownDigestsOf } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';

export interface CountCheck {
  database: Database | undefined;
  selection: EventSelection;
  range: { from: number; to: number };
  /** Events that the extraction found. */
  events: number;
  winnowHome: string | undefined;
  /** Reads the chunks for it. */
  isAsked: boolean;
  /** Something could not be read, or files were replaced on the way: then a difference says nothing. */
  isComparable: boolean;
}

const RECORDS_BETWEEN_LOOKS = 4096;

export async function checkCount(
  check: CountCheck,
  context: OperationContext
): Promise<ExtractReport['check']> {
  const { database, selection, events, isComparable } = check;
  const notKnown = (because: string) => ({ by: null, events: null, agrees: null, because });
  if (!database) return notKnown('The chunks of a decoded backup are read once only.');
  if (!isComparable) return notKnown('Not all of it was read, or files were replaced meanwhile.');
  if (selection.types?.length) return notKnown('What is known of the chunks has no event types.');
  const { fileSystem, control } = context;
  const { dataDirectory, log } = database;
  const digests = check.isAsked
    ? digestsOf({ dataDirectory, winnowHome: check.winnowHome }, context)
    : knownDigestsOf(database, check.winnowHome, context);
  if (!digests) return notKnown('The chunks have not been counted yet: "--check" has them read for it.');
  try {
    const heads = new PreparedHeads({ digests, fileSystem, operation: control });
    await heads.prepare(log.chunks);
    log.useHeads(heads);
    const counted = await countHeads(check, database, context);
    const agrees = counted === events;
    const because = agrees
      ? 'The heads of all records give the same number.'
      : `The heads of all records give ${counted} events, not ${events}: verify the database.`;
    return { by: 'digests', events: counted, agrees, because };
  } catch (error) {
    if (!isReadFault(error)) throw error;
    return notKnown('The log cannot be read as a whole.');
  }
}

async function countHeads(
  { selection, range }: CountCheck,
  { log }: Database,
  { control }: OperationContext
): Promise<number> {
  const matcher = new EventMatcher(selection);
  /** Members that are wanted, by transaction. A commit lies behind all of them, perhaps behind the range. */
  const open = new Map<number, number>();
  const heads = log.heads(range.from, log.end);
  let events = 0;
  let seen = 0;
  try {
    while (heads.next()) {
      const { record } = heads;
      if (++seen % RECORDS_BETWEEN_LOOKS === 0 && control.isDue) {
        control.report({ phase: 'counting', done: record.position, total: log.end, unit: 'bytes' });
        await control.breathe();
      }
      if (record.position >= range.to && open.size === 0) break;
      if (record.kind === 'commit') {
        events += open.get(record.transactionPosition) ?? 0;
        open.delete(record.transactionPosition);
        continue;
      }
      if (record.kind !== 'prepare' || record.position >= range.to) continue;
      if (!(record.hasData || record.isTombstone) || !matcher.matchesHead(record)) continue;
      if (record.isSelfCommitted) events++;
      else open.set(record.transactionPosition, (open.get(record.transactionPosition) ?? 0) + 1);
    }
  } finally {
    heads.close();
  }
  return events;
}
