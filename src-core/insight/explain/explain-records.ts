/**
 * Several records at once, as a list of records shows them: of each the verdict with its rule, by the same decisions as
 * an explanation of that record alone. Words are left to it.
 */
import type { ScavengeEnvironment, ScavengeRequest } from '../../scavenge/scavenge-request.ts';
import type { ExplainRule, RecordVerdict } from '../../units/scavenge-terms.ts';
import { recordNamed } from './explain-event.ts';
import type { ExplainedScavenge } from './explanation.ts';
import { openPlannedScavenge } from './planned-scavenge.ts';
import { RecordExplainer } from './record-explainer.ts';

export interface ExplainedRecord {
  position: number;
  verdict: RecordVerdict;
  rule: ExplainRule;
  /** Ticks at which age discards it; null: no time changes the verdict. */
  until: bigint | null;
}

export interface ExplainedRecords {
  scavenge: ExplainedScavenge;
  /** In the order of the positions that were asked about. */
  records: ExplainedRecord[];
}

/** Throws InvalidRequest if no record begins at one of the positions. */
export async function explainRecords(
  positions: readonly number[],
  request: ScavengeRequest,
  environment: ScavengeEnvironment
): Promise<ExplainedRecords> {
  const planned = await openPlannedScavenge(request, environment);
  try {
    const { log } = planned.session.database;
    const explainer = new RecordExplainer(planned);
    const records: ExplainedRecord[] = [];
    for (const position of positions) {
      const { isKept, rule, ruling } = await explainer.decide(recordNamed(log, position));
      records.push({ position, verdict: isKept ? 'keep' : 'discard', rule, until: ruling.until });
      if (planned.control.isDue()) await planned.control.breathe();
    }
    return { scavenge: planned.facts, records };
  } finally {
    planned.close();
  }
}
