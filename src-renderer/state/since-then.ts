/**
 * Whether what the page holds of a directory still is of that directory as it is now. Every result of work is bound to
 * the state that it was made of; what has changed that state since, by work of ours or by somebody else, is told here,
 * for all views alike: a view drops the result, or says what it is of.
 */
import type { WorkSnapshot } from '../../src-main/contract/verbs/workbench-contract.ts';
import type { Database } from './database.svelte.ts';
import { writesToNode, type Operations } from './operations.svelte.ts';

export type Since =
  /** Work of ours has written to the directory. */
  | { kind: 'work'; work: WorkSnapshot }
  /** The log ends elsewhere; below 0 it is shorter. */
  | { kind: 'log'; bytes: number }
  /** Other files of it are not those that they were. */
  | { kind: 'files' };

/** undefined: nothing has, as far as the last inspection tells. */
export function sinceThen(
  { operations, database }: { operations: Operations; database: Database },
  work: WorkSnapshot
): Since | undefined {
  const later = writtenAfter(operations, work);
  if (later) return { kind: 'work', work: later };
  const { inspection } = database;
  // Work that writes changes the state itself; and an answer from before the work began tells nothing of what came after.
  if (writesToNode(work) || inspection === null || database.nodeId !== work.nodeId) return undefined;
  const { writer } = inspection.checkpoints;
  if (work.writerCheckpoint !== null && writer !== null && writer !== work.writerCheckpoint) {
    return { kind: 'log', bytes: writer - work.writerCheckpoint };
  }
  const isKnown = work.directory !== null && database.inspectedMs >= work.startedMs;
  return isKnown && inspection.health.directory !== work.directory ? { kind: 'files' } : undefined;
}

/** The newest work of ours that began to write to the same directory after `work` began, and has ended. */
export function writtenAfter(operations: Operations, work: WorkSnapshot): WorkSnapshot | undefined {
  return operations.all.find(
    (other) =>
      other.id !== work.id &&
      other.nodeId === work.nodeId &&
      other.endedMs !== null &&
      other.startedMs >= work.startedMs &&
      writesToNode(other)
  );
}
