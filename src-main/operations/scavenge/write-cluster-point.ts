/**
 * Writes one scavenge point for all members of a stopped cluster: the same bytes at the same position in every log, as if
 * their leader had written it. All members are locked, checked and compared before the first byte is
 * written. The first log gets a new record, the others get that record's bytes; a call interrupted between two
 * members is continued by the next one, which finds the record where the others' logs end. No second point is
 * written while a member has not reached the one that its log ends with.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  EngineError,
  EventAppender,
  LogWriter,
  lockDirectory,
  openDatabase,
  scavengePointOf,
  ticksToIso,
  writeCheckpointFile,
  type FileSystem,
  type LogRecord
} from '../../../src-core/index.ts';
import type { ClusterPointReport } from '../../contract/operations/cluster-reports.ts';
import { logsDiffer, refuseDifferentLogs, type ComparedMember } from '../chunks/compare-logs.ts';
import { requestedNow } from '../database/database-access.ts';
import { refuseUnreadyMember } from './member-readiness.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf, DatabaseLocation } from '../../contract/operations/operation-contract.ts';
import { glanceAtScavengeState } from './scavenge-state-glance.ts';

const POINTS_STREAM = '$scavengePoints';

/** A point's record: its position, and the bytes between its length fields. */
interface PointRecord {
  position: number;
  payload: Buffer;
}

interface PlannedPoint {
  /** The point that some of the logs end with; undefined: a new one must be written. */
  record: PointRecord | undefined;
  holders: ComparedMember[];
  missing: ComparedMember[];
}

export async function writeClusterPoint(
  request: CheckedRequestOf<'writeClusterPoint'>,
  context: OperationContext
): Promise<ClusterPointReport> {
  const { fileSystem } = context;
  const locations = request.members.map((member) => ({
    ...member,
    dataDirectory: path.resolve(member.dataDirectory)
  }));
  const releases: (() => void)[] = [];
  const members: ComparedMember[] = [];
  try {
    for (const { dataDirectory } of request.dryRun ? [] : locations) {
      releases.push(lockDirectory({ fileSystem, dataDirectory }));
    }
    for (const location of locations) members.push(await openMember(location, context));
    const ends = members.map(endOf);
    const planned = planPoint(members);
    await refuseDifferentLogs(members, Math.min(...ends), context);
    for (const { database } of members) refuseUnreadyMember(database, planned.record !== undefined);
    const names = {
      written: planned.missing.map(directoryOf),
      heldBefore: planned.holders.map(directoryOf)
    };
    if (request.dryRun) return { point: null, ...names };
    for (const { database } of members) catchUpChaser(database);
    let { record } = planned;
    for (const member of planned.missing) {
      await context.control.breathe();
      record = appendPoint(member, { record, floor: Math.max(...ends), request, context });
    }
    return { point: confirmedPoint(members, record, fileSystem), ...names };
  } finally {
    for (const { database } of members) database.close();
    for (const release of releases) release();
  }
}

