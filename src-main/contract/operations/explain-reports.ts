/**
 * The answers of `explain`: one of four shapes, told apart by `kind`. Members may be added, never renamed.
 */
import { z } from 'zod';
import {
  CHOSEN_PLACEMENTS,
  CHUNK_VERDICTS,
  EXPLAIN_RULES,
  EXPLAIN_VERDICTS,
  RECORD_VERDICTS,
  RULE_SAYS
} from '../../../src-core/units/scavenge-terms.ts';

const count = z.number().int();
/** A decimal string above 2^53-1 (the tombstone's 9223372036854775807). */
const eventNumber = z.union([count, z.string().regex(/^\d+$/)]);
/** ISO 8601 in UTC with seven fraction digits. */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);

export const explainRule = z.enum(EXPLAIN_RULES);
export type ExplainRuleName = z.infer<typeof explainRule>;

const verdict = z.enum(EXPLAIN_VERDICTS);

/** The scavenge that the answer is about; `point` null: it has no point to work to and does nothing. */
const explainedScavenge = z.object({
  placement: z.enum(CHOSEN_PLACEMENTS),
  resumed: z.boolean(),
  point: z.object({ number: count, position: count, effectiveNow: time, threshold: count }).nullable()
});

const explained = {
  verdict,
  rule: explainRule,
  /** When it expires by age; a scavenge with a later time then removes it. */
  until: time.nullable(),
  because: z.string(),
  /** What would change it. */
  change: z.string().nullable()
};

const explainedEvent = z.object({
  kind: z.literal('event'),
  /** Null: a record that belongs to no stream. */
  stream: z.string().nullable(),
  eventNumber: eventNumber.nullable(),
  /** A member of an explicit transaction without a commit: `eventNumber` is null. */
  uncommitted: z.literal(true).optional(),
  position: count.nullable(),
  chunk: count.nullable(),
  ...explained,
  /** The rules in the order in which they were applied. */
  chain: z.array(z.object({ rule: explainRule, says: z.enum(RULE_SAYS), text: z.string() })),
  scavenge: explainedScavenge
});
export type EventExplanation = z.infer<typeof explainedEvent>;

const limit = eventNumber.nullable();
const limits = { maxCount: limit, maxAgeSeconds: limit, truncateBefore: limit };

const explainedStream = z.object({
  kind: z.literal('stream'),
  stream: z.string(),
  /** The metadata in force at the end of the log. */
  rules: z
    .object({
      ...limits,
      cacheControlSeconds: limit,
      acl: z.record(z.string(), z.unknown()).nullable()
    })
    .nullable(),
  /** The rules that the scavenge uses. */
  rulesAtPoint: z.object(limits),
  lastEvent: eventNumber.nullable(),
  /** `to` inclusive. `until` of several: the time of the first. */
  ranges: z.array(z.object({ from: eventNumber, to: eventNumber, ...explained })),
  /** Parts of transactions that were never committed: they have no event numbers. */
  unnumberedRecords: count,
  scavenge: explainedScavenge
});
export type StreamExplanation = z.infer<typeof explainedStream>;

const explainedChunk = z.object({
  kind: z.literal('chunk'),
  chunk: count,
  weight: count,
  verdict: z.enum(CHUNK_VERDICTS),
  rule: explainRule,
  because: z.string(),
  change: z.string().nullable(),
  /** All records of the file. `verdict` is the rule's, whether or not the chunk is rewritten. */
  byRule: z.array(
    z.object({ rule: explainRule, verdict: z.enum(RECORD_VERDICTS), records: count, bytes: count })
  ),
  chunkStart: count,
  chunkEnd: count,
  file: z.string(),
  scavenge: explainedScavenge
});
export type ChunkExplanation = z.infer<typeof explainedChunk>;

export const explainReport = z.union([explainedEvent, explainedStream, explainedChunk]);
export type ExplainReport = z.infer<typeof explainReport>;

const explainedRecords = z.object({
  kind: z.literal('records'),
  /** False: chunks would have to be read for an answer, and only what is known was wanted. */
  known: z.boolean(),
  /** In the order in which they were asked about; none where nothing is known. */
  records: z.array(
    z.object({ position: count, verdict: z.enum(RECORD_VERDICTS), rule: explainRule, until: time.nullable() })
  ),
  /** Null: not known. */
  scavenge: explainedScavenge.nullable()
});
export type RecordsExplanation = z.infer<typeof explainedRecords>;
export type ExplainedRecordRow = RecordsExplanation['records'][number];

/** What the command answers: with several positions, all of them at once. */
export const explainOutput = z.union([...explainReport.options, explainedRecords]);

export interface ExplainReplies {
  explain: ExplainReport;
  explainRecords: RecordsExplanation;
}

export const EXPLAIN_SCHEMAS = { explain: explainOutput };
