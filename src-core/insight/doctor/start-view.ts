/**
 * The directory as a starting server sees it once it has made its checkpoint files and cut what truncate.chk asks
 * for: changes kept in memory over the real files, which are only read. All later steps of a start are judged on
 * this, so that a truncation removes what it cuts off.
 */
import type { DatabasePlace } from '../../database/database.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { EngineError } from '../../errors.ts';
import {
  CHECKPOINT_NAMES,
  checkpointFileName,
  readCheckpoints,
  writeCheckpointFile,
  type CheckpointName
} from '../../log/checkpoint-file.ts';
import { planTruncation, type TruncationPlan } from '../../log/truncation.ts';
import { OverlayFileSystem } from '../../scavenge/output/overlay-file-system.ts';

/** What the server writes into a checkpoint file that is not there. */
const INITIAL: Record<CheckpointName, number> = {
  writer: 0,
  chaser: 0,
  epoch: -1,
  proposal: -1,
  truncate: -1
};

export interface StartView {
  place: DatabasePlace;
  /** undefined: nothing was asked for, or it is refused. */
  truncation: TruncationPlan | undefined;
  /** Why the truncation would fail. */
  refusal: EngineError | undefined;
}

export async function startView(
  place: DatabasePlace,
  { maxTruncationBytes, control }: { maxTruncationBytes: number; control: OperationControl }
): Promise<StartView> {
  const { dataDirectory } = place;
  const fileSystem = new OverlayFileSystem(place.fileSystem);
  const view = { ...place, fileSystem };
  const before = readCheckpoints(fileSystem, dataDirectory);
  for (const name of CHECKPOINT_NAMES) {
    if (before[name] === null) setCheckpoint(view, name, INITIAL[name]);
  }
  try {
    const truncation = await planTruncation({
      fileSystem,
      dataDirectory,
      maxTruncationBytes,
      trustsEncrypted: true,
      control
    });
    if (truncation) cut(view, truncation);
    return { place: view, truncation, refusal: undefined };
  } catch (error) {
    // What the disk refused to us says nothing about a truncation.
    if (!(error instanceof EngineError) || error.details['osCode'] !== undefined) throw error;
    return { place: view, truncation: undefined, refusal: error };
  }
}

function cut(place: DatabasePlace, { removed, reopened, checkpoints }: TruncationPlan): void {
  const { fileSystem, dataDirectory } = place;
  for (const { file } of removed) fileSystem.remove(fileSystem.join(dataDirectory, file));
  if (reopened) {
    const file = fileSystem.open(fileSystem.join(dataDirectory, reopened.file), 'readWrite');
    // Cut and made longer again: what lies between reads as zeros.
    file.truncate(reopened.zeroFrom);
    file.truncate(reopened.length);
    file.close();
  }
  const before = readCheckpoints(fileSystem, dataDirectory);
  // What stays may be a number that no position is.
  for (const name of ['epoch', 'chaser', 'writer'] as const)
    if (checkpoints[name] !== before[name]) setCheckpoint(place, name, checkpoints[name]);
  setCheckpoint(place, 'truncate', -1);
}

function setCheckpoint(
  { fileSystem, dataDirectory }: DatabasePlace,
  name: CheckpointName,
  value: number
): void {
  writeCheckpointFile(fileSystem, fileSystem.join(dataDirectory, checkpointFileName(name)), value);
}
