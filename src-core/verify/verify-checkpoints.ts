/**
 * The checkpoint files against each other and against the log. What makes the server refuse is damage; what it sets
 * right by itself at its next start is a hint.
 */
import type { Database } from '../database/database.ts';
import { readEpochs, type Epoch } from '../database/epochs.ts';
import { EngineError, requireFault } from '../errors.ts';
import {
  CHECKPOINT_NAMES,
  checkpointFileName,
  readCheckpoints,
  type CheckpointName
} from '../log/checkpoint-file.ts';
import { DEFAULT_MAX_TRUNCATION_BYTES } from '../log/truncation.ts';
import { damage, hint, REPAIR_COMMAND, type Finding } from './finding.ts';

const CHECKPOINT_BYTES = 8;
/** No more are followed. */
const MAX_EPOCHS_READ = 1000;
const FROM_ONE_BACKUP = 'Restore the checkpoints and the chunks from the same backup of this node.';

const MISSING: Record<Exclude<CheckpointName, 'writer'>, string> = {
  chaser: 'the server treats it as 0 and reads the whole log again',
  epoch: 'the server searches for the newest epoch itself',
  proposal: 'the server uses the number of the newest epoch',
  truncate: 'the server treats it as "nothing to cut"'
};

export function verifyCheckpoints(database: Database): Finding[] {
  return [
    ...missingFiles(database),
    ...lengths(database),
    ...ranges(database),
    ...order(database),
    ...distance(database),
    ...epoch(database)
  ];
}

function missingFiles({ checkpoints, chunkSet }: Database): Finding[] {
  const findings: Finding[] = [];
  if (checkpoints.writer === null) {
    findings.push(
      damage('checkpointMissing', {
        file: 'writer.chk',
        message: 'writer.chk is missing: the end of the log is not known, and the server does not start.',
        remedy: `${FROM_ONE_BACKUP} The completed chunks end at position ${completedEnd(chunkSet)}.`,
        command: REPAIR_COMMAND
      })
    );
  }
  for (const name of ['chaser', 'epoch', 'proposal', 'truncate'] as const) {
    if (checkpoints[name] !== null) continue;
    findings.push(
      hint('checkpointMissing', {
        file: checkpointFileName(name),
        message: `${checkpointFileName(name)} is missing; ${MISSING[name]}.`,
        remedy: 'Nothing to do: the server creates it again at its next start.'
      })
    );
  }
  return findings;
}

/** Of those that can be read, without what is missing between them. A scavenged chunk whose footer is damaged is none. */
function completedEnd({ chunks }: Database['chunkSet']): number {
  let end = chunks[0]?.startPosition ?? 0;
  for (const { footer, startPosition, endPosition } of chunks) {
    if (footer === null || startPosition !== end) break;
    end = endPosition;
  }
  return end;
}

/** The server makes eight bytes of any length: zeros are added, the rest is cut off. */
function lengths({ fileSystem, dataDirectory }: Database): Finding[] {
  const findings: Finding[] = [];
  for (const name of [...CHECKPOINT_NAMES.map(checkpointFileName), 'tag.chk']) {
    const size = fileSystem.describe(fileSystem.join(dataDirectory, name))?.size;
    if (size === undefined || size === CHECKPOINT_BYTES) continue;
    const what = `${name} has ${size} bytes instead of ${CHECKPOINT_BYTES}`;
    const isHarmless = size > CHECKPOINT_BYTES || name === 'proposal.chk' || name === 'tag.chk';
    const place = { file: name, offset: size };
    findings.push(
      isHarmless
        ? hint('checkpointInvalid', {
            ...place,
            message: `${what}; the server ${size > CHECKPOINT_BYTES ? 'uses the first eight' : 'adds zeros'}.`,
            remedy: 'Nothing to do.'
          })
        : damage('checkpointInvalid', {
            ...place,
            message: `${what}: the server adds zeros and uses a position that was never written.`,
            remedy: FROM_ONE_BACKUP,
            command: REPAIR_COMMAND
          })
    );
  }
  return findings;
}

/**
 * writer.chk was checked when the chunks were chosen; epoch.chk and truncate.chk (verify-truncation.ts) have separate
 * rules.
 */
function ranges({ checkpoints }: Database): Finding[] {
  const chaser = checkpoints.chaser ?? 0;
  if (chaser >= -1) return [];
  return [
    damage('checkpointInvalid', {
      file: 'chaser.chk',
      offset: 0,
      message: `chaser.chk holds ${chaser}, which is not a position in a log.`,
      remedy: FROM_ONE_BACKUP,
      command: REPAIR_COMMAND
    })
  ];
}

/**
 * Of a running server the chaser is always a little behind. A restore cuts the log at the chaser's position, and the
 * server cuts no more than its limit.
 */
