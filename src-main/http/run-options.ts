/**
 * The options of a scavenge over HTTP that only Winnow has: those of the command line, by the names of their settings and
 * requests. Whatever is not given stays as the service's settings say. The first check that fails is the answer.
 */
import {
  POINT_PLACEMENTS,
  quietOutside,
  SCAVENGE_PHASES,
  ticksFromIso,
  ticksToIso
} from '../../src-core/index.ts';
import type { RunOptions } from '../cluster/node-scavenges.ts';
import { durationMs } from '../settings/duration.ts';
import { byteCount } from '../settings/byte-count.ts';
import { LONGEST_HISTORY_DAYS } from '../settings/setting-table.ts';
import { untilTime } from '../settings/until-time.ts';

interface RunOption {
  /** For people, and for the description of the service. */
  help: string;
  /** What is wrong with a value, after the name. */
  fault: string;
  /** undefined: not such a value. */
  read: (text: string, now: Date) => RunOptions | undefined;
}

/** By the name of the parameter. */
export const RUN_OPTIONS: Record<string, RunOption> = {
  scavengePoint: {
    help: 'scavenge point to work to, instead of the setting ScavengePointPlacement: auto, existing, detached, new',
    fault: `must be one of ${POINT_PLACEMENTS.join(', ')}`,
    read: (text) =>
      one(
        'scavengePoint',
        POINT_PLACEMENTS.find((placement) => placement === text)
      )
  },
  until: {
    help: 'stop at the next checkpoint once it is this time: 05:00 (the next one, local time), or ISO 8601',
    fault: 'must be a time such as 05:00, or ISO 8601',
    read: (text, now) => one('until', untilTime(text, now))
  },
  window: {
    help: 'a maintenance window, such as 02:00-04:00 (local time): begins only inside, at the pace that its plan named, and stops at its end',
    fault: 'must be a window such as 02:00-04:00',
    read: (text) => one('window', isWindow(text) ? text : undefined)
  },
  throttle: {
    help: 'read and write at most this many bytes per second, such as 50MiB',
    fault: 'must be a size such as 50MiB',
    read: (text) => one('bytesPerSecond', size(text))
  },
  stopAfter: {
    help: `stop after this phase: ${SCAVENGE_PHASES.join(', ')}`,
    fault: `must be one of ${SCAVENGE_PHASES.join(', ')}`,
    read: (text) =>
      one(
        'stopAfter',
        SCAVENGE_PHASES.find((phase) => phase === text)
      )
  },
  merge: {
    help: 'false: do not merge small scavenged chunks',
    fault: 'must be a boolean',
    read: (text) => one('merge', flag(text))
  },
  unsafeIgnoreHardDeletes: {
    help: 'true: remove tombstones too: deleted streams can be written again',
    fault: 'must be a boolean',
    read: (text) => one('unsafeIgnoreHardDeletes', flag(text))
  },
  alwaysKeepScavenged: {
    help: 'true: replace a chunk even if the new file is not smaller',
    fault: 'must be a boolean',
    read: (text) => one('alwaysKeepScavenged', flag(text))
  },
  startAfresh: {
    help: 'true: move an existing scavenge state aside',
    fault: 'must be a boolean',
    read: (text) => one('startAfresh', flag(text))
  },
  assumeStopped: {
    help: 'true: the server is stopped (for network shares, where locks are not visible)',
    fault: 'must be a boolean',
    read: (text) => one('assumeStopped', flag(text))
  },
  keepReplaced: {
    help: 'keep what is replaced for so long, such as 7d, so that the scavenge can be undone; its space is freed only then',
    fault: 'must be a length of time such as 7d',
    read: (text) => one('keepReplacedMs', durationMs(text) || undefined)
  },
  now: {
    help: 'effective time of a detached or new scavenge point, ISO 8601',
    fault: 'must be a time in ISO 8601',
    read: (text) => {
      const ticks = ticksFromIso(text);
      return one('now', ticks === undefined ? undefined : ticksToIso(ticks));
    }
  },
  pageSize: {
    help: 'page size of the scavenge state: 1 to 64 KiB, or 512 to 65536 bytes',
    fault: 'must be a positive integer',
    read: (text) => one('pageSize', positive(text))
  },
  cacheSize: {
    help: 'cache of the scavenge state, such as 64MiB',
    fault: 'must be a size such as 64MiB',
    read: (text) => one('cacheSizeBytes', size(text) || undefined)
  },
  hashUsersCacheCapacity: {
    help: 'stream hashes remembered for collision checks',
    fault: 'must be a positive integer',
    read: (text) => one('hashUsersCacheCapacity', positive(text))
  },
  scavengeHistoryMaxAge: {
    help: 'how long the history of a single node is kept in its log, in days',
    fault: `must be from 1 to ${LONGEST_HISTORY_DAYS}`,
    read: (text) => {
      const days = positive(text);
      return one(
        'scavengeHistoryMaxAgeDays',
        days !== undefined && days <= LONGEST_HISTORY_DAYS ? days : undefined
      );
    }
  }
};

/** `values`: by names in lower case. */
export function readRunOptions(
  values: ReadonlyMap<string, string>,
  now: Date
): { options: RunOptions } | { fault: string } {
  const options: RunOptions = {};
  for (const [name, { read, fault }] of Object.entries(RUN_OPTIONS)) {
    const text = values.get(name.toLowerCase());
    if (text === undefined) continue;
    const found = read(text.trim(), now);
    if (found === undefined) return { fault: `${name} ${fault}` };
    Object.assign(options, found);
  }
  return { options };
}

function one<K extends keyof RunOptions>(name: K, value: RunOptions[K] | undefined): RunOptions | undefined {
  return value === undefined ? undefined : { [name]: value };
}

function isWindow(text: string): boolean {
  try {
    quietOutside(text);
    return true;
  } catch {
    return false;
  }
}

function flag(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

function positive(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

function size(text: string): number | undefined {
  const bytes = byteCount(text);
  return bytes === undefined || bytes === Infinity ? undefined : bytes;
}
