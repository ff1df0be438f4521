/** What can be done about findings: which operation answers one, and its plan. */
import type {
  ChosenPath,
  FindingRow,
  NodeEntry,
  RepairReport,
  WorkName,
  WorkSnapshot
} from '../../src-main/contract/verbs/workbench-contract.ts';
import type { Operations } from './operations.svelte.ts';

export const REPAIR_WORK: readonly WorkName[] = ['repairDatabase', 'planIndexRebuild', 'rebuildIndex'];

export interface RepairOptions {
  usesBackups: boolean;
  /** Instead: a target of backups or a copy of the data directory, and what opens it. */
  place?: ChosenPath;
  /** One backup of the target; the newest where none is named. */
  backupId?: string;
  key?: ChosenPath;
  /** Instead of a key file. */
  passwordId?: string;
  acceptLoss: boolean;
  /** On a network share, where a server's lock cannot be seen. */
  assumeStopped: boolean;
}

/** What a plan begins with: what the directory itself can give, and no record is given up. */
export const REPAIR_DEFAULTS: RepairOptions = {
  usesBackups: false,
  acceptLoss: false,
  assumeStopped: false
};

/** By the command that the engine names: a finding without one has no operation that answers it. */
export function remedyOf({ command }: FindingRow): 'repair' | 'rebuildIndex' | null {
  if (command === null) return null;
  if (command.startsWith('winnow index rebuild')) return 'rebuildIndex';
  return command.startsWith('winnow repair') ? 'repair' : null;
}

/** Plans what answers one finding, and others of its kind with it. */
export async function planRemedy(
  operations: Operations,
  nodeId: string,
  finding: FindingRow,
  options: RepairOptions
): Promise<void> {
  if (remedyOf(finding) === 'rebuildIndex') await operations.start(nodeId, 'planIndexRebuild', {});
  else
    await operations.start(nodeId, 'repairDatabase', {
      ...askedOf(options),
      only: [finding.code],
      dryRun: true
    });
}

/** Plans a repair of everything that can be repaired. */
export async function planRepair(
  operations: Operations,
  node: NodeEntry,
  options: RepairOptions
): Promise<void> {
  await operations.start(node.id, 'repairDatabase', { ...askedOf(options), only: [], dryRun: true });
}

function askedOf(options: RepairOptions) {
  const { usesBackups, acceptLoss, assumeStopped, place, backupId, key, passwordId } = options;
  const from = place ? { fromPlace: place.id } : { usesBackups };
  const opens = passwordId === undefined ? (key ? { keyPlace: key.id } : {}) : { passwordId };
  const one = backupId === undefined ? {} : { backupId };
  return { acceptLoss, assumeStopped, ...from, ...(place || usesBackups ? { ...one, ...opens } : {}) };
}

/** One opens the backups, the other is forgotten. */
export function withKey(
  { key: _key, passwordId: _passwordId, ...rest }: RepairOptions,
  given: Pick<RepairOptions, 'key' | 'passwordId'>
): RepairOptions {
  return { ...rest, ...given };
}

/** The same plan again, with what opens the backup. */
export async function planAgainWithKey(
  operations: Operations,
  work: WorkSnapshot,
  { key, passwordId }: Pick<RepairOptions, 'key' | 'passwordId'>
): Promise<void> {
  const { keyPlace: _earlierKey, passwordId: _earlierPassword, plan: _plan, ...asked } = work.request;
  const opens = passwordId === undefined ? (key ? { keyPlace: key.id } : {}) : { passwordId };
  await operations.start(work.nodeId, 'repairDatabase', { ...asked, ...opens, dryRun: true });
}

/** Takes outcomes of a node's ended work on findings off the list. */
export async function closeRepairWork(operations: Operations, nodeId: string): Promise<void> {
  const ended = operations.all.filter(
    (work) => work.nodeId === nodeId && REPAIR_WORK.includes(work.name) && work.endedMs !== null
  );
  for (const { id } of ended) await operations.forget(id);
}

/** A repair that may cut the log off. */
export function mayLose(work: WorkSnapshot): boolean {
  return work.request['acceptLoss'] === true;
}

/** Files that the actions change, each once. */
export function filesOf({ actions }: RepairReport): number {
  return new Set(actions.flatMap(({ changes }) => changes.map(({ file }) => file))).size;
}
