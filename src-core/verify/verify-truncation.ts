/** Asks the rule of truncation what the next start does with a truncate.chk that is set. Only reads. */
import type { Database } from '../database/database.ts';
import { EngineError, type ErrorCode } from '../errors.ts';
import { planTruncation, type LookControl, type TruncationPlan } from '../log/truncation.ts';
import type { Finding } from './finding.ts';
import { findingOfRefusal, findingOfTruncation } from './truncation-finding.ts';

export interface TruncationVerified {
  findings: Finding[];
  /** undefined: nothing is asked for, or it is refused. */
  plan: TruncationPlan | undefined;
}

/** Reasons that are about truncate.chk; every other one is a fault of the log, which has a finding of its own. */
const OWN_REASONS = new Set(['exceedsMaxTruncation', 'truncateInsideRecord', 'excessiveChunks', 'negative']);

/** Of a refusal; a chunk of a format that is newer than this reader, or says so, is one as well. */
const OWN_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'LogCorrupt',
  'InvalidRequest',
  'UnsupportedFormat'
]);

export async function verifyTruncation(
  database: Database,
  control: LookControl
): Promise<TruncationVerified> {
  const { fileSystem, dataDirectory, checkpoints, problems } = database;
  const to = checkpoints.truncate;
  if (to === null || to === -1) return { findings: [], plan: undefined };
  try {
    const plan = await planTruncation({ fileSystem, dataDirectory, at: to, trustsEncrypted: true, control });
    return { findings: plan ? [findingOfTruncation(plan)] : [], plan };
  } catch (error) {
    if (!(error instanceof EngineError) || !OWN_CODES.has(error.code)) throw error;
    const isToldAlready =
      !OWN_REASONS.has(String(error.details['reason'])) &&
      problems.some(({ severity }) => severity === 'damage');
    return { findings: isToldAlready ? [] : [findingOfRefusal(error, to)], plan: undefined };
  }
}
