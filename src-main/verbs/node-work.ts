/**
 * What the main process adds to work that the window starts on a node: its directories, its kind, its backup
 * target; and the check that work that cannot be undone is started with its plan.
 */
import { invalidRequest } from '../../src-core/index.ts';
import { isPlannedOperation, requirePlanOfRequest } from '../operations/plan/plan-identity.ts';
import { answerOf } from '../settings/cluster-membership.ts';
import type { OpenedNode } from '../settings/node-registry.ts';
import type { CallName, NodeEntry, WorkName } from '../contract/verbs/workbench-contract.ts';

export type NodeWorkName = Exclude<WorkName, 'writeSample'>;

export interface Location {
  dataDirectory: string;
  indexDirectory?: string;
}

export function locationOf(node: OpenedNode): Location {
  return node.indexDirectory === undefined
    ? { dataDirectory: node.dataDirectory }
    : { dataDirectory: node.dataDirectory, indexDirectory: node.indexDirectory };
}

/** Members added to a question about a node. */
export function callContext(name: CallName, node: NodeEntry): Record<string, unknown> {
  switch (name) {
    case 'listBackups':
      return targetOf(node);
    case 'inspectDatabase':
      // The window also plans while a server holds the directory; `inUse` tells whether it may write.
      return { ...locationOf(node), ...natureOf(node), forPlan: true };
    default:
      return { ...locationOf(node) };
  }
}

export interface WorkToFillIn {
  name: NodeWorkName;
  node: NodeEntry;
  home: string;
  /** The members accepted from the window. */
  asked: Record<string, unknown>;
}

/** Members added to work on a node: directories and, depending on the work, the target, or what is known about the cluster. */
export function workContext({ name, node, home, asked }: WorkToFillIn): Record<string, unknown> {
  switch (name) {
    case 'planIndexRebuild':
    case 'rebuildIndex':
      return { ...locationOf(node) };
    case 'verifyDatabase':
    case 'examineStart':
    case 'surveyUsage':
      return { ...locationOf(node), winnowHome: home };
    case 'compareChunk':
      return {
        ...locationOf(node),
        ...(asked['with'] === 'backup' ? { fromBackup: targetOf(node) } : {})
      };
    case 'reportErasure':
      return {
        ...locationOf(node),
        winnowHome: home,
        backupTargets: node.backupTarget === undefined ? [] : [targetOf(node)]
      };
    case 'explain':
    case 'planScavenge':
    case 'runScavenge':
      return {
        ...locationOf(node),
        winnowHome: home,
        ...natureOf(node)
      };
    case 'planRescue':
    case 'runRescue':
      return { ...locationOf(node), winnowHome: home };
    case 'planBackup':
    case 'createBackup':
      return { ...locationOf(node), ...targetOf(node), winnowHome: home };
    case 'verifyBackup':
    case 'rehearseBackup':
    case 'pruneBackups':
      return targetOf(node);
    case 'planRestore':
    case 'runRestore':
      return { ...locationOf(node), ...targetOf(node) };
    case 'continueRestore':
    case 'undoRestore':
      return { dataDirectory: node.dataDirectory };
    case 'repairDatabase':
      return {
        ...locationOf(node),
        winnowHome: home,
        ...(asked['usesBackups'] === true ? { fromBackup: targetOf(node) } : {})
      };
  }
}

/** Work that can only be started with the identity of its plan: it cannot be undone, or not easily. */
const BY_PLAN: ReadonlySet<NodeWorkName> = new Set<NodeWorkName>([
  'runScavenge',
  'runRescue',
  'pruneBackups',
  'runRestore',
  'repairDatabase',
  'rebuildIndex'
]);

/**
 * Refuses work that was not planned, or was planned for another directory, another target or with other options. Whether the
 * state is still that of the plan is checked by the operation itself, under its lock. `request`: as sent to the engine.
 */
export function refuseWithoutPlan(name: NodeWorkName, request: object): void {
  const { plan, dryRun } = request as { plan?: string; dryRun?: boolean };
  if (!BY_PLAN.has(name) || !isPlannedOperation(name) || dryRun === true) return;
  if (plan === undefined) {
    throw invalidRequest(
      'There is no plan for this request. Nothing was written.',
      'planId',
      'Make the plan first.'
    );
  }
  requirePlanOfRequest(plan, { operation: name, request });
}

/** What is known of the node: a person's answer, else its configuration. */
function natureOf(node: NodeEntry): { singleNode?: boolean } {
  const singleNode = answerOf(node);
  return singleNode === undefined ? {} : { singleNode };
}

/** The node's backup target, as requests name it. */
function targetOf({ name, backupTarget, backupEndpoint }: NodeEntry): {
  target: string;
  s3Endpoint?: string;
} {
  if (backupTarget !== undefined) {
    return { target: backupTarget, ...(backupEndpoint === undefined ? {} : { s3Endpoint: backupEndpoint }) };
  }
  throw invalidRequest(
    `No directory for backups of ${name} has been chosen.`,
    'target',
    'Choose one in the view Backups.'
  );
}
