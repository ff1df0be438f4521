/**
 * The checkpoint files against each other and against the log. What makes the server refuse is damage; what it sets
 * right by itself at its next start is a hint.
 */
import type { Database } from '../database/database.ts';
import { readEpochs } from '../database/epochs.ts';
import { EngineError } from '../errors.ts';
import { checkpointFileName, type CheckpointName } from '../log/checkpoint-file.ts';
import { damage, hint, type Finding } from './finding.ts';

/** The server's default limit on how much a start may cut off. */
const MAX_TRUNCATION_BYTES = 268435456;
const FROM_ONE_BACKUP = 'Restore the checkpoints and the chunks from the same backup of this node.';

const MISSING: Record<Exclude<CheckpointName, 'writer'>, string> = {
  chaser: 'the server takes it for 0 and goes through the whole log again',
  epoch: 'the server looks for the newest epoch itself',
  proposal: 'the server takes the number of the newest epoch',
  truncate: 'the server takes it for "nothing to cut"'
};

export function verifyCheckpoints(database: Database): Finding[] {
  return [...missingFiles(database), ...order(database), ...epoch(database), ...truncation(database)];
}

function missingFiles({ checkpoints, chunkSet }: Database): Finding[] {
  const findings: Finding[] = [];
  if (checkpoints.writer === null) {
    findings.push(
      damage('checkpointMissing', {
        file: 'writer.chk',
        message: 'writer.chk is missing: where the log ends is not known, and the server does not start.',
        remedy: `${FROM_ONE_BACKUP} The completed chunks end at position ${chunkSet.writerPosition}.`
      })
    );
  }
  for (const name of ['chaser', 'epoch', 'proposal', 'truncate'] as const) {
    if (checkpoints[name] !== null) continue;
    findings.push(
      hint('checkpointMissing', {
        file: checkpointFileName(name),
        message: `${checkpointFileName(name)} is missing; ${MISSING[name]}.`,
        remedy: 'Nothing to do: the server makes it again at its next start.'
      })
    );
  }
  return findings;
}

function order({ checkpoints, chunkSet }: Database): Finding[] {
  const findings: Finding[] = [];
  const writer = checkpoints.writer ?? 0;
  if ((checkpoints.chaser ?? 0) > writer && checkpoints.writer !== null) {
    findings.push(
      damage('chaserBeyondWriter', {
        file: 'chaser.chk',
        offset: 0,
        position: checkpoints.chaser,
        message: `chaser.chk (${checkpoints.chaser}) is ahead of writer.chk (${writer}); the server does not start.`,
        remedy: FROM_ONE_BACKUP
      })
    );
  }
  const lastEnd = chunkSet.chunks.at(-1)?.endPosition ?? 0;
  if (
    chunkSet.chunks.length > 0 &&
    writer > lastEnd &&
    !chunkSet.problems.some(({ code }) => code === 'chunkMissing')
  ) {
    findings.push(
      damage('writerCheckpointBeyondEnd', {
        file: 'writer.chk',
        offset: 0,
        position: writer,
        message: `writer.chk (${writer}) lies behind the last chunk, which ends at ${lastEnd}.`,
        remedy: FROM_ONE_BACKUP
      })
    );
  }
  return findings;
}

function epoch({ checkpoints, log }: Database): Finding[] {
  const value = checkpoints.epoch;
  if (value === null || value < 0 || checkpoints.writer === null) return [];
  const invalid = (message: string) => [
    damage('epochCheckpointInvalid', {
      file: 'epoch.chk',
      offset: 0,
      position: value,
      message,
      remedy: 'Write -1 into epoch.chk: the server then looks for the newest epoch itself.'
    })
  ];
  if (value >= log.end) return invalid(`epoch.chk (${value}) lies behind the end of the log (${log.end}).`);
  try {
    readEpochs(log, value);
    return [];
  } catch (error) {
    // In an encrypted chunk nothing can be looked up; the chunk itself is named as not checked.
    if (isEncrypted(error)) return [];
    if (error instanceof EngineError && error.code === 'LogCorrupt') return invalid(error.message);
    throw error;
  }
}

function truncation({ checkpoints, log }: Database): Finding[] {
  const to = checkpoints.truncate;
  if (to === null || to === -1) return [];
  const place = { file: 'truncate.chk', offset: 0, position: to };
  const cut = log.end - to;
  if (cut <= 0) {
    return [
      hint('truncatePending', {
        ...place,
        message: `truncate.chk is set to ${to}, at or behind the end of the log: the next start cuts nothing and clears it.`,
        remedy: 'Nothing to do.'
      })
    ];
  }
  if (!isBoundary(log, to)) {
    return [
      damage('truncateInsideRecord', {
        ...place,
        message: `truncate.chk is set to ${to}, within a record: the next start deletes chunks and then fails.`,
        remedy:
          'Write the position of a record, or -1 for "nothing to cut", into truncate.chk before the next start.'
      })
    ];
  }
  if (cut > MAX_TRUNCATION_BYTES) {
    return [
      damage('truncatePending', {
        ...place,
        message: `truncate.chk is set to ${to}: the next start would cut off ${cut} bytes, above the server's limit of ${MAX_TRUNCATION_BYTES}, and refuses.`,
        remedy: 'Start the server with --max-truncation -1 if that is meant, else write -1 into truncate.chk.'
      })
    ];
  }
  return [
    hint('truncatePending', {
      ...place,
      message: `truncate.chk is set to ${to}: the next start cuts the last ${cut} bytes off the log.`,
      remedy:
        'Start the server once if that is meant (it is after a restore), else write -1 into truncate.chk.'
    })
  ];
}

/** Whether a record begins at `position`, or a chunk. Positions of scavenged chunks cut the whole chunk. */
function isBoundary(log: Database['log'], position: number): boolean {
  const chunk = log.chunkAt(position);
  if (!chunk || chunk.startPosition === position || chunk.isScavenged) return true;
  try {
    return log.readAt(position) !== undefined;
  } catch (error) {
    if (isEncrypted(error)) return true;
    if (error instanceof EngineError && error.code === 'LogCorrupt') return false;
    throw error;
  }
}

function isEncrypted(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'UnsupportedFormat';
}
