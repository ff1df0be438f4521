/**
 * What the main process adds to work that the window starts on a node: its directories, its nature, its backup
 * target; and the check that whatever cannot be undone follows a plan of exactly the same.
 */
import { isDeepStrictEqual } from 'node:util';
import { EngineError, invalidRequest } from '../../src-core/index.ts';
import type { OpenedNode } from '../settings/node-registry.ts';
import type { CallName, NodeEntry, WorkName, WorkSnapshot } from './contract.ts';

export type NodeWorkName = Exclude<WorkName, 'writeSample'>;

export const TITLES: Record<NodeWorkName, string> = {
  verifyDatabase: 'Verify',
  reportErasure: 'Report on erasure in',
  examineStart: 'Look at the next start of',
  surveyUsage: 'Count what lies in',
  compareChunk: 'Compare a chunk of',
  planScavenge: 'Plan',
  explain: 'Explain',
  runScavenge: 'Scavenge',
  planBackup: 'Plan a backup of',
  createBackup: 'Back up',
  verifyBackup: 'Verify a backup of',
  rehearseBackup: 'Rehearse a backup of',
  pruneBackups: 'Prune the backups of',
  planRestore: 'Plan a restore of',
  runRestore: 'Restore',
  continueRestore: 'Go on restoring',
  undoRestore: 'Undo the restore of',
  repairDatabase: 'Repair',
  planIndexRebuild: 'Plan an index rebuild of',
  rebuildIndex: 'Rebuild the index of'
};

export interface Location {
  dataDirectory: string;
  indexDirectory?: string;
}

export function locationOf(node: OpenedNode): Location {
  return node.indexDirectory === undefined
    ? { dataDirectory: node.dataDirectory }
    : { dataDirectory: node.dataDirectory, indexDirectory: node.indexDirectory };
}

/** Added to a question about a node. */
export function callContext(name: CallName, node: NodeEntry): Record<string, unknown> {
  return name === 'listBackups' ? targetOf(node) : { ...locationOf(node) };
}

export interface WorkToFillIn {
  name: NodeWorkName;
  node: NodeEntry;
  home: string;
  /** What was taken from the window. */
  asked: Record<string, unknown>;
}

/** Added to work on a node: directories and, by what it is, the target, or what is known about the cluster. */
export function workContext({ name, node, home, asked }: WorkToFillIn): Record<string, unknown> {
  switch (name) {
    case 'verifyDatabase':
    case 'examineStart':
    case 'planIndexRebuild':
    case 'rebuildIndex':
      return { ...locationOf(node) };
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
        ...(node.isSingleNode === true ? { singleNode: true } : {}),
        ...clusterSizeOf(node)
      };
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
        ...(asked['usesBackups'] === true ? { fromBackup: targetOf(node) } : {})
      };
  }
}

type BegunWork = Pick<WorkSnapshot, 'name' | 'nodeId' | 'request' | 'writerCheckpoint' | 'backupTarget'>;

/** Work that is refused without its plan. A scavenge that goes on with an unfinished one has none. */
const PLAN_OF: Partial<Record<WorkName, WorkName>> = {
  runScavenge: 'planScavenge',
  pruneBackups: 'pruneBackups',
  runRestore: 'planRestore',
  repairDatabase: 'repairDatabase',
  rebuildIndex: 'planIndexRebuild'
};

/** A plan is exact for what it was made of, and says nothing about another log, target or request. */
export function refuseWithoutPlan(begun: BegunWork, plan: WorkSnapshot | 'gone' | undefined): void {
  const planName = PLAN_OF[begun.name];
  const isPlan = begun.request['dryRun'] === true;
  if (planName === undefined || isPlan) return;
  if (plan === undefined) {
    if (begun.name === 'runScavenge') return;
    throw invalidRequest('No plan of this was made. Nothing was written.', 'planId', 'Make the plan first.');
  }
  const isOfSame =
    plan !== 'gone' &&
    plan.state === 'done' &&
    plan.name === planName &&
    plan.nodeId === begun.nodeId &&
    (begun.name === 'runScavenge' || isSameRequest(plan, begun));
  const isPrune = begun.name === 'pruneBackups';
  if (isOfSame && (isPrune || plan.writerCheckpoint === begun.writerCheckpoint)) return;
  throw new EngineError({
    code: 'InvalidRequest',
    message: isOfSame
      ? 'The log has changed since this plan was made. Nothing was written.'
      : 'This plan was made of something else. Nothing was written.',
    remedy: 'Make the plan again.',
    details: {
      field: 'planId',
      expected: plan === 'gone' ? 'a plan' : (plan.writerCheckpoint ?? 'a plan'),
      found: begun.writerCheckpoint ?? 'no log'
    }
  });
}

function isSameRequest(plan: BegunWork, begun: BegunWork): boolean {
  const { dryRun: _planned, ...asked } = plan.request;
  const { dryRun: _run, ...wanted } = begun.request;
  const usesTarget = begun.name !== 'rebuildIndex';
  return isDeepStrictEqual(asked, wanted) && (!usesTarget || plan.backupTarget === begun.backupTarget);
}

/** A person's "member of a cluster" counts like a configuration that says so. */
function clusterSizeOf(node: NodeEntry): { clusterSize?: number } {
  if (node.isSingleNode === true) return {};
  if (node.clusterSize !== undefined) return { clusterSize: node.clusterSize };
  return node.isSingleNode === false ? { clusterSize: 3 } : {};
}

/** Where the node's backups are, as requests name it. */
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
