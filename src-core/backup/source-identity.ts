/**
 * Whose database this is, and which history it holds: the database tag, the chain of epochs, the writer's position.
 * Read from the files, by reading alone.
 */
import { EngineError, logCorrupt } from '../errors.ts';
import { openDatabase } from '../database/database.ts';
import { readEpochs } from '../database/epochs.ts';
import { requireReplaced } from '../log/chunk-set.ts';
import { checkpointFileName, type Checkpoints } from '../log/checkpoint-file.ts';
import { readTruncation } from '../log/truncation.ts';
import { describeTruncation, effectOf } from '../log/truncation-rule.ts';
import { problemAsError } from '../log/log-problem.ts';
import { readAgainWhenGone } from '../storage/read-again.ts';
import { readIfThere, type SourcePlace } from './source-files.ts';
import type { ManifestEpoch } from './manifest.ts';

export interface SourceIdentity {
  /** tag.chk as decimal digits; null in versions without one. */
  databaseTag: string | null;
  /** URL of the node, when it was asked. */
  address: string | null;
  dataDirectory: string;
  /**
   * Which files on the disk the checkpoints are: `writer 12, epoch 13, proposal 14`. A server writes them in place for as
   * long as the database lives; a restore or a copy puts others there. Not the chaser's, which an undone restore renews.
   */
  checkpointFiles?: string | null;
  /** Newest first. */
  epochs: ManifestEpoch[];
  writer: number;
  chunkSize: number;
}

export const TAG_NAME = 'tag.chk';

/** Reads the identity; refuses a directory that holds no log, or one that no server would open. */
export function readSourceIdentity(place: SourcePlace, address: string | null): SourceIdentity {
  return readAgainWhenGone((gone) => readIdentity(place, address, gone));
}

function readIdentity(place: SourcePlace, address: string | null, gone: Error | undefined): SourceIdentity {
  const database = openDatabase(place);
  try {
    requireReplaced(database.chunkSet, gone);
    requireUsable(database.checkpoints);
    requireNoCut(place, database.checkpoints);
    const fault = database.problems.find(
      ({ severity, code }) => severity === 'damage' && code !== 'archiveGap' && code !== 'surplusChunk'
    );
    if (fault) throw problemAsError(fault);
    const isReadable = !database.problems.some(({ code }) => code === 'encrypted' || code === 'archiveGap');
    const epochs = isReadable ? readEpochs(database.log, database.checkpoints.epoch) : [];
    return {
      databaseTag: readTag(place),
      address,
      dataDirectory: place.dataDirectory,
      checkpointFiles: readCheckpointFiles(place),
      epochs: epochs.map(({ number, position, id }) => ({ number, position, id })),
      writer: database.checkpoints.writer ?? 0,
      chunkSize: database.chunkSet.chunkSizeBytes
    };
  } finally {
    database.close();
  }
}

function readCheckpointFiles({ fileSystem, dataDirectory }: SourcePlace): string {
  return (['writer', 'epoch', 'proposal'] as const)
    .map((name) => [
      name,
      fileSystem.describe(fileSystem.join(dataDirectory, checkpointFileName(name)))?.inode
    ])
    .filter(([, inode]) => inode !== undefined)
    .map((words) => words.join(' '))
    .join(', ');
}

/** The tag as decimal digits: it is above 2^53. */
export function readTag({ fileSystem, dataDirectory }: SourcePlace): string | null {
  const bytes = readIfThere(fileSystem, fileSystem.join(dataDirectory, TAG_NAME));
  if (!bytes || bytes.length < 8) return null;
  return new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true).toString();
}

/** Without these a restored copy would lose its log or its index. */
function requireUsable({ writer, chaser }: Checkpoints): void {
  for (const [name, value] of [
    ['writer.chk', writer],
    ['chaser.chk', chaser]
  ] as const) {
    if (value === null || value < 0) {
      throw logCorrupt(
        value === null ? `${name} is missing.` : `${name} holds ${value}, which is not a position.`,
        { file: name, offset: 0 },
        'Run "winnow verify" and "winnow repair" first; a backup without it could not be restored.'
      );
    }
  }
}

/** What the next start removes is not backed up as if it stayed. */
function requireNoCut({ fileSystem, dataDirectory }: SourcePlace, { truncate, writer }: Checkpoints): void {
  if (truncate === null || truncate < 0 || writer === null) return;
  const decision = readTruncation({ fileSystem, dataDirectory, writer, requested: truncate });
  if ('missing' in decision || effectOf(decision) === 'nothing') return;
  throw new EngineError({
    code: 'InvalidRequest',
    message: `truncate.chk is set to ${truncate}; the writer is at ${writer}. The next start ${describeTruncation(decision)}.`,
    remedy:
      'Start the server once, or run "winnow restore --finish", to truncate the log; then take the backup. ' +
      'If the truncation is not intended, write -1 into truncate.chk first.',
    details: { field: 'DB', file: 'truncate.chk', position: truncate }
  });
}
