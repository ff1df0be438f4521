/**
 * A count of the whole log, kept beside the digests: found by all that it was made of, and good until the next record may
 * expire, or the day ends (the days of expiry are counted from it).
 */
import { decodeColumns, encodeColumns } from '../../codec/column-file.ts';
import { KEPT_USAGE } from '../../digest/chunk-digests.ts';
import { derivedFileName } from '../../digest/digest-identity.ts';
import type { HeldCalculation } from '../../scavenge/decisions/held-calculation.ts';
import { ValidSpan, type SpanFacts } from '../../scavenge/decisions/valid-span.ts';
import type { DerivedFiles } from '../../storage/derived-files.ts';
import { GroupTable, type GroupTableImage } from './group-table.ts';
import { LogCounts, type LogCountsImage } from './log-counts.ts';
import { STREAM_COLUMNS } from './stream-row.ts';
import { SUM_COUNT } from './usage-sums.ts';

/** Changes whenever what is counted, or how it is kept, changes. */
const FORM = 'WNWUSE01';
const MOST_KEPT = 1;

export interface KeptCount {
  streams: GroupTable;
  types: GroupTable;
  log: LogCounts;
}

interface Facts extends SpanFacts {
  log: LogCountsImage;
}

export class KeptUsage {
  readonly #files: DerivedFiles;
  readonly #held: HeldCalculation;
  readonly #now: bigint;

  /** `held`: the calculation that the records are judged by. */
  constructor(files: DerivedFiles, held: HeldCalculation, effectiveNow: bigint) {
    this.#files = files;
    this.#held = held;
    this.#now = effectiveNow;
  }

  load(): KeptCount | undefined {
    const { identity } = this.#held;
    const found = this.#files.load(this.#name, (bytes) => {
      const decoded = decodeColumns<Facts>(bytes, { form: FORM, identity });
      if (!decoded) return undefined;
      const { facts, next } = decoded;
      const image = (): GroupTableImage => ({
        values: next(Float64Array),
        ends: next(Float64Array),
        high: next(Uint32Array),
        low: next(Uint32Array),
        slots: next(Uint32Array),
        names: next(Uint8Array)
      });
      const streams = GroupTable.over(STREAM_COLUMNS, image());
      return { facts, streams, types: GroupTable.over(SUM_COUNT, image()) };
    });
    if (!found) return undefined;
    const { facts, streams, types } = found;
    const log = new LogCounts(this.#now);
    if (!ValidSpan.of(facts).holds(this.#now) || facts.log.firstDay !== log.expiry.firstDay) return undefined;
    log.take(facts.log);
    return { streams, types, log };
  }

  save({ streams, types, log }: KeptCount): void {
    const { identity, upTo } = this.#held;
    const span = new ValidSpan(this.#now, upTo);
    span.endAfter(log.nextExpiryMs);
    const facts: Facts = { ...span.facts, log: log.image };
    const columnsOf = ({ values, ends, high, low, slots, names }: GroupTableImage) => [
      values,
      ends,
      high,
      low,
      slots,
      names
    ];
    this.#files.save(this.#name, () =>
      encodeColumns({ form: FORM, identity, facts }, [...columnsOf(streams.image), ...columnsOf(types.image)])
    );
    this.#files.keepNewest(KEPT_USAGE, MOST_KEPT);
  }

  get #name(): string {
    return derivedFileName(this.#held.identity, KEPT_USAGE);
  }
}
