/**
 * The queries of runs over HTTP besides scavenges: the options of their commands. A directory is not among them: paths come
 * from the command line and from the list of nodes only. The first check that fails is the answer.
 */
import { PLACEMENTS_WITHOUT_WRITE } from '../../src-core/index.ts';
import { MOST_SIDES } from '../contract/operations/difference-requests.ts';
import { MOST_LISTED } from '../contract/operations/usage-requests.ts';
import { byteCount } from '../settings/byte-count.ts';
import { durationMs } from '../settings/duration.ts';
import type { RunKind } from './node-runs.ts';
import { RUN_OPTIONS } from './run-options.ts';

interface QueryOption {
  /** For people, and for the description of the service. */
  help: string;
  /** What is wrong with a value, after the name. */
  fault: string;
  /** A part of the request; undefined: not such a value. `all`: every value that was sent under the name. */
  read: (text: string, now: Date, all: readonly string[]) => object | undefined;
}

const { until, throttle, now, assumeStopped, startAfresh, scavengePoint, merge, window } =
  RUN_OPTIONS as Required<typeof RUN_OPTIONS>;
const { unsafeIgnoreHardDeletes, alwaysKeepScavenged } = RUN_OPTIONS as Required<typeof RUN_OPTIONS>;
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
      read: (text) => flag('quick', text)
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
  rebuild: { ...required({ assumeStopped }) },
  diff: {
    node: {
      help: 'another node by its name or id in the list of nodes; repeatable',
      fault: `must be names of nodes, ${MOST_SIDES - 2} at most`,
      read: (_text, _now, all) =>
        all.length > MOST_SIDES - 2 || all.some((name) => name === '') ? undefined : { nodes: [...all] }
    },
    backup: {
      help: "a backup in the node's own target, by its id; newest: the last one",
      fault: 'must be the id of a backup, or newest',
      read: (text) => (/^[\w.-]{1,100}$/.test(text) ? { backup: text } : undefined)
    },
    readAll: {
      help: 'true: also read files whose stored hashes are equal',
      fault: 'must be a boolean',
      read: (text) => flag('readAll', text)
    },
    ...required({ throttle })
  },
  plan: {
    threads: {
      help: 'threads that rewrite chunks, from 1',
      fault: 'must be 1 or above',
      read: (text) => whole('threads', text, 1)
    },
    threshold: {
      help: 'minimum weight of a chunk to rewrite; 0: any weight, -1: every chunk',
      fault: 'must be an integer from -1 on',
      read: (text) => whole('threshold', text, -1)
    },
    throttlePercent: {
      help: 'share of the time to spend working, 1 to 100',
      fault: 'must be between 1 and 100 inclusive',
      read: (text) => whole('throttlePercent', text, 1, 100)
    },
    syncOnly: {
      help: 'true: only to an existing scavenge point that no scavenge has reached',
      fault: 'must be a boolean',
      read: (text) => flag('syncOnly', text)
    },
    breakdown: {
      help: 'true: also which records are removed, by rule, by category and by stream',
      fault: 'must be a boolean',
      read: (text) => flag('breakdown', text)
    },
    members: {
      help: 'with window: so many members of a cluster, one after the other, with logs like this one',
      fault: 'must be between 1 and 100 inclusive',
      read: (text) => whole('members', text, 1, 100)
    },
    ...required({ scavengePoint, throttle, merge, unsafeIgnoreHardDeletes, alwaysKeepScavenged }),
    ...required({ startAfresh, now }),
    window: {
      ...(window as QueryOption),
      help: 'a maintenance window, such as 02:00-04:00 (local time): what is done in which night, and when it is through'
    }
  },
  projections: {
    top: {
      help: `categories at most, from 1 to ${MOST_LISTED}`,
      fault: `must be between 1 and ${MOST_LISTED} inclusive`,
      read: (text) => whole('top', text, 1, MOST_LISTED)
    },
    threads: {
      help: 'chunks to count at once, at most one per core',
      fault: 'must be 1 or above',
      read: (text) => whole('threads', text, 1)
    },
    ...required({ now })
  },
  startup: {
    serverVersion: {
      help: 'version of the server to be started, such as 24.10',
      fault: 'must be a version such as 24.10',
      read: (text) => (/^\d{1,4}(\.\d{1,4}){1,3}$/.test(text) ? { serverVersion: text } : undefined)
    },
    applyTruncation: {
      help: 'true: the preparation would also truncate the log as truncate.chk asks for',
      fault: 'must be a boolean',
      read: (text) => flag('applyTruncation', text)
    },
    mergeTables: {
      help: 'true: the preparation would also merge index tables',
      fault: 'must be a boolean',
      read: (text) => flag('mergeTables', text)
    }
  },
  fleet: {}
};

/** `parameters`: values as sent; names match without regard to case, unknown ones are accepted and reported. */
export function readOtherRunQuery(
  kind: RunKind,
  parameters: URLSearchParams,
  at: Date
): { options: object; unknownNames: string[] } | { fault: string } {
  const values = Map.groupBy(parameters, ([name]) => name.toLowerCase());
  const options = {};
  const known: string[] = [];
  for (const [name, { read, fault }] of Object.entries(OTHER_RUN_OPTIONS[kind])) {
    known.push(name.toLowerCase());
    const all = (values.get(name.toLowerCase()) ?? []).map(([, value]) => value.trim());
    const text = all.at(-1);
    if (text === undefined) continue;
    const found = read(text, at, all);
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

function flag(name: string, text: string): object | undefined {
  const word = text.toLowerCase();
  return word === 'true' || word === 'false' ? { [name]: word === 'true' } : undefined;
}

function whole(name: string, text: string, least: number, most = Infinity): object | undefined {
  if (!/^-?\d{1,9}$/.test(text)) return undefined;
  const value = Number(text);
  return value < least || value > most ? undefined : { [name]: value };
}

function size(name: string, text: string): object | undefined {
  const bytes = byteCount(text);
  return bytes === undefined || !Number.isSafeInteger(bytes) ? undefined : { [name]: bytes };
}

function duration(name: string, text: string, least: number): object | undefined {
  const ms = durationMs(text);
  return ms === undefined || ms < least ? undefined : { [name]: ms };
}
