/** A rehearsal as a list of what was tried, in order, each with how it went. Pure. */
import type { RehearseReport } from '../../src-main/contract/verbs/workbench-contract.ts';

export const REHEARSAL_STEPS = ['restored', 'truncated', 'log', 'index', 'streams'] as const;
export type RehearsalStepName = (typeof REHEARSAL_STEPS)[number];

export interface RehearsalStep {
  name: RehearsalStepName;
  /** `skipped`: an earlier fault left nothing to try. */
  state: 'passed' | 'failed' | 'skipped';
  /** Damage found in this step. */
  damage: number;
}

const BACKUP_DAMAGED = 'backupDamaged';
const NOT_READ = 'indexEntryWithoutRecord';

export function rehearsalSteps({ findings, notChecked }: RehearseReport): RehearsalStep[] {
  const damages = findings.filter(({ severity }) => severity === 'damage').map(({ code }) => code);
  const isUnrestorable = damages.includes(BACKUP_DAMAGED);
  const streamsSkipped = notChecked.some((place) => place.startsWith('the last event of each stream'));
  return REHEARSAL_STEPS.map((name) => {
    const damage = damages.filter((code) => stepOf(code) === name).length;
    const isSkipped = (isUnrestorable && name !== 'restored') || (streamsSkipped && name === 'streams');
    return { name, state: damage > 0 ? 'failed' : isSkipped ? 'skipped' : 'passed', damage };
  });
}

function stepOf(code: string): RehearsalStepName {
  if (code === BACKUP_DAMAGED) return 'restored';
  if (code === NOT_READ) return 'streams';
  return /^(index|table|filter)/.test(code) ? 'index' : 'log';
}
