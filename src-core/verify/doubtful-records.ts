/**
 * Where index and log differ, the index gives way to a log whose own hashes hold. One place is excepted: no hash
 * covers the chunk that is being written. Where a sound index knows another event at one or two places there, most
 * likely a record was damaged, and a rebuilt index would hide it. (Of two histories that were mixed far more would
 * differ.)
 */
import type { Database } from '../database/database.ts';
import { isIndexFault, type Finding } from './finding.ts';

const ENTRY_CODES = new Set(['indexEntryWithoutRecord', 'recordWithoutIndexEntry']);
/** One damaged record may miss its old entry and lack a new one. */
const MOST_DOUBTFUL_RECORDS = 2;

export interface DoubtfulRecords {
  /** File of the chunk that is being written. */
  file: string;
  places: number[];
  findings: Finding[];
}

/** undefined when nothing of the index is damaged, or the index is at fault. */
export function doubtfulRecords(
  findings: readonly Finding[],
  { chunkSet }: Pick<Database, 'chunkSet'>
): DoubtfulRecords | undefined {
  const active = chunkSet.chunks.find((chunk) => chunk.isActive);
  const ofIndex = findings.filter(isIndexFault);
  if (!active || ofIndex.length === 0) return undefined;
  const isConfined = ofIndex.every(
    ({ code, position }) => ENTRY_CODES.has(code) && position !== null && position >= active.startPosition
  );
  const places = [...new Set(ofIndex.map(({ position }) => position!))];
  if (!isConfined || places.length > MOST_DOUBTFUL_RECORDS) return undefined;
  return { file: active.fileName, places, findings: ofIndex };
}
