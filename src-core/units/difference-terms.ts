/**
 * The words of a comparison of two logs, each list once: types, schemas and texts derive from these. Plain values, so that
 * the page can take them too.
 */

/** The two sides in the order of the question. */
export type SideName = 'one' | 'other';

/**
 * `equal`: every record. `explained`: what one side lacks was removed by rule. `notKnown`: nothing that is at hand decides.
 * `behind`: one of the two ends before. `differs`: anything else.
 */
export const RANGE_VERDICTS = ['equal', 'explained', 'behind', 'notKnown', 'differs'] as const;
export type RangeVerdict = (typeof RANGE_VERDICTS)[number];

/**
 * How a range was compared. `hash`: by the hashes that the files end with, nothing was read. `bytes`: all bytes of files
 * that were never scavenged. `records`: record by record, by position. `none`: not at all.
 */
export const COMPARED_BY = ['hash', 'bytes', 'records', 'none'] as const;
export type ComparedBy = (typeof COMPARED_BY)[number];

/** What was said of a record that only one side has. */
export const MISSING_VERDICTS = ['explained', 'notKnown', 'unexplained'] as const;
export type MissingVerdict = (typeof MISSING_VERDICTS)[number];

/**
 * What holds of a part of the log among all sides, the worst last. `missingIn`: these sides lack records that no rule is
 * known to have removed, or end before.
 */
export const JOINED_STATES = ['equal', 'onlyScavengedIn', 'missingIn', 'differs'] as const;
export type JoinedState = (typeof JOINED_STATES)[number];