async function openMember(location: DatabaseLocation, context: OperationContext): Promise<ComparedMember> {
  const database = openDatabase({ fileSystem: context.fileSystem, ...location });
  try {
    database.requireWhole();
    return { database, index: await database.openIndex(context.control) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Refuses logs that end in different places, unless some lack only the point, or the room made for it. */
function planPoint(members: readonly ComparedMember[]): PlannedPoint {
  const last = members.map((member) => ({ member, record: lastPoint(member) }));
  const furthest = last.reduce((best, one) =>
    (one.record?.position ?? -1) > (best.record?.position ?? -1) ? one : best
  );
  const { record } = furthest;
  const holders = last.filter((one) => one.record !== undefined && one.record.position === record?.position);
  for (const one of holders) {
    if (one.record!.payload.equals(record!.payload)) continue;
    throw logsDiffer(
      furthest.member,
      one.member,
      `the scavenge points at position ${record!.position} differ`
    );
  }
  const missing = members.filter((member) => !holders.some((one) => one.member === member));
  const isNew = missing.length === 0 && members.every(({ database }) => isReached(database, record!));
  const target = record && !isNew ? record.position : Math.max(...members.map(endOf));
  const ahead = members.find((member) => endOf(member) >= target)!;
  for (const member of isNew || !record ? members : missing) {
    if (isNextPlace(member, target)) continue;
    const where = `they end at ${endOf(ahead)} and ${endOf(member)}`;
    throw logsDiffer(ahead, member, where);
  }
  if (isNew || !record) return { record: undefined, holders: [], missing: [...members] };
  return { record, holders: holders.map(({ member }) => member), missing };
}

/** Whether the next record may be there: where the log ends, or where the next chunk begins if this one is left. */
function isNextPlace(member: ComparedMember, position: number): boolean {
  const { chunkSizeBytes } = member.database.chunkSet;
  const end = endOf(member);
  return (
    position === end || (end < position && position === Math.ceil(end / chunkSizeBytes) * chunkSizeBytes)
  );
}

/** The last record of a log, if it is a scavenge point. */
function lastPoint({ database, index }: ComparedMember): PointRecord | undefined {
  const number = index.lastEventNumber(POINTS_STREAM);
  if (number < 0) return undefined;
  const position = index.firstWritten(POINTS_STREAM, number);
  const last = database.log.findBackward(database.log.end, () => true);
  if (last === undefined || last.position !== position) return undefined;
  return { position, payload: payloadOf(last) };
}

function isReached(database: ComparedMember['database'], { position }: PointRecord): boolean {
  const state = glanceAtScavengeState(database);
  const record = database.log.readAt(position);
  if (state?.stage !== 'done' || state.scavengePoint === null || !record) return false;
  return state.scavengePoint >= scavengePointOf(record).number;
}

/** Does what a start of the server does first; an interruption between the two checkpoints leaves this undone. */
function catchUpChaser({ fileSystem, dataDirectory, checkpoints }: ComparedMember['database']): void {
  const { writer, chaser } = checkpoints;
  if (writer === null || chaser === writer) return;
  writeCheckpointFile(fileSystem, fileSystem.join(dataDirectory, 'chaser.chk'), writer);
}

interface AppendPoint {
  /** undefined: for the first member. */
  record: PointRecord | undefined;
  /** End of the longest log before. */
  floor: number;
  request: CheckedRequestOf<'writeClusterPoint'>;
  context: OperationContext;
}

function appendPoint(
  { database, index }: ComparedMember,
  { record, floor, request, context }: AppendPoint
): PointRecord {
  const { fileSystem } = context;
  const { dataDirectory: directory, chunkSet } = database;
  const newGuid = (): string => randomUUID();
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, chunkSet);
  try {
    const place = record?.position ?? floor;
    if (writer.position < place) writer.completeChunk();
    let position = place;
    if (record) {
      writer.append((at) => {
        if (at !== place) throw notWritten(directory, place);
        return record.payload;
      });
      writer.completeChunk();
    } else {
      const now = requestedNow(request.now, context);
      const lastEventNumber = (stream: string): number => index.lastEventNumber(stream);
      const appender = new EventAppender({ writer, newGuid, now: () => now, lastEventNumber });
      ({ position } = appender.writeScavengePoint(request.threshold));
    }
    writer.close();
    return record ?? { position, payload: payloadOf(recordAt(fileSystem, directory, position)) };
  } catch (error) {
    // The process may survive: the file is closed, and what writer.chk does not include was never appended.
    writer.abandon();
    throw error;
  }
}

/** Reads the point back from every log, to confirm that all have it. */
function confirmedPoint(
  members: readonly ComparedMember[],
  expected: PointRecord | undefined,
  fileSystem: FileSystem
): ClusterPointReport['point'] {
  if (!expected) return null;
  let point: ClusterPointReport['point'] = null;
  for (const { dataDirectory } of members.map(({ database }) => database)) {
    const record = recordAt(fileSystem, dataDirectory, expected.position);
    if (!payloadOf(record).equals(expected.payload)) throw notWritten(dataDirectory, expected.position);
    const { effectiveNow, ...rest } = scavengePointOf(record);
    point = { ...rest, effectiveNow: ticksToIso(effectiveNow) };
  }
  return point;
}

function recordAt(fileSystem: FileSystem, dataDirectory: string, position: number): LogRecord {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const record = database.log.readAt(position);
    if (!record) throw notWritten(dataDirectory, position);
    return record; // its bytes are in their own memory, which outlives the reader
  } finally {
    database.close();
  }
}

function payloadOf({ bytes, start, length }: LogRecord): Buffer {
  return Buffer.from(bytes.subarray(start, start + length));
}

function endOf({ database }: ComparedMember): number {
  return database.log.end;
}

function directoryOf({ database }: ComparedMember): string {
  return database.dataDirectory;
}

function notWritten(file: string, position: number): EngineError {
  return new EngineError({
    code: 'StorageFailed',
    message: `The scavenge point could not be written at position ${position} of the log in ${file}.`,
    remedy:
      'Run "winnow verify" on this member; the next call continues with the members that lack the point.',
    details: { file, position }
  });
}
