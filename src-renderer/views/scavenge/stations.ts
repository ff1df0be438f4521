/** The phases of a scavenge as stations of a line: which are behind, which is current, which are ahead. */
import { SCAVENGE_PHASES } from '../../../src-core/units/scavenge-terms.ts';
import type { PhaseName, WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';

export interface Station {
  phase: PhaseName;
  state: 'done' | 'current' | 'ahead';
  /** null until it has ended. */
  elapsedMs: number | null;
}

export function stationsOf(work: WorkSnapshot): Station[] {
  // One that was stopped waits where it was.
  const isUnderWay = work.endedMs === null || work.state === 'stopped';
  const current = isUnderWay
    ? SCAVENGE_PHASES.findIndex((phase) => phase === work.progress?.phase)
    : SCAVENGE_PHASES.length;
  return SCAVENGE_PHASES.map((phase, index) => {
    const visits = work.phases.filter((visit) => visit.phase === phase && visit.endedMs !== null);
    const elapsedMs = visits.reduce((sum, visit) => sum + ((visit.endedMs ?? 0) - visit.startedMs), 0);
    return {
      phase,
      state: index < current ? 'done' : index === current ? 'current' : 'ahead',
      elapsedMs: visits.length > 0 && index !== current ? elapsedMs : null
    };
  });
}
