/**
 * What no scavenge will ever free, by cause. A record counts under one cause only, but for long names, which lie
 * within records of every kind.
 */
import { CHUNK_FOOTER_LENGTH } from '../../chunks/chunk-footer.ts';
import { CHUNK_HEADER_LENGTH } from '../../chunks/chunk-header.ts';
import type { RecordSum } from './count-chunk.ts';
import type { Usage } from './read-usage.ts';
import type { RuledStream } from './ruled-streams.ts';

/** Of a name, what lies beyond counts as long. Stream and type are repeated in every record. */
export const LONG_NAME_BYTES = 64;

export type UnfreeableCause =
  | 'lastEvents'
  | 'tombstones'
  | 'deadLinks'
  | 'metadata'
  | 'commits'
  | 'system'
  | 'positionMaps'
  | 'headersAndFooters'
  | 'padding'
  | 'longNames';

export interface UnfreeableRow {
  cause: UnfreeableCause;
  /** null: it is not made of records. */
  records: number | null;
  bytes: number;
}

/** Newest events that the rules of their stream would discard if they were not the newest. */
export class LastEvents {
  records = 0;
  bytes = 0;

  add(ruled: RuledStream): void {
    const { lastNumber, lastBytes, lastMs, truncateBefore, maxCount, maxAgeSeconds, cutoffMs } = ruled;
    if (lastNumber < 0) return;
    const isTruncated = truncateBefore >= 0 && lastNumber < truncateBefore;
    const isTooOld = maxAgeSeconds >= 0 && lastMs < cutoffMs;
    if (!isTruncated && !isTooOld && maxCount !== 0) return;
    this.records++;
    this.bytes += lastBytes;
  }
}

export function unfreeable({ store, session }: Pick<Usage, 'store' | 'session'>, last: LastEvents) {
  const one = (sql: string) => [...store.query(sql)][0]!;
  const sums = one('SELECT TOTAL(tombstoneBytes) AS tombstoneBytes FROM Pairs');
  const tombstones = one('SELECT COUNT(*) AS records FROM Pairs WHERE tombstoneBytes > 0');
  const metadata = one(
    'SELECT TOTAL(records - discardableRecords) AS records, TOTAL(bytes - discardableBytes) AS bytes ' +
      "FROM Pairs WHERE substr(stream, 1, 2) = '$$'"
  );
  const other = one(
    'SELECT TOTAL(commitRecords) AS commitRecords, TOTAL(commitBytes) AS commitBytes, ' +
      'TOTAL(systemRecords) AS systemRecords, TOTAL(systemBytes) AS systemBytes FROM Chunks'
  );
  const beyond = (name: string) => `MAX(0, LENGTH(CAST(${name} AS BLOB)) - ${LONG_NAME_BYTES})`;
  const names = one(
    `SELECT TOTAL((records - discardableRecords) * (${beyond('stream')} + ${beyond('Types.name')})) AS bytes ` +
      'FROM Pairs JOIN Types ON Types.id = Pairs.type'
  );
  const rows: UnfreeableRow[] = [
    { cause: 'lastEvents', records: last.records, bytes: last.bytes },
    {
      cause: 'tombstones',
      records: Number(tombstones['records']),
      bytes: Number(sums['tombstoneBytes'])
    },
    { cause: 'deadLinks', ...deadLinks(store) },
    { cause: 'metadata', records: Number(metadata['records']), bytes: Number(metadata['bytes']) },
    { cause: 'commits', records: Number(other['commitRecords']), bytes: Number(other['commitBytes']) },
    { cause: 'system', records: Number(other['systemRecords']), bytes: Number(other['systemBytes']) },
    ...fileParts(session),
    { cause: 'longNames', records: null, bytes: Number(names['bytes']) }
  ];
  return rows;
}

/** Links that stay although the event they point to is gone, or free to go. */
export function deadLinks(store: Usage['store']): RecordSum {
  const sum = { records: 0, bytes: 0 };
  for (const { targets } of store.chunks()) {
    for (const { deadRecords, deadBytes } of targets) {
      sum.records += deadRecords;
      sum.bytes += deadBytes;
    }
  }
  return sum;
}

/** Of completed chunk files, what is not records. */
function fileParts({ database }: Usage['session']): UnfreeableRow[] {
  let maps = 0;
  let frames = 0;
  let padding = 0;
  for (const { footer, fileSize, dataSize } of database.log.chunks) {
    if (!footer) continue;
    const frame = CHUNK_HEADER_LENGTH + CHUNK_FOOTER_LENGTH;
    maps += footer.mapSize;
    frames += frame;
    padding += Math.max(0, fileSize - frame - dataSize - footer.mapSize);
  }
  return [
    { cause: 'positionMaps', records: null, bytes: maps },
    { cause: 'headersAndFooters', records: null, bytes: frames },
    { cause: 'padding', records: null, bytes: padding }
  ];
}
