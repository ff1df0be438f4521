/** What a scavenge does with records, by position. Without a scavenge point nothing is known: it is no "kept". Pure. */
import type {
  ExplainedRecordRow,
  RecordsExplanation
} from '../../../src-main/contract/verbs/workbench-contract.ts';

export type RecordMark = ExplainedRecordRow | 'unknown' | 'asked';

export function marksOf({
  known,
  records,
  scavenge
}: RecordsExplanation): ReadonlyMap<number, ExplainedRecordRow> | null {
  if (!known || scavenge?.point == null) return null;
  return new Map(records.map((record) => [record.position, record]));
}
