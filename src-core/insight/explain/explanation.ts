/**
 * What an explanation is made of, as plain values. `rule` names what decides: for a kept event the rule that keeps
 * it, for a discarded one the rule that discards it.
 */
import type { StreamMetadata } from '../../records/stream-metadata.ts';
import type {
  ChosenPlacement,
  ChunkVerdict,
  ExplainRule,
  ExplainVerdict,
  RecordVerdict,
  RuleSays
} from '../../units/scavenge-terms.ts';

/** One rule of the chain with its values, and what it says of the event. `passes`: it leaves it to the next one. */
export interface ChainStep {
  rule: ExplainRule;
  says: RuleSays;
  text: string;
}

export interface Explanation {
  verdict: ExplainVerdict;
  rule: ExplainRule;
  /** Ticks at which age discards it; only a scavenge whose time is later does so. null: no time changes it. */
  until: bigint | null;
  because: string;
  /** What would change it; null where nothing needs to. */
  change: string | null;
}

/** The scavenge that the answer is about. */
export interface ExplainedScavenge {
  /** null: no point was found that such a scavenge could work to, so it does nothing. */
  point: { number: number; position: number; effectiveNow: bigint; threshold: number } | null;
  placement: ChosenPlacement;
  isResumed: boolean;
}

export interface ExplainedEvent extends Explanation {
  kind: 'event';
  scavenge: ExplainedScavenge;
  /** null: a record that belongs to no stream. */
  stream: string | null;
  /** null: a record without a number of its own. */
  eventNumber: number | null;
  /** A member of an explicit transaction whose commit is not in the log: it has no number yet, and may never. */
  isUncommitted: boolean;
  position: number | null;
  chunk: number | null;
  chain: ChainStep[];
}

export interface ExplainedRange extends Explanation {
  from: number;
  /** Inclusive. */
  to: number;
}

/** The limits that a scavenge goes by; null: not set. */
export interface ExplainedLimits {
  maxCount: number | null;
  maxAgeSeconds: number | null;
  truncateBefore: number | null;
}

export interface ExplainedStream {
  kind: 'stream';
  scavenge: ExplainedScavenge;
  stream: string;
  /** In force at the end of the log; null when the stream has none. */
  rules: StreamMetadata | null;
  /** In force at the scavenge point. */
  rulesAtPoint: ExplainedLimits;
  /** null: the stream has no event. */
  lastEvent: number | null;
  ranges: ExplainedRange[];
  /** Records that no number leads to: parts of transactions that were never committed. */
  unnumberedRecords: number;
}

/** Records of a chunk that the same rule decides on; `verdict` is what the rule says, whatever becomes of the chunk. */
export interface RecordsByRule {
  rule: ExplainRule;
  verdict: RecordVerdict;
  records: number;
  /** Payload and both length fields. */
  bytes: number;
}

export interface ExplainedChunk {
  kind: 'chunk';
  scavenge: ExplainedScavenge;
  chunk: number;
  /** Of the file that serves the chunk. */
  chunkStart: number;
  chunkEnd: number;
  file: string;
  weight: number;
  verdict: ChunkVerdict;
  rule: ExplainRule;
  because: string;
  change: string | null;
  byRule: RecordsByRule[];
}

export type ExplainAnswer = ExplainedEvent | ExplainedStream | ExplainedChunk;

export type ExplainQuestion =
  | { kind: 'event'; stream: string; eventNumber: number }
  | { kind: 'position'; position: number }
  | { kind: 'stream'; stream: string }
  | { kind: 'chunk'; chunk: number };
