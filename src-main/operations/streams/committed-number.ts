/** The number that a commit gives to members of explicit transactions, for rows that show records. */
import {
  CommittedNumbers,
  eventNumberToJson,
  memberOf,
  type Database,
  type LogRecord
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { RecordRow } from '../../contract/operations/reports.ts';

/** For a page: transactions are short, and a page must not read the whole log for one that was left open. */
export const PAGE_SEARCH_BYTES = 64 * 1024 * 1024;

/** For rows in log order; pages pass `mostBytes`. */
export function committedNumbers(
  { log }: Database,
  { control }: OperationContext,
  mostBytes?: number
): CommittedNumbers {
  const breathe = async (): Promise<void> => {
    if (control.isDue) await control.breathe();
  };
  return new CommittedNumbers({ log, breathe, ...(mostBytes === undefined ? {} : { mostBytes }) });
}

/** Adds the number if there is one. `record` is the source of `row`. */
export async function withCommittedNumber(
  row: RecordRow,
  record: LogRecord,
  numbers: CommittedNumbers
): Promise<RecordRow> {
  const member = memberOf(record);
  if (!member || row.kind !== 'prepare') return row;
  const number = await numbers.of(member);
  if (number === undefined) return row;
  return { ...row, committedEventNumber: number === null ? null : eventNumberToJson(number) };
}