function distance(database: Database): Finding[] {
  const { writer, chaser, truncate } = database.checkpoints;
  const behind = (writer ?? 0) - (chaser ?? 0);
  if (writer === null || chaser === null || chaser < 0 || behind <= 0) return [];
  const place = { file: 'chaser.chk', offset: 0, position: chaser };
  if (behind <= DEFAULT_MAX_TRUNCATION_BYTES) {
    // A truncation that is pending decides what becomes of these records.
    if (database.inUse || (truncate !== null && truncate !== -1) || !endsAtRecord(database)) return [];
    return [
      hint('chaserBehind', {
        ...place,
        message: `chaser.chk (${chaser}) is ${behind} bytes behind writer.chk (${writer}).`,
        remedy:
          'Nothing to do: the next start reads these records, adds them to its index and advances the chaser.'
      })
    ];
  }
  return [
    hint('chaserBehind', {
      ...place,
      message: `chaser.chk is ${behind} bytes behind writer.chk: the next start reads them, but a restore of this state would have to cut off more than the server's limit of ${DEFAULT_MAX_TRUNCATION_BYTES}.`,
      remedy: 'Let the node catch up before you back it up, or start a restored one with --max-truncation=-1.'
    })
  ];
}

function order({ fileSystem, dataDirectory, checkpoints, chunkSet }: Database): Finding[] {
  const findings: Finding[] = [];
  const writer = checkpoints.writer ?? 0;
  // A running server moves on: a chaser that was read a moment after the writer may be ahead of what was read then.
  const isAhead = (checkpoints.chaser ?? 0) > writer && checkpoints.writer !== null;
  if (isAhead && (checkpoints.chaser ?? 0) > (readCheckpoints(fileSystem, dataDirectory).writer ?? 0)) {
    findings.push(
      damage('chaserBeyondWriter', {
        file: 'chaser.chk',
        offset: 0,
        position: checkpoints.chaser,
        message: `chaser.chk (${checkpoints.chaser}) is ahead of writer.chk (${writer}); the server does not start.`,
        remedy: FROM_ONE_BACKUP,
        command: REPAIR_COMMAND
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
        message: `writer.chk (${writer}) is after the last chunk, which ends at ${lastEnd}.`,
        remedy: FROM_ONE_BACKUP,
        command: REPAIR_COMMAND
      })
    );
  }
  return findings;
}

function epoch({ fileSystem, dataDirectory, checkpoints, log }: Database): Finding[] {
  const value = checkpoints.epoch;
  if (value === null || checkpoints.writer === null) return [];
  if (value < 0) return unknownEpoch(value, log.end);
  const invalid = (message: string) => [
    damage('epochCheckpointInvalid', {
      file: 'epoch.chk',
      offset: 0,
      position: value,
      message,
      remedy: 'Write -1 into epoch.chk: the server then searches for the newest epoch itself.',
      command: REPAIR_COMMAND
    })
  ];
  if (value >= log.end && value < (readCheckpoints(fileSystem, dataDirectory).writer ?? 0)) return []; // written since
  if (value >= log.end) return invalid(`epoch.chk (${value}) is after the end of the log (${log.end}).`);
  if (!isHere(log, value)) return [];
  try {
    const broken = brokenChain(readEpochs(log, value), log);
    return broken === undefined ? [] : invalid(broken);
  } catch (error) {
    // In an encrypted chunk nothing can be looked up; the chunk itself is named as not checked.
    if (isEncrypted(error)) return [];
    requireFault(error, 'LogCorrupt');
    return invalid(error.message);
  }
}

/** Otherwise writer.chk is what is wrong, and the distance to it means nothing. */
function endsAtRecord({ log, chunkSet }: Database): boolean {
  if (log.end > (chunkSet.chunks.at(-1)?.endPosition ?? 0)) return false;
  try {
    return log.findBackward(log.end, () => true) !== undefined;
  } catch (error) {
    if (isEncrypted(error)) return true;
    requireFault(error, 'LogCorrupt');
    return false;
  }
}

/** Any negative value says so. A log without records has none. */
function unknownEpoch(value: number, end: number): Finding[] {
  if (end === 0) return [];
  return [
    hint('epochUnknown', {
      file: 'epoch.chk',
      offset: 0,
      message: `epoch.chk holds ${value}: it does not say where the newest epoch is.`,
      remedy:
        'Nothing to do: the next start searches backwards from the end of the log for the newest epoch and writes its position.'
    })
  ];
}

/** Each epoch names the position of the one before it; the server follows them at its start. */
function brokenChain(epochs: readonly Epoch[], log: Database['log']): string | undefined {
  for (const [i, { number, position, previousPosition }] of epochs.entries()) {
    if (previousPosition < 0) continue;
    if (previousPosition >= position)
      return `Epoch ${number} at position ${position} names ${previousPosition} as the position of the one before it.`;
    const previous = epochs[i + 1];
    if (!previous && !isHere(log, previousPosition)) return undefined;
    const isFollowed = previous !== undefined || i + 1 === MAX_EPOCHS_READ;
    const kind = isFollowed ? 'system' : log.readAt(previousPosition)?.kind;
    if (kind !== 'system')
      return `Epoch ${number} at position ${position} names ${previousPosition} as that of the one before it, where there is no epoch.`;
    if (previous && previous.number >= number)
      return `Epoch ${number} at position ${position} follows epoch ${previous.number}.`;
  }
  return undefined;
}

/** Of a chunk that is missing or archived nothing is known; it has a finding of its own. */
function isHere(log: Database['log'], position: number): boolean {
  return log.chunkAt(position) !== undefined;
}

function isEncrypted(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'UnsupportedFormat';
}
