/** The options of a scavenge as the window edits them, and the requests made of them. */
import type { PointPlacement } from '../../src-core/units/scavenge-terms.ts';
import type {
  InspectReport,
  NodeEntry,
  WindowRequestOf
} from '../../src-main/contract/verbs/workbench-contract.ts';

export interface ScavengeForm {
  placement: PointPlacement;
  threshold: number;
  threads: number;
  throttlePercent: number;
  merge: boolean;
  unsafeIgnoreHardDeletes: boolean;
  alwaysKeepScavenged: boolean;
}

export const DEFAULT_FORM: ScavengeForm = {
  placement: 'auto',
  threshold: 0,
  threads: 1,
  throttlePercent: 100,
  merge: true,
  unsafeIgnoreHardDeletes: false,
  alwaysKeepScavenged: false
};

/**
 * Where the scavenge ends, when the person leaves it to us. A new point is only for single nodes: a member of a
 * cluster, or a node of which nobody knows, goes to a point that is there already, else up to the last completed
 * chunk without one.
 */
export function effectivePlacement(
  placement: PointPlacement,
  node: NodeEntry,
  inspection: InspectReport | null
): PointPlacement {
  if (placement !== 'auto' || mayWritePoint(node)) return placement;
  const kind = inspection?.nextScavenge.kind;
  return kind === 'resume' || kind === 'existing' ? 'existing' : 'detached';
}

export function mayWritePoint(node: NodeEntry): boolean {
  if (node.isSingleNode !== null) return node.isSingleNode;
  return node.clusterSize === 1;
}

/** Whether a configuration or a person has said what this node is. */
export function isNatureKnown(node: NodeEntry): boolean {
  return node.isSingleNode !== null || node.clusterSize !== undefined;
}

export function requestOf(
  form: ScavengeForm,
  node: NodeEntry,
  inspection: InspectReport | null
): WindowRequestOf<'planScavenge'> {
  return {
    scavengePoint: effectivePlacement(form.placement, node, inspection),
    threshold: form.threshold,
    threads: form.threads,
    throttlePercent: form.threads > 1 ? 100 : form.throttlePercent,
    merge: form.merge,
    unsafeIgnoreHardDeletes: form.unsafeIgnoreHardDeletes,
    alwaysKeepScavenged: form.alwaysKeepScavenged
  };
}

/** Resumes a run of which only its state in the directory is known: its own point and threshold apply. */
export const RESUME_REQUEST: WindowRequestOf<'planScavenge'> = { scavengePoint: 'existing' };
