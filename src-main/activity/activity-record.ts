/**
 * Which operations are recorded, and which parts of their requests and reports. Questions that a view asks by the
 * hundred (pages of records, lists, an explanation) are not: they leave no trace in the database, and none here.
 */
import type { ReportOperation } from '../contract/operations/operation-contract.ts';
import type { Scalar, Verdict } from '../contract/operations/activity-reports.ts';
import { CALL_NAMES } from '../contract/verbs/operation-names.ts';

/** Everything else is recorded: a new operation too, unless it answers a view at once or is named here. */
const QUESTIONS: ReadonlySet<ReportOperation> = new Set([...CALL_NAMES, 'readUsage', 'explain']);

export function isRecorded(operation: ReportOperation): boolean {
  return !QUESTIONS.has(operation);
}

/** Number of the last lines of the log that are kept. */
export const LOG_LINES = 60;
const LONGEST_LINE = 300;
const LONGEST_VALUE = 200;
const MOST_MEMBERS = 60;

/**
 * The negative verdict of a report about its subject. Reports that judge have `ok`; the doctor's also has a prediction. A
 * finding that is only a hint is not a verdict.
 */
export function verdictOf(reply: unknown): Verdict | null {
  if (typeof reply !== 'object' || reply === null) return null;
  const { ok, prediction, result } = reply as {
    ok?: unknown;
    result?: unknown;
    prediction?: { starts?: unknown; deletes?: unknown };
  };
  if (prediction?.starts === false) return 'willNotStart';
  if (Array.isArray(prediction?.deletes) && prediction.deletes.length > 0) return 'deletesLog';
  if (result === 'errored') return 'errored';
  return ok === false ? 'damage' : null;
}

/** Members that name streams, events or people, and those stored separately in the entry. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'dataDirectory',
  'target',
  'winnowHome',
  'scratchDirectory',
  'password',
  'stream',
  'streams',
  'categories',
  'eventIds',
  'eventNumber',
  'search',
  'filter',
  'recheck'
]);

/** The scalar members of a request or a report; for lists, their length. */
export function scalarsOf(value: unknown): Record<string, Scalar> {
  if (typeof value !== 'object' || value === null) return {};
  const scalars: Record<string, Scalar> = {};
  for (const [name, member] of Object.entries(value as Record<string, unknown>).slice(0, MOST_MEMBERS)) {
    if (Array.isArray(member)) scalars[`${name}.count`] = member.length;
    else if (LEFT_OUT.has(name)) continue;
    else if (typeof member === 'string') scalars[name] = shortened(member, LONGEST_VALUE);
    else if (typeof member === 'number' || typeof member === 'boolean' || member === null)
      scalars[name] = member;
  }
  return scalars;
}

export function logLine(text: string): string {
  return shortened(text, LONGEST_LINE);
}

/** Details of an error: scalars; a stack trace is shortened but still shows where. */
export function detailsOf(details: Record<string, unknown>): Record<string, Scalar> {
  const LONGEST_DETAIL = 2000;
  return Object.fromEntries(
    Object.entries(details)
      .filter(([, value]) => value === null || ['string', 'number', 'boolean'].includes(typeof value))
      .map(([name, value]) => [
        name,
        typeof value === 'string' ? shortened(value, LONGEST_DETAIL) : (value as Scalar)
      ])
  );
}

/** A text member of a request. */
export function textMember(request: unknown, name: string): string | null {
  const value = (request as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : null;
}

function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
