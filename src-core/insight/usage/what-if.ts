/**
 * What could be discarded if every stream of a category had a maximum age or count besides the rules it has. Each record
 * is judged by the scavenger's own decision about records, by the verdict that it would come to with the rule.
 */
import type { ChunkDigest } from '../../digest/chunk-digest.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';
import {
  cutoffOf,
  emptyVerdict,
  shouldDiscardRecord,
  type StreamVerdict
} from '../../scavenge/decisions/should-discard.ts';
import type { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import type { Ticks } from '../../units/ticks.ts';
import { DigestStreams } from './digest-streams.ts';
import type { GroupTable } from './group-table.ts';
import { startsWith } from './name-bytes.ts';
import type { Usage } from './read-usage.ts';
import { StreamColumn } from './stream-row.ts';
import { Sum } from './usage-sums.ts';

const STREAMS_BETWEEN_LOOKS = 1024;

export interface WhatIfRule {
  category: string;
  maxAgeSeconds: number | null;
  maxCount: number | null;
}

/** `leastBytes` and `mostBytes` are `likelyBytes`: nothing is guessed. Reports have had all three since counts knew bounds only. */
export interface WhatIfResult {
  streams: number;
  /** Bytes of the category, and what can go of them as its rules are now. */
  bytes: number;
  discardableBytes: number;
  /** What could go with the rule, present rules included. */
  likelyBytes: number;
  leastBytes: number;
  mostBytes: number;
}

type WhatIfUsage = Pick<Usage, 'tables' | 'session' | 'digests' | 'judgement' | 'effectiveNow' | 'point'>;

export async function whatIf(
  usage: WhatIfUsage,
  rule: WhatIfRule,
  breathe: () => Promise<void>
): Promise<WhatIfResult> {
  const { tables, session, digests, point } = usage;
  const sum = { streams: 0, bytes: 0, discardableBytes: 0 };
  const prefix = Buffer.from(`${rule.category}-`);
  const { verdicts } = await usage.judgement();
  const pass = new WhatIfPass({ ...rule, verdicts, effectiveNow: usage.effectiveNow }, prefix);
  const chunks = session.database.log.chunks.filter(
    ({ startPosition }) => startPosition < (point?.position ?? 0)
  );
  for await (const table of tables.streams()) {
    const before = sum.streams;
    const { values, columnCount } = table;
    for (let at = 0; at < table.count; at++) {
      if (at % STREAMS_BETWEEN_LOOKS === 0) await breathe();
      if (!startsWith(table.names, table.nameStart(at), table.nameEnd(at), prefix)) continue;
      sum.streams++;
      sum.bytes += values[at * columnCount + Sum.bytes]!;
      sum.discardableBytes += values[at * columnCount + Sum.discardableBytes]!;
    }
    if (sum.streams === before) continue;
    for (const chunk of chunks) await pass.judge(digests.of(chunk), table, breathe);
  }
  const { bytes } = pass;
  return { ...sum, likelyBytes: bytes, leastBytes: bytes, mostBytes: bytes };
}

interface JudgedRule extends WhatIfRule {
  verdicts: StreamVerdicts;
  effectiveNow: Ticks;
}

class WhatIfPass {
  /** That could go. */
  bytes = 0;
  readonly #verdicts: StreamVerdicts;
  readonly #prefix: Buffer;
  readonly #maxCount: number;
  /** That of the rule alone. */
  readonly #ruled: StreamVerdict = { ...emptyVerdict(), isKnown: true };
  readonly #facts = { flags: 0, eventNumber: 0, timeHigh: 0, timeLow: 0 };

  constructor({ maxAgeSeconds, maxCount, verdicts, effectiveNow }: JudgedRule, prefix: Buffer) {
    this.#verdicts = verdicts;
    this.#prefix = prefix;
    this.#maxCount = maxCount ?? -1;
    cutoffOf(effectiveNow, maxAgeSeconds ?? -1, this.#ruled.cutoff);
  }

  /** A chunk before the point, as far as its streams are in the table. */
  async judge(digest: ChunkDigest, table: GroupTable, breathe: () => Promise<void>): Promise<void> {
    const streams = new DigestStreams(digest);
    const { hashHigh, hashLow, nameEnds } = digest.columns;
    const { names } = digest;
    const [first, end] = streams.range(table.from, table.to);
    for (let ordinal = first; ordinal < end; ordinal++) {
      if (ordinal % STREAMS_BETWEEN_LOOKS === 0) await breathe();
      const nameStart = digest.nameStart(ordinal);
      const nameEnd = nameEnds[ordinal]!;
      if (!startsWith(names, nameStart, nameEnd, this.#prefix)) continue;
      const at = table.find(hashHigh[ordinal]!, hashLow[ordinal]!, names, nameStart, nameEnd);
      const newest = table.values[at * table.columnCount + StreamColumn.lastBeforePoint]!;
      this.#judgeStream(digest, ordinal, streams.verdictOf(ordinal, this.#verdicts), newest);
    }
  }

  #judgeStream(digest: ChunkDigest, ordinal: number, verdict: StreamVerdict, newest: number): void {
    const { columns } = digest;
    const facts = this.#facts;
    const ruled = this.#ruled;
    // The newest event stays, as in every calculation of a scavenge.
    ruled.discardPoint = this.#maxCount < 0 ? 0 : newest - this.#maxCount + 1;
    ruled.maybeDiscardPoint = newest;
    const isRuled = !verdict.isTombstoned;
    for (let i = columns.streamStarts[ordinal]!, end = columns.streamStarts[ordinal + 1]!; i < end; i++) {
      const place = columns.byStream[i]!;
      facts.flags = columns.flags[place]!;
      facts.eventNumber = columns.numbers[place]!;
      facts.timeHigh = columns.timeHigh[place]!;
      facts.timeLow = columns.timeLow[place]!;
      if (
        shouldDiscardRecord(facts, verdict, false) ||
        (isRuled && shouldDiscardRecord(facts, ruled, false))
      ) {
        this.bytes += digest.lengthOf(place) + FRAME_LENGTH;
      }
    }
  }
}
