/**
 * What several scavenges, one after the other, must leave of a log, said as naively as possible. The records are
 * read back from the log as they were written; each scavenge then judges all of them by its point.
 *
 * Holds where times rise with positions, and where no event of a stream is written while a transaction of it is
 * open: then every rule hides a beginning of the stream, and nothing depends on how records share chunks.
 */
import type { LogReader } from '../../src-core/log/log-reader.ts';
import { PrepareFlag } from '../../src-core/records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../src-core/units/event-number.ts';
import { TICKS_PER_SECOND } from '../../src-core/units/ticks.ts';

interface Rules {
  $maxCount?: number;
  $maxAge?: number;
  $tb?: number;
}

export interface ModelRecord {
  position: number;
  kind: 'event' | 'metadata' | 'tombstone' | 'transactionPart' | 'other';
  stream: string;
  /** As the index knows it; null where it does not. */
  number: number | null;
  ticks: bigint;
  rules: Rules;
  isTransactionBegin: boolean;
  /** In the log: `open` after a scavenge that could let it go, but need not have. */
  fate: 'stays' | 'open' | 'gone';
  /** A reader of the stream must still find it. */
  isVisible: boolean;
}

export interface ScavengeFacts {
  position: number;
  effectiveNow: bigint;
  threshold: number;
  ignoresHardDeletes: boolean;
  /** Without a point of its own. */
  isDetached: boolean;
  /** No chunk was kept because its new file would not have been smaller. */
  alwaysReplaces: boolean;
}

export class Survivors {
  readonly records: ModelRecord[] = [];
  #end = 0;

  /** Takes in what was appended since the last time. */
  readNew(log: LogReader): void {
    const from = this.#end;
    const open = new Map<number, { record: ModelRecord; offset: number }[]>();
    const cursor = log.cursor(Math.floor(from / log.chunkSizeBytes) * log.chunkSizeBytes);
    while (cursor.next()) {
      const { record } = cursor;
      if (record.position < from) continue;
      const isPrepare = record.kind === 'prepare';
      const isPart = isPrepare && (record.flags & PrepareFlag.isCommitted) === 0;
      const kind = !isPrepare ? 'other' : isPart ? 'transactionPart' : kindOf(record);
      const modelled: ModelRecord = {
        position: record.position,
        kind,
        stream: isPrepare ? record.stream : '',
        number: isPrepare && !isPart ? record.eventNumber : null,
        ticks: isPrepare ? record.ticks : 0n,
        rules: kind === 'metadata' ? (JSON.parse(record.data.toString('utf8')) as Rules) : {},
        isTransactionBegin: isPart && (record.flags & PrepareFlag.transactionBegin) !== 0,
        fate: 'stays',
        isVisible: isPrepare && !isPart
      };
      this.records.push(modelled);
      if (isPart && record.hasData) {
        const parts = open.get(record.transactionPosition) ?? [];
        parts.push({ record: modelled, offset: record.transactionOffset });
        open.set(record.transactionPosition, parts);
      }
      if (record.kind !== 'commit') continue;
      for (const part of open.get(record.transactionPosition) ?? []) {
        part.record.number = record.eventNumber + part.offset;
        part.record.isVisible = true;
      }
    }
    cursor.close();
    this.#end = log.end;
  }

  /** Number of the last event of a stream, as an append must find it. */
  lastEventNumber(stream: string): number {
    const numbers = this.records.flatMap((record) =>
      record.stream === stream && record.isVisible && record.number !== null ? [record.number] : []
    );
    return numbers.reduce((last, number) => Math.max(last, number), -1);
  }

  /** Streams that an append is possible to. */
  isOpen(stream: string): boolean {
    return this.lastEventNumber(stream) !== DELETED_STREAM_EVENT_NUMBER;
  }

  /** A scavenge has come to its end. */
  scavenge(facts: ScavengeFacts): void {
    const { threshold, alwaysReplaces, ignoresHardDeletes } = facts;
    const present = this.records.filter(({ fate }) => fate !== 'gone');
    const { stays, isDeleted } = rulesAt(present, facts);
    for (const record of present) {
      if (record.position >= facts.position || stays(record)) continue;
      record.isVisible = false;
      const isOfDeleted = record.stream !== '' && isDeleted(record.stream);
      if (record.kind === 'transactionPart') {
        // Its number in the index is let go like any other; in the log only a hard delete can remove it.
        if (!isOfDeleted || (record.isTransactionBegin && !ignoresHardDeletes)) continue;
      }
      // Chunks are found by what the index says of them: parts of transactions and what an earlier scavenge had to
      // leave add nothing to the weight of their chunk.
      const isWeighed = threshold === 0 && record.kind !== 'transactionPart' && record.fate === 'stays';
      const isSure = alwaysReplaces && record.fate === 'stays' && (threshold === -1 || isWeighed);
      record.fate = isSure || (ignoresHardDeletes && isOfDeleted) ? 'gone' : 'open';
    }
  }
}

function kindOf(record: { isTombstone: boolean; isMetastream: boolean }): ModelRecord['kind'] {
  if (record.isTombstone) return 'tombstone';
  return record.isMetastream ? 'metadata' : 'event';
}

/** The rules themselves: of records before the point, which does it keep? */
function rulesAt(
  records: readonly ModelRecord[],
  { position, effectiveNow, ignoresHardDeletes, isDetached }: ScavengeFacts
) {
  const last = new Map<string, number>();
  const rules = new Map<string, Rules>();
  // A detached scavenge leaves in place what held at the newest point, and everything behind that.
  const points = records.filter(({ stream }) => stream === '$scavengePoints');
  const keepFrom = (isDetached ? points.at(-1)?.position : undefined) ?? Number.POSITIVE_INFINITY;
  const heldThere = new Map<string, number>();
  const deleted = new Set<string>();
  for (const { stream, number, kind, rules: set, position: at } of records) {
    if (at >= position) continue;
    if (number !== null) last.set(stream, Math.max(last.get(stream) ?? -1, number));
    if (kind === 'tombstone') deleted.add(stream);
    if (kind === 'metadata') rules.set(stream.slice(2), set);
    if (kind === 'metadata' && at < keepFrom) heldThere.set(stream, at);
  }
  const isDeleted = (stream: string) =>
    deleted.has(stream) || (stream.startsWith('$$') && deleted.has(stream.slice(2)));
  const stays = ({ kind, stream, number, ticks, position: at }: ModelRecord): boolean => {
    if (kind === 'other') return true;
    if (isDeleted(stream)) return kind === 'tombstone' && !ignoresHardDeletes;
    if (number === null || number === last.get(stream)) return true;
    if (stream.startsWith('$$')) {
      return (
        kind === 'metadata' &&
        (at >= keepFrom || (isDetached && at === heldThere.get(stream) && keepFrom < Infinity))
      );
    }
    const { $maxCount = 0, $maxAge = 0, $tb = 0 } = rules.get(stream) ?? {};
    if (number < $tb || ($maxCount > 0 && number <= last.get(stream)! - $maxCount)) return false;
    return $maxAge === 0 || ticks >= effectiveNow - BigInt($maxAge) * TICKS_PER_SECOND;
  };
  return { stays, isDeleted };
}
