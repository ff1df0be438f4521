/**
 * Marks below the bar of the log: epochs and scavenge points. A mark is a target for a pointer, so it has the room of
 * one; marks that would share that room become one that names them all. Pure.
 */

export type MarkKind = 'epoch' | 'point';

export interface LogMark {
  kind: MarkKind;
  number: number;
  /** Log position of the record. */
  position: number;
  /** Place along the bar, 0 to 1. */
  at: number;
}

export interface MarkGroup {
  /** In the order of the bar; never empty. */
  marks: LogMark[];
  at: number;
}

/**
 * Joins marks that stand nearer than `room` (a share of the bar) to the first of their group. A group stands where its
 * first mark stands, so that groups never come nearer than the room either.
 */
export function groupMarks(marks: LogMark[], room: number): MarkGroup[] {
  const groups: MarkGroup[] = [];
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    const last = groups.at(-1);
    if (last && mark.at - last.at < room) last.marks.push(mark);
    else groups.push({ marks: [mark], at: mark.at });
  }
  return groups;
}
