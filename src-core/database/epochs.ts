/**
 * The epochs of a log, newest first: which node led when. Each record links back to the one before it, so the
 * chain is followed from epoch.chk, or from the newest one found by walking backward when that says -1.
 * Format: docs/format/records.md, "System".
 */
import { logCorrupt } from '../errors.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { LogRecord } from '../records/log-record.ts';
import { EMPTY_GUID } from '../codec/guid.ts';

export interface Epoch {
  number: number;
  position: number;
  id: string;
  previousPosition: number;
}

/** The server follows as many. */
const MAX_EPOCHS = 1000;

/**
 * Reads the chain that begins at `checkpoint` (a position, or negative for "look for it"). `withinBytes`: looks no further back
 * than this from the end of the log.
 */
export function readEpochs(log: LogReader, checkpoint: number | null, withinBytes = Infinity): Epoch[] {
  const epochs: Epoch[] = [];
  let record =
    checkpoint !== null && checkpoint >= 0
      ? log.readAt(checkpoint)
      : log.findBackward(log.end, ({ kind }) => kind === 'system', Math.max(0, log.end - withinBytes));
  if (checkpoint !== null && checkpoint >= 0) requireEpoch(record, checkpoint);
  // What else lies there says nothing of epochs, whatever its data is: the chain ends before it.
  while (record?.kind === 'system' && epochs.length < MAX_EPOCHS) {
    const epoch = decodeEpoch(record);
    epochs.push(epoch);
    if (epoch.previousPosition < 0 || epoch.previousPosition >= epoch.position) break;
    record = log.readAt(epoch.previousPosition);
  }
  return epochs;
}

function requireEpoch(record: LogRecord | undefined, position: number): void {
  if (record?.kind === 'system') return;
  throw logCorrupt(
    `epoch.chk names position ${position}, but there is no epoch record.`,
    { file: 'epoch.chk', offset: 0, position },
    'Restore the checkpoints from the same backup as the chunks, or write -1 into epoch.chk: the server then searches for the epoch itself.'
  );
}

/** Members left out have their default value. */
function decodeEpoch(record: LogRecord): Epoch {
  let parsed: unknown;
  try {
    parsed = JSON.parse(record.data.toString('utf8'));
  } catch {
    parsed = undefined; // told below, with the place
  }
  if (typeof parsed !== 'object' || parsed === null) {
    throw logCorrupt(`The epoch record at position ${record.position} is not a JSON object.`, {
      position: record.position
    });
  }
  const members = parsed as Record<string, unknown>;
  const whole = (name: string, otherwise: number) => {
    const value = members[name];
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : otherwise;
  };
  return {
    number: whole('epochNumber', 0),
    position: record.position,
    id: typeof members['epochId'] === 'string' ? members['epochId'] : EMPTY_GUID,
    previousPosition: whole('prevEpochPosition', 0)
  };
}
