/** A log in memory for tests of the index: records 100 bytes apart, seen through the index's own port. */
import type { IndexedRecord, RecordLog, RecordSource } from '../../../src-core/index/record-source.ts';
import type { StreamHasher } from '../../../src-core/index/stream-hash.ts';
import { PrepareFlag } from '../../../src-core/records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';

const SPACING = 100;
const SELF_COMMITTED = PrepareFlag.transactionBegin | PrepareFlag.transactionEnd | PrepareFlag.isCommitted;

/** Weak on purpose: the code of the second character, of the third in metastreams. */
export const nthCharacter: StreamHasher = (stream, into = { high: 0, low: 0 }) => {
  into.high = 0;
  into.low = stream.charCodeAt(stream.startsWith('$$') ? 2 : 1);
  return into;
};

interface Parts {
  kind?: 'prepare' | 'commit' | 'system';
  stream?: string;
  number?: number;
  flags?: number;
  transactionPosition?: number;
  transactionOffset?: number;
  ticks?: bigint;
  data?: string;
  version?: number;
}

export class MemoryLog implements RecordLog {
  readonly #records: (IndexedRecord | undefined)[] = [];

  get end(): number {
    return this.#records.length * SPACING;
  }

  /** As a chunk from which records may have been removed: nothing is held against an index. */
  chunkAt() {
    return { startPosition: 0, isScavenged: true, header: { transformType: 0 } };
  }

  event(stream: string, number: number, ticks = 0n): number {
    return this.#append({ stream, number, flags: SELF_COMMITTED | PrepareFlag.data, ticks });
  }

  metadata(stream: string, number: number, json: string, { isJson = true } = {}): number {
    const flags = SELF_COMMITTED | PrepareFlag.data | (isJson ? PrepareFlag.isJson : 0);
    return this.#append({ stream: `$$${stream}`, number, flags, data: json });
  }

  emptyWrite(stream: string, number: number): number {
    return this.#append({ stream, number, flags: SELF_COMMITTED, transactionOffset: -1 });
  }

  tombstone(stream: string): number {
    const flags = SELF_COMMITTED | PrepareFlag.streamDelete;
    return this.#append({ stream, number: DELETED_STREAM_EVENT_NUMBER, flags });
  }

  system(): number {
    return this.#append({ kind: 'system' });
  }

  begin(stream: string): number {
    return this.#append({ stream, number: -1, flags: PrepareFlag.transactionBegin, transactionOffset: -1 });
  }

  member(stream: string, transactionPosition: number, transactionOffset: number): number {
    return this.#append({
      stream,
      number: -1,
      flags: PrepareFlag.data,
      transactionPosition,
      transactionOffset
    });
  }

  deletionMember(stream: string, transactionPosition: number, transactionOffset: number): number {
    const flags = PrepareFlag.streamDelete | PrepareFlag.transactionEnd;
    return this.#append({ stream, number: -1, flags, transactionPosition, transactionOffset });
  }

  endOf(stream: string, transactionPosition: number): number {
    const flags = PrepareFlag.transactionEnd;
    return this.#append({ stream, number: -1, flags, transactionPosition, transactionOffset: -1 });
  }

  commit(transactionPosition: number, firstEventNumber: number): number {
    return this.#append({ kind: 'commit', number: firstEventNumber, transactionPosition });
  }

  /** As a scavenge does: the position stays, the record is gone. */
  remove(position: number): void {
    this.#records[position / SPACING] = undefined;
  }

  readAt(position: number): IndexedRecord | undefined {
    return this.#records[position / SPACING];
  }

  cursor(from: number, to: number): RecordSource {
    const records = this.#records.filter(
      (record): record is IndexedRecord =>
        record !== undefined && record.position >= from && record.position < to
    );
    let at = -1;
    return {
      get record() {
        return records[at]!;
      },
      next: () => ++at < records.length,
      close: () => undefined
    };
  }

  #append(parts: Parts): number {
    const position = this.end;
    const { kind = 'prepare', stream = '', number = 0, flags = 0, ticks = 0n, version = 1 } = parts;
    const bytes = new TextEncoder().encode(stream);
    this.#records.push({
      kind,
      version,
      position,
      flags,
      transactionPosition: parts.transactionPosition ?? position,
      transactionOffset: parts.transactionOffset ?? 0,
      eventNumber: number,
      ticks,
      stream,
      bytes,
      streamStart: 0,
      streamEnd: bytes.length,
      data: new TextEncoder().encode(parts.data ?? ''),
      isSelfCommitted: (flags & PrepareFlag.isCommitted) !== 0,
      isTombstone: (flags & PrepareFlag.streamDelete) !== 0,
      hasData: (flags & PrepareFlag.data) !== 0
    });
    return position;
  }
}
