/**
 * The health that an inspection reports: its own observations together with earlier checks. If a check of
 * these same files found damage, that is reported: an inspection only notices the consequences.
 */
import {
  checkOfSight,
  EngineError,
  healthOf,
  verifyCheckpoints,
  type Database,
  type Finding,
  isFileGone
} from '../../../src-core/index.ts';

import type { HealthReport } from '../../contract/operations/health-reports.ts';
import { keptCheck, type HealthPlace } from './kept-health.ts';
import { timeOf, type OperationContext } from '../operation.ts';
import type { Warning } from '../../contract/operations/reports.ts';

export type Seen = Pick<Finding, 'severity' | 'code' | 'file' | 'message' | 'remedy'>;

/** Damage with which a server does not start, unless its start cuts it off. */
const KEEPS_FROM_STARTING = new Set([
  'restoreUnfinished',
  'undoUnfinished',
  'chunkMissing',
  'chunkHeaderInvalid',
  'chunkFooterInvalid',
  'chunkNotCompleted',
  'chunkTruncated',
  'surplusChunk',
  'checkpointMissing',
  'chaserBeyondWriter',
  'writerCheckpointBeyondEnd'
]);
/** Hints about checkpoints that indicate an unclean stop. */
const SIGNS = new Set(['chaserBehind']);

/** What an inspection observes, in order. */
export class Sight {
  readonly #seen: Seen[] = [];
  /** Where reading failed: only a check can tell why. */
  readonly #stumbles: Seen[] = [];

  add(...seen: readonly Seen[]): void {
    this.#seen.push(...seen);
  }

  addCheckpoints(database: Database): void {
    try {
      const found = verifyCheckpoints(database);
      this.add(...found.filter(({ severity, code }) => severity === 'damage' || SIGNS.has(code)));
    } catch (error) {
      if (!(error instanceof EngineError) || isFileGone(error)) throw error;
      this.stumble(error);
    }
  }

  /** Records a part of the database that cannot be read. */
  stumble({ code, message, remedy: ownRemedy, details }: EngineError): void {
    const file = details.file ?? null;
    if (code !== 'LogCorrupt' && code !== 'IndexCorrupt') {
      this.add({ severity: 'hint', code, file, message, remedy: ownRemedy });
      return;
    }
    const remedy = 'Run "winnow doctor": it says what is wrong, and what a server would do.';
    this.#stumbles.push({ severity: 'damage', code, file, message, remedy });
  }

  get damage(): Seen[] {
    const damage = this.#seen.filter(({ severity }) => severity === 'damage');
    return damage.length > 0 ? damage : this.#stumbles.slice(0, 1);
  }

  get hints(): Seen[] {
    return this.#seen.filter(({ severity }) => severity === 'hint');
  }
}

export interface InspectedHealth {
  health: HealthReport;
  /** From the check that decided, else from the inspection. */
  damage: Warning[];
}

/** `directory`: the identity of the files, taken before they were inspected. */
export function inspectedHealth(
  database: Database,
  { sight, place, directory }: { sight: Sight; place: HealthPlace; directory: string },
  context: OperationContext
): InspectedHealth {
  const { truncate } = database.checkpoints;
  const cuts = truncate !== null && truncate !== -1;
  const findings = [...sight.damage, ...sight.hints];
  const stops = sight.damage.find(({ code }) => KEEPS_FROM_STARTING.has(code));
  const seen = checkOfSight(
    {
      findings: cuts ? [...findings, PENDING_CUT] : findings,
      // A server that has it open has started; and what its start cuts off does not prevent it.
      keepsFromStarting:
        stops !== undefined && !database.inUse && (!cuts || stops.code.endsWith('Unfinished'))
    },
    timeOf(context)
  );
  const kept = (by: 'doctor' | 'verify') => keptCheck(place, { by, directory }, context.fileSystem);
  const { damage, ...health } = healthOf({ seen, doctor: kept('doctor'), verify: kept('verify') });
  const { state, checkedAt, by, code, words, damageCount, isPartial, before } = health;
  const told = damage.length > 0 ? damage : sight.damage;
  return {
    health: { state, checkedAt, by, code, words, damageCount, isPartial, before, directory },
    damage: told.map(({ code, message, remedy }) => ({ code, message, remedy }))
  };
}

const PENDING_CUT: Seen = {
  severity: 'hint',
  code: 'truncatePending',
  file: 'truncate.chk',
  message: 'The next start cuts the log.',
  remedy: ''
};
