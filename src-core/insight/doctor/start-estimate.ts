/**
 * What a start has to read before the node is ready, and in the background, in bytes and in minutes. The rates are
 * stated ones: what a server does on a plain disk, not what this machine measured.
 */
export interface StartWork {
  what: 'hashTables' | 'copyIndexAside' | 'readLogIntoIndex' | 'hashChunks';
  bytes: number;
  records: number | null;
  ms: number;
  /** Done while the node is up already. */
  isInBackground: boolean;
}

export interface StartEstimate {
  work: StartWork[];
  /** Until the node is ready. */
  readyMs: number;
  rates: { hashBytesPerSecond: number; recordsPerSecond: number };
}

export const HASH_BYTES_PER_SECOND = 250_000_000;
export const RECORDS_PER_SECOND = 100_000;
/** For a database whose records have not been counted yet. */
export const TYPICAL_RECORD_BYTES = 500;

export interface EstimateStart {
  tableBytes: number;
  asideBytes: number;
  /** Of the log that the index does not hold. */
  logBytes: number;
  backgroundBytes: number;
  counted: { records: number; bytes: number };
}

export function estimateStart(parts: EstimateStart): StartEstimate {
  const { tableBytes, asideBytes, logBytes, backgroundBytes, counted } = parts;
  const recordBytes = counted.records > 0 ? counted.bytes / counted.records : TYPICAL_RECORD_BYTES;
  const records = Math.round(logBytes / recordBytes);
  const hashed = (
    what: StartWork['what'],
    { bytes, isInBackground = false }: { bytes: number; isInBackground?: boolean }
  ): StartWork[] =>
    bytes === 0
      ? []
      : [{ what, bytes, records: null, ms: inMs(bytes, HASH_BYTES_PER_SECOND), isInBackground }];
  const work: StartWork[] = [
    ...hashed('hashTables', { bytes: tableBytes }),
    ...hashed('copyIndexAside', { bytes: asideBytes }),
    ...(logBytes === 0
      ? []
      : [
          {
            what: 'readLogIntoIndex' as const,
            bytes: logBytes,
            records,
            ms: inMs(records, RECORDS_PER_SECOND),
            isInBackground: false
          }
        ]),
    ...hashed('hashChunks', { bytes: backgroundBytes, isInBackground: true })
  ];
  return {
    work,
    readyMs: work.reduce((sum, { ms, isInBackground }) => (isInBackground ? sum : sum + ms), 0),
    rates: { hashBytesPerSecond: HASH_BYTES_PER_SECOND, recordsPerSecond: RECORDS_PER_SECOND }
  };
}

function inMs(count: number, perSecond: number): number {
  return Math.ceil((count / perSecond) * 1000);
}
