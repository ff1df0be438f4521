/**
 * Whether a server's statistics accumulate in a log: they expire after a day, and only a scavenge removes them. Never
 * walks the log: streams are looked up by their likely names, then among the newest records. A stream of
 * statistics under another name, with much other traffic since its last event, is not found.
 */
import os from 'node:os';
import { ticksFromMs, ticksToIso, TICKS_PER_SECOND, type Database } from '../../../src-core/index.ts';
import { STATISTICS_NOTE } from '../../settings/setting-table.ts';
import { listHistory } from '../scavenge/list-history.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { Warning } from '../../contract/operations/reports.ts';
import { openSystemIndex } from '../streams/stream-index-access.ts';

export const STATISTICS_PILE_UP = 'statisticsPileUp';
const PREFIX = '$stats-';
/** The default address of a node. */
const USUAL_PORT = 2113;
/** A server writes statistics every half minute: in a quiet log the newest records contain some. */
const NEWEST_RECORDS = 5000;
const MOST_TICKS = 7n * 86_400n * TICKS_PER_SECOND;

const REMEDY = 'Scavenge at least once a week, preferably on a schedule, or set WriteStatsToDb to false.';

/** What the setting means for a log, whether or not anything has accumulated. */
export const WRITES_STATISTICS: Warning = {
  code: 'statisticsWritten',
  message: `WriteStatsToDb is on. ${STATISTICS_NOTE} Until then they take up space in chunks and index.`,
  remedy: REMEDY
};

/** undefined: nothing accumulates, as far as can be seen. */
export async function statisticsWarning(
  database: Database,
  request: CheckedRequestOf<'inspectDatabase'>,
  context: OperationContext
): Promise<Warning | undefined> {
  const found = await findStatistics(database, request, context);
  if (!found && !request.writesStatistics) return undefined;
  const { runs } = await listHistory(request, context);
  const last = runs.find(({ result, endedAt }) => result === 'success' && endedAt !== null)?.endedAt ?? null;
  const isPruned = found && last !== null && ticksToIso(found.newest) <= last;
  // The last scavenge removed what was written before it; one event always stays.
  if (isPruned && !request.writesStatistics) return undefined;
  const since = last ?? ticksToIso(found?.oldest ?? database.log.readAt(0)?.ticks ?? 0n);
  const isFresh = since > ticksToIso(ticksFromMs(context.clock()) - MOST_TICKS);
  if (isFresh) return undefined;
  const what = found
    ? `The log contains statistics events (${found.stream})`
    : 'Statistics events are written';
  const when =
    last === null ? 'no scavenge has finished yet' : `the last scavenge finished on ${last.slice(0, 10)}`;
  return {
    code: STATISTICS_PILE_UP,
    message: `${what}, which expire after 24 hours, and ${when}.`,
    remedy: REMEDY
  };
}

interface Statistics {
  stream: string;
  oldest: bigint;
  newest: bigint;
}

async function findStatistics(
  database: Database,
  request: CheckedRequestOf<'inspectDatabase'>,
  context: OperationContext
): Promise<Statistics | undefined> {
  const { log } = database;
  const index = await openSystemIndex(database, request, context);
  try {
    const named = likelyNames().find((stream) => index.lastEventNumber(stream) >= 0);
    const stream = named ?? streamAmongNewest(database);
    if (stream === undefined) return undefined;
    const ticksOf = (number: number): bigint | undefined => {
      const position = number < 0 ? undefined : index.firstWritten(stream, number);
      return position === undefined ? undefined : log.readAt(position)?.ticks;
    };
    const newest = ticksOf(index.lastEventNumber(stream));
    return newest === undefined ? undefined : { stream, oldest: ticksOf(0) ?? newest, newest };
  } finally {
    index.close();
  }
}

/** A node names the stream after its own address, and most have one of these. */
function likelyNames(): string[] {
  const addresses = new Set(['127.0.0.1', 'localhost', '0.0.0.0', os.hostname(), ...ownAddresses()]);
  return [...addresses].map((address) => `${PREFIX}${address}:${USUAL_PORT}`);
}

/** Empty where the system does not tell a process that is confined, as a unit without AF_NETLINK. */
function ownAddresses(): string[] {
  try {
    return Object.values(os.networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
  } catch {
    return [];
  }
}

function streamAmongNewest({ log }: Database): string | undefined {
  let left = NEWEST_RECORDS;
  let found: string | undefined;
  log.findBackward(log.end, (record) => {
    if (record.kind === 'prepare' && record.stream.startsWith(PREFIX)) found = record.stream;
    return found !== undefined || --left === 0;
  });
  return found;
}
