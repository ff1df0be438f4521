/** The event number of a record; members of explicit transactions have the one that their commit gives them. */
import type { RecordRow } from '../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../texts.ts';
import { formatCount } from './count.ts';

export function formatRecordNumber({
  eventNumber,
  committedEventNumber
}: Extract<RecordRow, { kind: 'prepare' }>): string {
  if (committedEventNumber === null) return texts.records.notCommitted;
  if (committedEventNumber !== undefined) return formatCount(committedEventNumber);
  // The begin or end of a transaction is no event by itself.
  return eventNumber === -1 ? '' : formatCount(eventNumber);
}
