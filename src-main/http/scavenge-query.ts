/**
 * The query of a scavenge request, with the checks and the words of the server, in its order, then Winnow's own options: the
 * first check that fails is the answer. Names match without regard to case; unknown ones are accepted and reported.
 */
import type { ScavengeQuery } from '../cluster/node-scavenges.ts';
import { readRunOptions, RUN_OPTIONS } from './run-options.ts';

export type ReadQuery = { query: ScavengeQuery; unknownNames: string[] } | { fault: string };

const KNOWN = [
  ...['startfromchunk', 'threads', 'threshold', 'throttlepercent', 'synconly'],
  ...Object.keys(RUN_OPTIONS).map((name) => name.toLowerCase())
];
const INT32_MAX = 2_147_483_647;

/** `parameters`: values as sent; of a repeated name the last. `now`: for a time of the day. */
export function readScavengeQuery(parameters: URLSearchParams, now: Date): ReadQuery {
  const values = new Map([...parameters].map(([name, value]) => [name.toLowerCase(), value]));
  const start = integer(values.get('startfromchunk'), 0);
  if (start === undefined || start < 0) return { fault: 'startFromChunk must be a positive integer' };
  const threads = integer(values.get('threads'), 1);
  if (threads === undefined || threads < 1) return { fault: 'threads must be a 1 or above' };
  const threshold = integer(values.get('threshold'), 0);
  if (threshold === undefined) return { fault: 'threshold must be an integer' };
  // A server treats any negative number as -1; a number without a meaning is more likely a mistake.
  if (threshold < -1) return { fault: 'threshold must be -1 or above' };
  const throttlePercent = integer(values.get('throttlepercent'), 100);
  if (throttlePercent === undefined || throttlePercent < 1 || throttlePercent > 100) {
    return { fault: 'throttlePercent must be between 1 and 100 inclusive' };
  }
  if (threads > 1 && throttlePercent !== 100) {
    return { fault: 'throttlePercent must be 100 for a multi-threaded scavenge' };
  }
  const syncOnly = flag(values.get('synconly'));
  if (syncOnly === undefined) return { fault: 'syncOnly must be a boolean' };
  const run = readRunOptions(values, now);
  if ('fault' in run) return run;
  return {
    query: { threads, threshold, throttlePercent, syncOnly, ...run.options },
    unknownNames: [...parameters.keys()].filter((name) => !KNOWN.includes(name.toLowerCase()))
  };
}

/** undefined for a text that is not a 32-bit integer. */
function integer(text: string | undefined, whenAbsent: number): number | undefined {
  if (text === undefined) return whenAbsent;
  if (!/^\s*[+-]?\d{1,10}\s*$/.test(text)) return undefined;
  const value = Number(text);
  return value > INT32_MAX || value < -INT32_MAX - 1 ? undefined : value;
}

function flag(text: string | undefined): boolean | undefined {
  if (text === undefined) return false;
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
