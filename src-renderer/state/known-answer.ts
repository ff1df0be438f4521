/** What the last plan said a scavenge of a node would free: kept over restarts, with its date and the log it was of. */
import type { Freed, KnownPlan } from './scavenge/plan.ts';
import { freedBy } from './scavenge/plan.ts';

export interface KnownAnswer extends Freed {
  computedMs: number;
  bytesBefore: number;
  bytesAfter: number;
  /** End of the log it was computed of; null: not known. */
  writer: number | null;
}

export function answerOf({ work, report }: KnownPlan): KnownAnswer {
  return {
    computedMs: work.endedMs ?? work.startedMs,
    bytesBefore: report.bytesBefore,
    bytesAfter: report.bytesAfter,
    ...freedBy(report),
    writer: work.writerCheckpoint
  };
}

const keyOf = (nodeId: string): string => `winnow.wouldFree.${nodeId}`;

export function rememberAnswer(nodeId: string, answer: KnownAnswer): void {
  localStorage.setItem(keyOf(nodeId), JSON.stringify(answer));
}

/** Something of ours has written since: what was computed before says nothing any more. */
export function forgetAnswer(nodeId: string): void {
  localStorage.removeItem(keyOf(nodeId));
}

export function recallAnswer(nodeId: string): KnownAnswer | null {
  try {
    const answer = JSON.parse(localStorage.getItem(keyOf(nodeId)) ?? 'null') as KnownAnswer | null;
    const numbers = [
      answer?.computedMs,
      answer?.bytes,
      answer?.log,
      answer?.index,
      answer?.share,
      answer?.bytesBefore,
      answer?.bytesAfter
    ];
    return numbers.every((number) => typeof number === 'number') ? answer : null;
  } catch {
    return null;
  }
}
