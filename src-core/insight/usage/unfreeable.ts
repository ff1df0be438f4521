/**
 * What no scavenge will ever free, by cause. A record counts under one cause only, but for long names, which lie
 * within records of every kind.
 */
import { CHUNK_FOOTER_LENGTH } from '../../chunks/chunk-footer.ts';
import { CHUNK_HEADER_LENGTH } from '../../chunks/chunk-header.ts';
import type { ChunkCount } from './log-counts.ts';
import type { Usage } from './read-usage.ts';
import type { LastEvents } from './last-events.ts';
import type { RecordSum } from './usage-sums.ts';

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

export function unfreeable({ counts, session }: Pick<Usage, 'counts' | 'session'>, last: LastEvents) {
  const { tombstones, deadLinks, metadata, longNameBytes } = counts;
  const sum = (of: (chunk: ChunkCount) => RecordSum): RecordSum => ({
    records: counts.chunks.reduce((all, chunk) => all + of(chunk).records, 0),
    bytes: counts.chunks.reduce((all, chunk) => all + of(chunk).bytes, 0)
  });
  const rows: UnfreeableRow[] = [
    { cause: 'lastEvents', records: last.records, bytes: last.bytes },
    { cause: 'tombstones', ...tombstones },
    { cause: 'deadLinks', ...deadLinks },
    { cause: 'metadata', ...metadata },
    { cause: 'commits', ...sum(({ commits }) => commits) },
    { cause: 'system', ...sum(({ system }) => system) },
    ...fileParts(session),
    { cause: 'longNames', records: null, bytes: longNameBytes }
  ];
  return rows;
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
