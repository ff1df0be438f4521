/**
 * How one node stands, from what is known without reading its log: an inspection, the growth of the log as far as its chunks
 * have been read, the list of its backups. What cannot be learnt is told as not known, and does not keep the rest away.
 */
import path from 'node:path';
import { nextTimes, parseCron, requireFault } from '../../src-core/index.ts';
import type { BackupsReport } from '../contract/operations/backup-reports.ts';
import type { FleetNode, FleetNote } from '../contract/operations/fleet-reports.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import type { RegisteredNode } from '../settings/node-registry.ts';

/** A node of the list, or a directory that was named. */
export type StandingNode = Pick<RegisteredNode, 'name' | 'dataDirectory'> &
  Partial<Pick<RegisteredNode, 'indexDirectory' | 'backupTarget' | 'backupEndpoint' | 'backupSchedule'>>;

export interface StandingParts {
  engine: Pick<EngineHost, 'call'>;
  /** Of a target; nodes that share one share its list. */
  backupsIn: (target: string, endpoint: string | undefined) => Promise<BackupsReport>;
  winnowHome: string;
  nowMs: number;
  /** Name of the registered cluster with this directory. */
  cluster: string | null;
  signal?: AbortSignal | undefined;
}

const MS_PER_DAY = 86_400_000;
/** The disk is full sooner. */
const SOON_DAYS = 30;
/** A rehearsal older than this proves little. */
const REHEARSED_DAYS = 90;

/** Notes that make a monitor look: the others are advice. */
const URGENT: readonly FleetNote[] = ['unreadable', 'damaged', 'diskFullSoon', 'backupFailed'];

type Failure = NonNullable<FleetNode['error']>;

export async function nodeStanding(node: StandingNode, parts: StandingParts): Promise<FleetNode> {
  const { engine, winnowHome, nowMs, cluster, signal } = parts;
  const options = signal === undefined ? {} : { signal };
  const place = {
    dataDirectory: node.dataDirectory,
    ...(node.indexDirectory === undefined ? {} : { indexDirectory: node.indexDirectory })
  };
  const inspected = await told(() => engine.call('inspectDatabase', { ...place, winnowHome }, options));
  const growth = inspected.value
    ? await told(() =>
        engine.call('forecastGrowth', { ...place, winnowHome, onlyKnown: true, top: 1, days: 1 }, options)
      )
    : undefined;
  const backups = await backupsOf(node, parts);
  const report = inspected.value;
  const full = growth?.value?.growth ? growth.value.full : null;
  const standing = {
    name: node.name,
    dataDirectory: node.dataDirectory,
    indexDirectory: node.indexDirectory ?? null,
    cluster,
    error: inspected.failure,
    health: report?.health ?? null,
    inUse: report?.inUse?.by ?? null,
    writerCheckpoint: report?.checkpoints.writer ?? null,
    logBytes: report?.bytes.data ?? null,
    indexBytes: report?.bytes.index ?? null,
    freeBytes: report?.freeBytes ?? null,
    removableBytes: growth?.value?.freedNowBytes ?? null,
    diskFull: full,
    growthUnknown: growth?.value?.unknown ?? null,
    coverage: report?.coverage ?? null,
    lastScavenged: report?.lastScavenged ?? null,
    lastScavengedFrom: report?.lastScavengedFrom ?? null,
    backupTarget: node.backupTarget ?? null,
    ...backups,
    nextBackup: nextBackupOf(node, nowMs),
    scheduledBackupFailure: node.backupSchedule?.last?.message ?? null
  };
  const notes = notesOf(standing, nowMs);
  return { ...standing, notes, needsLook: notes.some((note) => URGENT.includes(note)) };
}

async function backupsOf(
  { dataDirectory, backupTarget: target, backupEndpoint }: StandingNode,
  { backupsIn }: StandingParts
): Promise<Pick<FleetNode, 'lastBackup' | 'backupError'>> {
  if (target === undefined) return { lastBackup: null, backupError: null };
  const { value, failure } = await told(() => backupsIn(target, backupEndpoint));
  const own = value?.backups.findLast(
    ({ node }) => path.resolve(node.dataDirectory) === path.resolve(dataDirectory)
  );
  return {
    lastBackup: own
      ? {
          id: own.id,
          endedAt: own.endedAt,
          verifiedAt: own.verified?.ok ? own.verified.at : null,
          rehearsedAt: own.rehearsed?.at ?? null,
          isRehearsedWell: own.rehearsed?.ok ?? null
        }
      : null,
    backupError: failure
  };
}

function nextBackupOf({ backupSchedule }: StandingNode, nowMs: number): string | null {
  if (!backupSchedule) return null;
  try {
    const { expression, timeZone } = backupSchedule;
    const [next] = nextTimes(parseCron(expression), { fromMs: nowMs, timeZone, count: 1 });
    return next === undefined ? null : new Date(next).toISOString();
  } catch {
    return null; // a schedule that is wrong has no next time; the window says why
  }
}

function notesOf(node: Omit<FleetNode, 'notes' | 'needsLook'>, nowMs: number): FleetNote[] {
  if (node.error) return ['unreadable'];
  const { health, diskFull, coverage, lastBackup, backupError } = node;
  const notes: FleetNote[] = [];
  const days = diskFull?.withoutScavenges?.days ?? Infinity;
  if (health?.state === 'willNotStart' || (health?.damageCount ?? 0) > 0) notes.push('damaged');
  if (days < SOON_DAYS) notes.push('diskFullSoon');
  if (node.lastScavengedFrom === 'never') notes.push('neverScavenged');
  if (!lastBackup && !backupError) notes.push('noBackup');
  else if (lastBackup && !isRehearsed(lastBackup, nowMs)) notes.push('backupNotRehearsed');
  if (backupError || node.scheduledBackupFailure !== null) notes.push('backupFailed');
  if (!coverage?.isWhole) notes.push('notVerified');
  return notes;
}

function isRehearsed(
  { rehearsedAt, isRehearsedWell }: NonNullable<FleetNode['lastBackup']>,
  nowMs: number
): boolean {
  return (
    isRehearsedWell === true &&
    rehearsedAt !== null &&
    nowMs - Date.parse(rehearsedAt) < REHEARSED_DAYS * MS_PER_DAY
  );
}

/** The answer, or why there is none. Faults of our own, and a stop, are not for a table. */
async function told<T>(ask: () => Promise<T>): Promise<{ value: T | undefined; failure: Failure | null }> {
  try {
    return { value: await ask(), failure: null };
  } catch (error) {
    requireFault(error);
    const { code, message, remedy } = error;
    return { value: undefined, failure: { code, message, remedy } };
  }
}
