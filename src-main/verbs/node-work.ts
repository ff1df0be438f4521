/**
 * What the main process adds to work that the window starts on a node: its directories, its kind, its backup
 * target; and the check that work that cannot be undone is started with its plan.
 */
import { invalidRequest } from '../../src-core/index.ts';
import { isPlannedOperation, requirePlanOfRequest } from '../operations/plan/plan-identity.ts';
import { answerOf } from '../settings/cluster-membership.ts';
import type { OpenedNode } from '../settings/node-registry.ts';
import type { CallName, NodeEntry, RestoreChoices, WorkName } from '../contract/verbs/workbench-contract.ts';
import { comparedSides, memberLocations } from './difference-work.ts';
import { bundleOutput, exportOutput, extractionOutput, extractionSource } from './output-work.ts';
import {
  destinationOf,
  keysOf,
  newBackupOf,
  newKeysOf,
  sourceOf,
  targetAt,
  targetOf,
  type Choices
} from './restore-work.ts';

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
      return { ...targetOf(node) };
    case 'inspectDatabase':
      // The window also plans while a server holds the directory; `inUse` tells whether it may write.
      return { ...locationOf(node), ...natureOf(node), forPlan: true };
    case 'explainRecords':
      return { ...locationOf(node), ...natureOf(node) };
    default:
      return { ...locationOf(node) };
  }
}

/** Members added to a question about a place that a person chose. */
export function placeContext(asked: Record<string, unknown>, choices: Choices): Record<string, unknown> {
  const { fromPlace } = asked as RestoreChoices;
  return fromPlace === undefined ? {} : { ...targetAt(fromPlace, choices) };
}

export interface WorkToFillIn {
  name: NodeWorkName;
  /** null: a restore to a chosen directory. */
  node: NodeEntry | null;
  home: string;
  choices: Choices;
  /** The members accepted from the window. */
  asked: Record<string, unknown>;
}

/** Members added to work on a node: directories and, depending on the work, the target, or what is known about the cluster. */
export function workContext(filling: WorkToFillIn): Record<string, unknown> {
  const { name, node, asked, choices } = filling;
  switch (name) {
    case 'verifyBackup':
      return { ...sourceOf(node, asked, choices) };
    case 'rehearseBackup': {
      return { ...sourceOf(node, asked, choices), ...scratchOf(asked, choices, 'scratch') };
    }
    case 'planRestore':
    case 'runRestore':
      return { ...destinationOf(node, asked, choices), ...sourceOf(node, asked, choices) };
    case 'continueRestore': {
      const { dataDirectory } = destinationOf(node, asked, choices);
      const { backupEndpoint } = node ?? {};
      return {
        dataDirectory,
        ...(backupEndpoint === undefined ? {} : { s3Endpoint: backupEndpoint }),
        ...keysOf(node, asked, choices)
      };
    }
    case 'undoRestore': {
      const { dataDirectory } = destinationOf(node, asked, choices);
      return { dataDirectory };
    }
    case 'cutLog':
      return destinationOf(node, asked, choices);
    default:
      if (node) return ofNode({ ...filling, name, node });
      throw invalidRequest('This work needs a node.', 'nodeId', 'Open one first.');
  }
}

type RestoringName =
  | 'verifyBackup'
  | 'rehearseBackup'
  | 'planRestore'
  | 'runRestore'
  | 'continueRestore'
  | 'undoRestore'
  | 'cutLog';

interface OfNode extends Omit<WorkToFillIn, 'name' | 'node'> {
  name: Exclude<NodeWorkName, RestoringName>;
  node: NodeEntry;
}

function ofNode({ name, node, home, asked, choices }: OfNode): Record<string, unknown> {
  switch (name) {
    case 'planIndexRebuild':
    case 'rebuildIndex':
    case 'forecastStartup':
    case 'prepareStartup':
    case 'planUndoScavenge':
    case 'planRedaction':
    case 'redactEvents':
    case 'forgetReplaced':
      return { ...locationOf(node) };
    case 'extractEvents':
      return {
        ...(extractionSource(node, asked, choices) ?? locationOf(node)),
        winnowHome: home,
        ...extractionOutput(node, asked, choices)
      };
    case 'exportDatabase':
      return {
        ...(extractionSource(node, asked, choices) ?? locationOf(node)),
        winnowHome: home,
        ...exportOutput(node, asked, choices)
      };
    case 'runBundle':
      return { ...locationOf(node), ...bundleOutput(node, asked, choices) };
    case 'undoScavenge':
      return { ...locationOf(node), winnowHome: home };
    case 'verifyDatabase':
    case 'examineStart':
    case 'surveyUsage':
      return { ...locationOf(node), winnowHome: home };
    case 'compareChunk':
      return {
        ...locationOf(node),
        ...(asked['with'] === 'backup' ? { fromBackup: targetOf(node) } : {})
      };
    case 'planCluster':
      return { ...locationOf(node), winnowHome: home, others: memberLocations(asked, choices) };
    case 'compareDatabases':
      return { ...locationOf(node), winnowHome: home, ...comparedSides(node, asked, choices) };
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
      return { ...locationOf(node), winnowHome: home, ...scratchOf(asked, choices, 'rescueScratch') };
    case 'planBackup':
    case 'createBackup':
      return { ...locationOf(node), ...newBackupOf(node, asked, choices), winnowHome: home };
    case 'pruneBackups':
      return { ...targetOf(node) };
    case 'planBackupErasure':
    case 'eraseInBackup':
      return {
        ...targetOf(node),
        ...keysOf(node, asked, choices),
        ...scratchOf(asked, choices, 'scratch')
      };
    case 'rekeyBackups':
      return { ...targetOf(node), ...keysOf(node, asked, choices), newKeys: newKeysOf(node, asked, choices) };
    case 'repairDatabase':
      return {
        ...locationOf(node),
        winnowHome: home,
        ...(asked['usesBackups'] === true || asked['fromPlace'] !== undefined
          ? { fromBackup: { ...sourceOf(node, asked, choices), ...oneOf(asked) } }
          : {})
      };
  }
}

/** One backup of a target; the newest where none is named. */
function oneOf({ backupId }: Record<string, unknown>): { id?: unknown } {
  return backupId === undefined ? {} : { id: backupId };
}

/** A chosen directory besides those of the database. */
function scratchOf(
  asked: Record<string, unknown>,
  { chosen }: Choices,
  purpose: 'scratch' | 'rescueScratch'
): { scratchDirectory?: string } {
  const { scratchPlace } = asked as { scratchPlace?: string };
  return scratchPlace === undefined ? {} : { scratchDirectory: chosen.find(scratchPlace, purpose).path };
}

/** Work that can only be started with the identity of its plan: it cannot be undone, or not easily. */
const BY_PLAN: ReadonlySet<NodeWorkName> = new Set<NodeWorkName>([
  'runScavenge',
  'runRescue',
  'pruneBackups',
  'runRestore',
  'repairDatabase',
  'rebuildIndex',
  'prepareStartup',
  'undoScavenge',
  'redactEvents',
  'eraseInBackup',
  'rekeyBackups'
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
