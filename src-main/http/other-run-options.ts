/**
 * The queries of rescues, verifications and rebuilds over HTTP: the options of their commands. A directory is not among
 * them: paths come from the command line only. The first check that fails is the answer.
 */
import { PLACEMENTS_WITHOUT_WRITE } from '../../src-core/index.ts';
import { byteCount } from '../settings/byte-count.ts';
import { durationMs } from '../settings/duration.ts';
import type { RunKind } from './node-runs.ts';
import { RUN_OPTIONS } from './run-options.ts';

interface QueryOption {
  /** For people, and for the description of the service. */
  help: string;
  /** What is wrong with a value, after the name. */
  fault: string;
  /** A part of the request; undefined: not such a value. */
  read: (text: string, now: Date) => object | undefined;
}

const { until, throttle, now, assumeStopped, startAfresh } = RUN_OPTIONS as Required<typeof RUN_OPTIONS>;
const RESCUE_PLACEMENTS = ['auto', ...PLACEMENTS_WITHOUT_WRITE];

/** By kind, then by the name of the parameter. */
export const OTHER_RUN_OPTIONS: Readonly<Record<RunKind, Readonly<Record<string, QueryOption>>>> = {
  rescue: {
    scavengePoint: {
      help: `scavenge point to work to: ${RESCUE_PLACEMENTS.join(', ')}`,
      fault: `must be one of ${RESCUE_PLACEMENTS.join(', ')}`,
      read: (text) => (RESCUE_PLACEMENTS.includes(text) ? { scavengePoint: text } : undefined)
    },
    threshold: {
      help: 'minimum weight of a chunk to rewrite; 0: any weight, -1: every chunk',
      fault: 'must be an integer from -1 on',
      read: (text) => whole('threshold', text, -1)
    },
    scratch: {
      help: 'additional bytes that may be used, such as 64MiB',
      fault: 'must be a size such as 64MiB',
      read: (text) => size('scratchBytes', text)
    },
    reserve: {
      help: 'bytes that always stay free, such as 16MiB',
      fault: 'must be a size such as 16MiB',
      read: (text) => size('reserveBytes', text)
    },
    ...required({ until, throttle, now, assumeStopped, startAfresh })
  },
  verify: {
    quick: {
      help: 'true: skip hashes, the order of index tables and the content of filters',
      fault: 'must be a boolean',
      read: (text) => {
        const word = text.toLowerCase();
        return word === 'true' || word === 'false' ? { quick: word === 'true' } : undefined;
      }
    },
    threads: {
      help: 'chunks to verify at once, at most one per core',
      fault: 'must be 1 or above',
      read: (text) => whole('threads', text, 1)
    },
    budget: {
      help: 'read files for this long only, such as 10min, those first that were verified longest ago',
      fault: 'must be a length of time such as 10min',
      read: (text) => duration('budgetMs', text, 0)
    },
    within: {
      help: 'answer whether the whole log was verified within this time, such as 30d',
      fault: 'must be a length of time such as 30d',
      read: (text) => duration('withinMs', text, 1)
    },
    ...required({ throttle })
  },
  rebuild: { ...required({ assumeStopped }) }
};

/** `parameters`: values as sent; names match without regard to case, unknown ones are accepted and reported. */
export function readOtherRunQuery(
  kind: RunKind,
  parameters: URLSearchParams,
  at: Date
): { options: object; unknownNames: string[] } | { fault: string } {
  const values = new Map([...parameters].map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const options = {};
  const known: string[] = [];
  for (const [name, { read, fault }] of Object.entries(OTHER_RUN_OPTIONS[kind])) {
    known.push(name.toLowerCase());
    const text = values.get(name.toLowerCase());
    if (text === undefined) continue;
    const found = read(text, at);
    if (found === undefined) return { fault: `${name} ${fault}` };
    Object.assign(options, found);
  }
  return {
    options,
    unknownNames: [...parameters.keys()].filter((name) => !known.includes(name.toLowerCase()))
  };
}

/** The same options of a scavenge have the same names, words and checks. */
function required(options: Record<string, QueryOption | undefined>): Record<string, QueryOption> {
  return Object.fromEntries(
    Object.entries(options).filter((entry): entry is [string, QueryOption] => entry[1] !== undefined)
  );
}

function whole(name: string, text: string, least: number): object | undefined {
  if (!/^-?\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value < least ? undefined : { [name]: value };
}

function size(name: string, text: string): object | undefined {
  const bytes = byteCount(text);
  return bytes === undefined || !Number.isSafeInteger(bytes) ? undefined : { [name]: bytes };
}

function duration(name: string, text: string, least: number): object | undefined {
  const ms = durationMs(text);
  return ms === undefined || ms < least ? undefined : { [name]: ms };
}
