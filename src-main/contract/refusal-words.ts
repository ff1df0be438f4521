/** A schema's refusal as a sentence: what is wrong with which member, and what it takes. Shows no value but numbers. */
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Without its full stop. `input` is there where the schema was asked to report it. */
export function refusalWords(issue: Issue | undefined): string {
  if (issue === undefined) return 'The request has the wrong form';
  const name = issue.path.length === 0 ? 'The request' : `"${issue.path.map(String).join('.')}"`;
  return issue.code === 'custom' ? `${name}: ${issue.message}` : `${name} ${complaint(issue)}`;
}

function complaint(issue: Issue): string {
  switch (issue.code) {
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_type':
      return issue.input === undefined && issue.message.endsWith('undefined')
        ? 'is missing'
        : `must be ${NOUNS[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${listOf(issue.values)}`;
    case 'unrecognized_keys':
      return `has no member ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
    default:
      return 'has the wrong form';
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  bigint: 'a whole number'
};

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  const { origin, minimum, inclusive } = issue;
  if (isNumeric(origin)) {
    return `${shownNumber(issue.input)}must be ${inclusive === false ? 'more than' : 'at least'} ${minimum}`;
  }
  return Number(minimum) <= 1 ? 'is empty' : `must have at least ${minimum} ${partsOf(origin)}`;
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  const { origin, maximum, inclusive } = issue;
  if (isNumeric(origin)) {
    return `${shownNumber(issue.input)}must be ${inclusive === false ? 'less than' : 'at most'} ${maximum}`;
  }
  return `must have at most ${maximum} ${partsOf(origin)}`;
}

const isNumeric = (origin: string): boolean => ['number', 'int', 'bigint'].includes(origin);
const partsOf = (origin: string): string => (origin === 'string' ? 'characters' : 'entries');

const shownNumber = (input: unknown): string =>
  typeof input === 'number' || typeof input === 'bigint' ? `is ${input} and ` : '';

function listOf(values: readonly unknown[]): string {
  const shown = values.map((value) => `"${String(value)}"`);
  return shown.length === 1 ? String(shown[0]) : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}
