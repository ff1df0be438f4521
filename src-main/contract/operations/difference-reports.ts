/** The report of `diff`. Positions are those of the log, ends exclusive; sides are named by their index in `sides`. */
import { z } from 'zod';
import {
  COMPARED_BY,
  JOINED_STATES,
  MISSING_VERDICTS,
  RANGE_VERDICTS
} from '../../../src-core/units/difference-terms.ts';
import { REMOVAL_RULES } from '../../../src-core/units/scavenge-terms.ts';
import { recordRow } from './reports.ts';

const count = z.number().int();
const position = z.number().int();
const sideIndex = z.number().int();

const amount = z.object({ records: count, bytes: count });

/** Records that only this side has. */
const onlyHere = z.object({
  /** The other side removed them by rule. */
  explained: amount,
  /** Nothing at hand decides. */
  notKnown: amount,
  /** No rule removes them. */
  unexplained: amount,
  /** The other side cannot be read there. */
  unreadable: amount,
  byRule: z.array(z.object({ rule: z.enum(REMOVAL_RULES), records: count, bytes: count }))
});

const counts = {
  equal: amount,
  /** Records that both have, with different bytes. */
  differing: count,
  /** Records that only the first of the two has, and that only the second has. */
  onlyOne: onlyHere,
  onlyOther: onlyHere,
  /** Places at which one of the two cannot be read. */
  unreadable: count
};

const range = z.object({
  from: position,
  to: position,
  verdict: z.enum(RANGE_VERDICTS),
  /** `hash`: the stored hashes are equal, nothing was read. */
  how: z.enum(COMPARED_BY),
  ...counts
});

const foundRecord = z.object({ file: z.string(), record: recordRow });

const difference = z.object({
  kind: z.enum(['bytes', 'missing', 'unreadable']),
  position,
  /** Where what cannot be read ends; null for a record. */
  to: position.nullable(),
  chunk: count,
  /** The side that lacks the record or cannot be read. */
  lackedBy: sideIndex.nullable(),
  verdict: z.enum(MISSING_VERDICTS).nullable(),
  because: z.string(),
  one: foundRecord.nullable(),
  other: foundRecord.nullable(),
  /** Offsets in the framed record. */
  bytes: z.object({ first: count, last: count, count, part: z.string() }).nullable()
});
export type DifferenceRow = z.infer<typeof difference>;

const comparison = z.object({
  one: sideIndex,
  other: sideIndex,
  verdict: z.enum(RANGE_VERDICTS),
  summary: z.string(),
  comparedTo: position,
  behind: z.object({ side: sideIndex, bytes: count }).nullable(),
  /** The first epoch that the two do not share: where two histories part. */
  epochs: z.object({ number: count, one: z.string(), other: z.string() }).nullable(),
  ranges: z.array(range),
  total: z.object(counts),
  /** The first places that are not all right; `differenceCount` counts all. */
  differences: z.array(difference),
  differenceCount: count,
  /** The first record that only one side has because of a rule. */
  firstExplained: difference.nullable(),
  /** Whether the files in which records differ still have the hash that they end with. */
  hashes: z.array(z.object({ side: sideIndex, file: z.string(), holds: z.boolean() })),
  readBytes: count,
  /** Of files that were not read because their stored hashes are equal; `provedFiles`: verified on both sides, too. */
  trustedBytes: count,
  trustedFiles: count,
  provedFiles: count
});
export type ComparisonReport = z.infer<typeof comparison>;

export const differenceReport = z.object({
  /** Nothing differs, or what differs was removed by rule. That one is behind is all right. */
  ok: z.boolean(),
  /** The same: `ok` is what all checks are named by. */
  equal: z.boolean(),
  summary: z.string(),
  /** As far as all sides reach. */
  compared: z.object({ from: position, to: position }),
  /** All comparisons together. Sides are named here as the user named them. */
  ranges: z.array(
    z.object({ from: position, to: position, state: z.enum(JOINED_STATES), sides: z.array(z.string()) })
  ),
  /** The first place that is not all right, with what each of the two sides has there. */
  firstDifference: z
    .object({
      position,
      sides: z.array(
        z.object({ name: z.string(), file: z.string().nullable(), record: recordRow.nullable() })
      )
    })
    .nullable(),
  sides: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['database', 'backup']),
      dataDirectory: z.string().nullable(),
      backup: z.string().nullable(),
      end: position,
      chunks: count,
      scavengedChunks: count,
      mergedChunks: count,
      inUse: z.boolean(),
      /** The point to which its scavenge is taken to have worked; null: not asked, or not known. */
      point: z
        .object({
          position,
          effectiveNow: z.string(),
          from: z.enum(['state', 'history', 'backup', 'log', 'end'])
        })
        .nullable()
    })
  ),
  /** Each other side with the first. */
  comparisons: z.array(comparison)
});
export type DifferenceReport = z.infer<typeof differenceReport>;

/** File names in resources/schemas. */
export const DIFFERENCE_SCHEMAS = { diff: differenceReport } as const;

export interface DifferenceReplies {
  compareDatabases: DifferenceReport;
}
