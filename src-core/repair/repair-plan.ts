/**
 * What a repair would do, and what it cannot. An action knows how to carry itself out; all that it needs to decide it
 * looks up again when it runs, because earlier actions change the files.
 */
import type { Database, DatabasePlace } from '../database/database.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { Finding } from '../verify/finding.ts';
import type { ChunkDonor } from './chunk-donor.ts';
import type { FileChange } from './file-change.ts';
import type { Loss } from './loss.ts';
import type { SetAside } from './set-aside.ts';

export interface RepairAction {
  /** The finding that it answers. */
  code: string;
  /** Relative to the data directory, as in the finding. */
  file: string;
  /** One sentence: what is done and on what grounds. */
  why: string;
  /** Each file that it changes; none where an earlier step of the plan does it along with its own. */
  changes: FileChange[];
  /** Must not be done while the log is damaged. */
  isOfWholeLog?: boolean;
  /** It takes a file out of the backup. */
  isFromDonor?: boolean;
  /** Carries it out; a sentence says why it could not be. */
  run: (work: RepairWork) => Promise<string | undefined>;
}

/** What stays as it is, and what of the data that concerns. */
export interface Unrepaired {
  code: string;
  file: string | null;
  why: string;
  lost: Loss | null;
}

export interface RepairPlan {
  actions: RepairAction[];
  unrepaired: Unrepaired[];
}

export interface PlanRepair {
  database: Database;
  /** Of a verification of this database as it is now. */
  findings: readonly Finding[];
  donor: ChunkDonor | undefined;
  /** Cut the log where damage forces it, although that loses records. */
  acceptLoss: boolean;
  control: OperationControl;
}

/** What actions work with. */
export interface RepairWork {
  place: DatabasePlace & { indexDirectory: string };
  setAside: SetAside;
  newGuid: () => string;
  /** Rebuilds the index from the log; the caller's lock covers it. */
  rebuildIndex: () => Promise<void>;
  control: OperationControl;
}

export function unrepaired(
  finding: Pick<Finding, 'code' | 'file'>,
  why: string,
  lost: Loss | null = null
): Unrepaired {
  return { code: finding.code, file: finding.file, why, lost };
}
