/** Sizes of a node when it was last looked at on an earlier day of work, to say what has changed since. */
import type { InspectReport } from '../../src-main/contract/verbs/workbench-contract.ts';

export interface Visit {
  timeMs: number;
  data: number;
  index: number;
  free: number;
  /** Absent in visits that an older version noted. */
  chunks?: number;
  entries?: number;
}

/** A visit ends after this long without a look; only then its figures become "the last visit". */
const VISIT_MS = 30 * 60_000;

interface Visits {
  current: Visit;
  previous: Visit | null;
}

/** Notes the present sizes and returns those of the visit before this one. */
export function noteVisit(nodeId: string, inspection: InspectReport, nowMs: number): Visit | null {
  const key = `winnow.visit.${nodeId}`;
  const known = readVisits(key);
  const current: Visit = {
    timeMs: nowMs,
    data: inspection.bytes.data,
    index: inspection.bytes.index,
    free: inspection.freeBytes,
    chunks: inspection.chunkCount.physical,
    entries: inspection.index?.entries ?? 0
  };
  const isNewVisit = known !== null && nowMs - known.current.timeMs > VISIT_MS;
  const previous = isNewVisit ? known.current : (known?.previous ?? null);
  localStorage.setItem(key, JSON.stringify({ current, previous } satisfies Visits));
  return previous;
}

function readVisits(key: string): Visits | null {
  try {
    const visits = JSON.parse(localStorage.getItem(key) ?? 'null') as Visits | null;
    return typeof visits?.current.timeMs === 'number' ? visits : null;
  } catch {
    return null;
  }
}
