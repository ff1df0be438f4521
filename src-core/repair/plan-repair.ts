/**
 * Makes a plan out of what verification found: the order of its actions is that of the layers. First the chunks are
 * made whole, then the end of the log is settled, then the checkpoints follow it, then what belongs to nothing goes
 * away, and the index last, because it is derived from all the rest. Reads only.
 */
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import type { Database } from '../database/database.ts';
import { readChunkSet } from '../log/chunk-set.ts';
import { DEFAULT_MAX_TRUNCATION_BYTES } from '../log/truncation.ts';
import { isIndexFault, type Finding } from '../verify/finding.ts';
import type { FileChange } from './file-change.ts';
import { planChunks } from './plan-chunks.ts';
import { planCheckpoints } from './plan-checkpoints.ts';
import { planIndex } from './plan-index.ts';
import { planLeftovers } from './plan-leftovers.ts';
import { planLogEnd, provenEnd } from './plan-log-end.ts';
import {
  unrepaired,
  type PlanRepair,
  type RepairAction,
  type RepairPlan,
  type Unrepaired
} from './repair-plan.ts';

export async function planRepair(options: PlanRepair): Promise<RepairPlan> {
  const { findings, donor, database } = options;
  const atEnd = donor ? without(findings, ownedByDonor(options)) : findings;
  const end = await planLogEnd({ ...options, findings: atEnd });
  const chunks = await planChunks(
    { ...options, findings: without(findings, end.answered) },
    { writer: end.writer, settled: new Set(end.actions.map(({ file }) => file)) }
  );
  const leftovers = await planLeftovers(options, { writer: end.writer, needed: chunks.needed });
  const isLogDamaged =
    findings.some(({ code }) => code === 'archiveGap') ||
    end.unrepaired.length + chunks.unrepaired.length + chunks.actions.length > 0 ||
    end.actions.some(({ file }) => file !== 'writer.chk');
  const checkpoints = planCheckpoints(
    { ...options, findings: without(findings, end.answered) },
    { isLogDamaged, writer: end.writer }
  );
  const index = planIndex({ ...options, findings: without(findings, end.answered) });

  const answered = new Set<Finding>(
    [end, chunks, leftovers, checkpoints, index].flatMap(({ answered: own }) => own)
  );
  const isGap = findings.some((finding) => finding.code === 'archiveGap' && !answered.has(finding));
  // What lies wholly behind the end that the log gets is no part of it any more.
  const ofLog = chunks.unrepaired.filter(({ file }) => !isBehind(file, end.writer, database));
  const isLogWhole = end.unrepaired.length + ofLog.length === 0 && !isGap;
  const actions: RepairAction[] = [
    ...checkpoints.actions.filter(({ file }) => file === 'truncate.chk'),
    ...chunks.actions,
    ...end.actions,
    ...checkpoints.actions.filter(({ file }) => file !== 'truncate.chk'),
    ...leftovers.actions,
    ...index.actions.filter(({ isOfWholeLog }) => isLogWhole || isOfWholeLog !== true)
  ];
  // A writer that moves takes findings away that stand for the old place.
  const isMoved = end.writer !== database.log.end;
  const rest = [
    ...end.unrepaired,
    ...ofLog,
    ...leftovers.unrepaired,
    ...checkpoints.unrepaired,
    ...gapsBefore(end.writer, options),
    ...index.unrepaired,
    ...index.answered
      .filter((finding) => !isLogWhole && isIndexFault(finding))
      .map((finding) => unrepaired(finding, 'the index can be rebuilt once the log is whole again')),
    ...findings
      .filter((finding) => finding.severity === 'damage' && !answered.has(finding))
      .filter((finding) => !isMoved || !ofOldEnd(finding, end.writer))
      .filter(({ file }) => !isBehind(file, end.writer, database))
      .map((finding) => unrepaired(finding, `${finding.message} ${finding.remedy}`))
  ];
  return { actions: toldOnce(actions), unrepaired: rest };
}

/** A checkpoint that an earlier step has already given its value is no longer changed by a later one. */
function toldOnce(actions: readonly RepairAction[]): RepairAction[] {
  const given = new Map<string, FileChange['new']>();
  return actions.map((action) => {
    const changes = action.changes
      .map((change) => (given.has(change.file) ? { ...change, old: given.get(change.file)! } : change))
      .filter(({ kind, old, new: now }) => kind !== 'checkpoint' || old !== now);
    for (const { kind, file, new: now } of changes) if (kind === 'checkpoint') given.set(file, now);
    return { ...action, changes };
  });
}

function without(findings: readonly Finding[], others: readonly Finding[]): Finding[] {
  const gone = new Set(others);
  return findings.filter((finding) => !gone.has(finding));
}

/**
 * A missing last chunk that the backup has is not a reason to truncate the log, unless writer.chk leads beyond it and nothing
 * else does: then the backup has the end of the log, and what is wrong is writer.chk.
 */
function ownedByDonor({ findings, donor, database }: PlanRepair): Finding[] {
  const { chunkSizeBytes: size, chunks } = database.chunkSet;
  const hasDonor = (position: number) =>
    donor?.chunks.some(
      ({ startNumber, endNumber }) => startNumber * size <= position && position < (endNumber + 1) * size
    ) === true;
  const last = Math.max(0, provenEnd(database) - 1);
  const isWriterAlone = (database.checkpoints.writer ?? 0) > (Math.floor(last / size) + 1) * size;
  const isEndThere = isWriterAlone && hasDonor(last);
  return findings.filter(({ code, position }) => {
    if (code !== 'chunkMissing' || position === null || !hasDonor(position)) return false;
    return !isEndThere || chunks.some(({ startPosition }) => startPosition > position);
  });
}

/** Chunks that are seen to be missing only once the log has this end: before it was nowhere. A backup may have them. */
function gapsBefore(writer: number, { database, donor, findings }: PlanRepair): Unrepaired[] {
  const { fileSystem, dataDirectory, checkpoints } = database;
  if (donor || writer === checkpoints.writer) return [];
  return readChunkSet({ fileSystem, directory: dataDirectory, writer })
    .problems.filter(({ code }) => code === 'archiveGap' || code === 'chunkMissing')
    .filter(({ code, position }) => !findings.some((one) => one.code === code && one.position === position))
    .map((problem) => unrepaired(problem, `${problem.message} ${problem.remedy}`));
}

/** Of a file that reaches behind the end that the log gets: it is the one being written then, or none of the log. */
function isBehind(
  file: string | null,
  writer: number,
  { checkpoints, log, chunkSet: { chunkSizeBytes } }: Database
): boolean {
  const name = file === null ? undefined : decodeChunkFileName(file);
  if (writer >= (checkpoints.writer ?? log.end) || name === undefined) return false;
  return (name.chunkNumber + 1) * chunkSizeBytes > writer;
}

const OLD_END_CODES = new Set(['chunkMissing', 'chunkNotCompleted', 'surplusChunk']);

/** A truncation that was too much of a log which never reached so far is looked at again when its end is right. */
function ofOldEnd({ code, position }: Finding, writer: number): boolean {
  if (code === 'truncatePending' && position !== null)
    return writer - position <= DEFAULT_MAX_TRUNCATION_BYTES;
  return OLD_END_CODES.has(code);
}
