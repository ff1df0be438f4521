/**
 * How deep and how large a document from outside may be, however it arrives: the window's requests, bodies
 * over HTTP. Deep ones are harmless where they are read but fatal later, where ordinary code
 * (JSON.stringify, a schema, a comparison) recurses into them: so none passes the gate.
 *
 * Walks with a list, never recursively. Accepts plain objects, arrays and scalars; no request of the contract has
 * anything else that can cross from a page (maps, dates, classes).
 */
import { invalidRequest } from '../../src-core/index.ts';

export const MOST_DEPTH = 32;
/** Values of all levels: the largest request lists the files of an erasure report. */
export const MOST_VALUES = 200_000;
export const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Throws InvalidRequest for a document beyond the bounds. */
export function refuseUnbounded(document: unknown): void {
  let values = 0;
  let characters = 0;
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) throw tooMuch(`is nested more than ${MOST_DEPTH} deep`);
    const below: unknown[] = [];
    for (const value of level) {
      values += 1;
      if (typeof value === 'string') characters += value.length;
      if (typeof value === 'object' && value !== null) {
        for (const [name, member] of membersOf(value)) {
          characters += name.length;
          below.push(member);
        }
      }
      if (values + below.length > MOST_VALUES) throw tooMuch(`has more than ${MOST_VALUES} values`);
      if (characters > MOST_CHARACTERS) throw tooMuch('is too long');
    }
    level = below;
  }
}

/** JSON within the bounds; throws InvalidRequest for anything else. */
export function parseDocument(text: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw invalidRequest('The request is not valid JSON.', 'body', 'Correct it. Nothing was done.');
  }
  refuseUnbounded(document);
  return document;
}

function membersOf(value: object): Iterable<[string, unknown]> {
  if (Array.isArray(value)) return value.map((element): [string, unknown] => ['', element]);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype)
    throw tooMuch('contains a value that no request has');
  return Object.entries(value);
}

function tooMuch(what: string): Error {
  return invalidRequest(`The request ${what}.`, 'request', 'Request less at a time. Nothing was done.');
}
