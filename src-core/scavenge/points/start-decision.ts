/**
 * Which scavenge point a run works toward: decided from the stored checkpoint, the newest point of the log and
 * what was asked for. Pure. The threshold and time of an existing point hold, whatever the request says.
 */
import { EngineError, invalidRequest, requireFault } from '../../errors.ts';
import type { NextScavengeKind, PointPlacement } from '../../units/scavenge-terms.ts';
import type { ScavengeCheckpoint } from '../state/scavenge-checkpoint.ts';
import type { ScavengePoint } from './scavenge-point.ts';

export type StartDecision =
  /** There is no unreached point, and none may be written. */
  | { kind: 'nothing' }
  | { kind: 'resume'; checkpoint: ScavengeCheckpoint }
  | { kind: 'use'; point: ScavengePoint; previous: ScavengePoint | null }
  | { kind: 'write'; number: number; previous: ScavengePoint | null }
  | { kind: 'detached' };

export interface StartQuestion {
  checkpoint: ScavengeCheckpoint | undefined;
  latest: ScavengePoint | undefined;
  placement: PointPlacement;
  /** A new point would not make this log differ from those of other members. */
  mayWritePoint: boolean;
  /** The cluster it is registered in as a member, if it is. */
  clusterName?: string | undefined;
  /** Of a point that would be written. */
  threshold: number;
}

export function decideStart(question: StartQuestion): StartDecision {
  const { checkpoint, latest, placement, mayWritePoint } = question;
  const isUnfinished = checkpoint !== undefined && checkpoint.stage !== 'done';
  if (placement === 'detached') {
    if (!isUnfinished) return { kind: 'detached' };
    throw invalidRequest(
      'A scavenge of this database was stopped or interrupted; it must be finished before a detached one.',
      'scavengePoint',
      'Run with "--scavenge-point existing", which resumes where it stopped.'
    );
  }
  if (isUnfinished) return { kind: 'resume', checkpoint };
  const previous = checkpoint?.scavengePoint ?? null;
  const isUnreached = latest !== undefined && (previous === null || latest.number > previous.number);
  if (placement !== 'new' && isUnreached) return { kind: 'use', point: latest, previous };
  if (placement === 'existing') return { kind: 'nothing' };
  const number = (latest?.number ?? -1) + 1;
  if (placement === 'auto' && !mayWritePoint) throw newPointRefused(number, question);
  return { kind: 'write', number, previous };
}

/** What a scavenge would do, in the words of the contract. */
export interface NextScavenge {
  kind: NextScavengeKind;
  /** Number of the point it would work toward; null: none in the log, and none that would be written. */
  point: number | null;
  /** A sentence. */
  because: string;
}

/** The same decision as that of a run, told beforehand; a refusal is an answer. */
export function foreseeStart(question: StartQuestion): NextScavenge {
  let decision: StartDecision;
  try {
    decision = decideStart(question);
  } catch (error) {
    requireFault(error);
    return { kind: 'refused', point: null, because: error.message };
  }
  switch (decision.kind) {
    case 'nothing':
      return {
        kind: 'nothing',
        point: null,
        because: 'The log has no unreached scavenge point.'
      };
    case 'detached': {
      const because = 'It works up to the end of the last completed chunk and writes nothing to the log.';
      return { kind: 'detached', point: null, because };
    }
    case 'resume': {
      const { number } = decision.checkpoint.scavengePoint;
      const because = `A scavenge to point ${number} was stopped or interrupted and will be resumed.`;
      return { kind: 'resume', point: number, because };
    }
    case 'use': {
      const { number, position } = decision.point;
      const because = `No scavenge has reached point ${number}, at position ${position}, yet.`;
      return { kind: 'existing', point: number, because };
    }
    case 'write': {
      const { number } = decision;
      const because = `Point ${number} is written to this node's log: right only for a single node.`;
      return { kind: 'new', point: number, because };
    }
  }
}

function newPointRefused(number: number, { threshold, clusterName }: StartQuestion): EngineError {
  const words = clusterName === undefined ? UNKNOWN_MEMBERSHIP : memberOf(clusterName);
  return new EngineError({
    code: 'InvalidRequest',
    ...words,
    details: {
      field: 'scavengePoint',
      number,
      threshold,
      ...(clusterName !== undefined && { cluster: clusterName })
    }
  });
}

const UNKNOWN_MEMBERSHIP = {
  message:
    'A new scavenge point is needed, but a point written here would make the log of this node differ from those ' +
    'of other members of its cluster, and nothing says that this is a single node.',
  remedy:
    'Give "--single-node" if it is one. Otherwise choose "--scavenge-point existing" (needs a point that the ' +
    'cluster wrote), "detached" (writes nothing to the log) or "new" (writes the point anyway).'
};

function memberOf(clusterName: string): { message: string; remedy: string } {
  return {
    message:
      `This node is a member of the cluster "${clusterName}": the new scavenge point needed here would ` +
      'make its log differ from those of the other members.',
    remedy:
      `Scavenge all members with "winnow cluster scavenge ${clusterName}" ("--scavenge-point new" writes the same ` +
      'point to all of them), or only this one with "--scavenge-point detached", which writes nothing to its log.'
  };
}
