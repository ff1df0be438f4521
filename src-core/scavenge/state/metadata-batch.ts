/**
 * Metadata records that accumulation has met and not yet taken into account. Whether one is in order is asked of the
 * index, whose entries lie in the order of their hashes; asked in the order of the log each question would read a
 * place of its own. So they are collected, asked about in the order of their hashes, and stored in the order of the
 * keys they are stored under. Of one stream they stay in the order of the log throughout. The first record of a stream
 * in a log of which nothing was ever removed is in order without a question.
 *
 * A batch belongs to the open transaction: it is settled before that ends, or forgotten with it.
 */
import { EntryBlock } from '../../index/index-entry.ts';
import { hashStream } from '../../index/stream-hash.ts';
import type { LogRecord } from '../../records/log-record.ts';
import { parseStreamMetadata, type StreamMetadata } from '../../records/stream-metadata.ts';
import type { MetadataWarnings } from '../decisions/metadata-warnings.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengeState } from './scavenge-state.ts';
import type { StreamEntries } from '../decisions/stream-entries.ts';
import { isMetastreamName } from '../decisions/stream-handle.ts';

/** Event numbers read to decide whether a metadata record is in order. */
const ORDER_WINDOW = 100;
/** Records that wait at most: some 20 MB. */
const LIMIT = 2 ** 16;
/** Ordinals fill the lower bits of a sorting key, the upper half of a hash those above. */
const ORDINAL_RANGE = 2 ** 20;

interface MetadataRecord {
  metastream: string;
  stream: string;
  position: number;
  eventNumber: number;
  flags: number;
  metadata: StreamMetadata;
  /** Of its stream in the log: nothing can be out of order with it. */
  isFirst: boolean;
  isInOrder: boolean;
}

export interface MetadataBatchParts {
  entries: StreamEntries;
  state: ScavengeState;
  control: RunControl;
  warnings: MetadataWarnings;
  /** The record at this position can go. */
  addWeight: (position: number) => void;
  /**
   * Metadata from here on, and the newest of each stream before it, stay: a later scavenge may go by what held here.
   * undefined: only the newest stays.
   */
  keepFrom: number | undefined;
}

export class MetadataBatch {
  readonly #parts: MetadataBatchParts;
  readonly #records: MetadataRecord[] = [];
  readonly #order = new EntryBlock(ORDER_WINDOW + 1);

  constructor(parts: MetadataBatchParts) {
    this.#parts = parts;
  }

  /** It should be settled before anything is added. */
  get isFull(): boolean {
    return this.#records.length >= LIMIT;
  }

  add(record: LogRecord, { isFirst }: { isFirst: boolean }): void {
    const { stream: metastream, position, eventNumber, flags, version } = record;
    this.#records.push({
      metastream,
      stream: metastream.slice(2),
      position,
      eventNumber,
      flags,
      metadata: parseStreamMetadata(record.data, { recordVersion: version }),
      isFirst,
      isInOrder: true
    });
  }

  /** Takes all of them into account. */
  async settle(): Promise<void> {
    const { state, control, warnings } = this.#parts;
    const records = this.#records;
    const asked = records.filter(({ isFirst }) => !isFirst);
    for (const record of inOrderOf(asked, ({ metastream }) => metastream)) {
      record.isInOrder = this.#isInOrder(record);
      if (control.isDue()) await control.rest();
    }
    for (const { metastream, eventNumber, isInOrder, position } of records) {
      if (!isInOrder || eventNumber === 0 || !this.#replacesOthers(position)) continue;
      state.metastreams.setDiscardPoint(state.handleOf(metastream), eventNumber);
      if (control.isDue()) await control.rest();
    }
    // Metadata of a metastream mean nothing: metastreams always keep their newest record only.
    const counting = records.filter(({ isInOrder, stream }) => isInOrder && !isMetastreamName(stream));
    for (const record of counting) warnings.see(record.stream, record, record.metadata);
    for (const { stream, metadata } of inOrderOf(counting, (record) => record.stream)) {
      state.originals.setMetadata(state.handleOf(stream), metadata);
      if (control.isDue()) await control.rest();
    }
    this.forget();
  }

  forget(): void {
    this.#records.length = 0;
  }

  /** Guards against metadata with wrong numbers in old logs; weighs the record that is replaced. */
  #isInOrder({ metastream, eventNumber, position }: MetadataRecord): boolean {
    const { entries, state, addWeight } = this.#parts;
    const from = Math.max(0, eventNumber - 1);
    const block = this.#order;
    const count = entries.read(state.handleOf(metastream), from, from + ORDER_WINDOW - 1, block);
    for (let i = 0; i < count; i++) {
      if (block.position[i]! < position && block.number[i]! >= eventNumber) {
        addWeight(position);
        return false;
      }
    }
    const isReplacing = this.#replacesOthers(position);
    if (isReplacing && count > 0 && block.number[0]! < eventNumber && block.position[0]! < position) {
      addWeight(block.position[0]!);
    }
    return true;
  }

  #replacesOthers(position: number): boolean {
    const { keepFrom } = this.#parts;
    return keepFrom === undefined || position < keepFrom;
  }
}

/** By the signed hash of a name, which is near enough to any order of hashes; those of one name stay as they were. */
function inOrderOf(
  records: readonly MetadataRecord[],
  nameOf: (record: MetadataRecord) => string
): MetadataRecord[] {
  const hash = { high: 0, low: 0 };
  const keys = new Float64Array(records.length);
  for (let i = 0; i < keys.length; i++) {
    keys[i] = (hashStream(nameOf(records[i]!), hash).high | 0) * ORDINAL_RANGE + i;
  }
  keys.sort();
  return Array.from(keys, (key) => records[key - Math.floor(key / ORDINAL_RANGE) * ORDINAL_RANGE]!);
}
