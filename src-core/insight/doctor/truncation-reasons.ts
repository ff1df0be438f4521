/** What a set truncate.chk means for the next start: verification's finding, and what the server does and says. */
import type { Database } from '../../database/database.ts';
import type { EngineError } from '../../errors.ts';
import type { TruncationPlan } from '../../log/truncation.ts';
import { describeTruncation } from '../../log/truncation-rule.ts';
import { findingOfRefusal, findingOfTruncation } from '../../verify/truncation-finding.ts';
import type { ServerVersion } from './server-version.ts';
import { asStartFinding, REFUSES, type StartFinding } from './start-finding.ts';
import type { StartView } from './start-view.ts';

export function truncationReasons(
  { checkpoints }: Database,
  { truncation, refusal }: StartView,
  server: ServerVersion
): StartFinding[] {
  const to = checkpoints.truncate;
  if (refusal) return [refused(refusal, to)];
  return truncation ? [planned(truncation, server)] : [];
}

function planned(plan: TruncationPlan, server: ServerVersion): StartFinding {
  const ending = server.endsAfterTruncation
    ? 'Then it ends with exit code 0; start it again.'
    : 'Then it continues in the same process.';
  return asStartFinding(findingOfTruncation(plan), {
    effect: 'truncates',
    wouldDo: `It ${describeTruncation(plan)}, and sets truncate.chk to -1. ${ending}`,
    serverSays: `Truncate checkpoint is present. Truncate: ${plan.requested}`
  });
}

function refused(refusal: EngineError, position: number | null): StartFinding {
  const { details } = refusal;
  const finding = findingOfRefusal(refusal, position);
  const needed = Number(details['neededBytes'] ?? 0);
  switch (details['reason']) {
    case 'exceedsMaxTruncation':
      return asStartFinding(finding, {
        effect: 'refuses',
        wouldDo: `${REFUSES} Nothing is cut.`,
        serverSays: `MaxTruncation is set (${details['limitBytes']}) and truncate checkpoint is out of bounds (requested truncation is ${needed} [${(position ?? 0) + needed} => ${position}]).`
      });
    case 'truncateInsideRecord':
      return asStartFinding(finding, {
        effect: 'refuses',
        wouldDo: 'It removes the chunks after the position first, and then ends: what it removed is lost.'
      });
    case 'excessiveChunks':
      return asStartFinding(finding, {
        effect: 'refuses',
        wouldDo: `${REFUSES} Nothing is cut.`,
        serverSays: 'Found excessive TFChunks past writer checkpoint.'
      });
    default:
      return asStartFinding(finding, { effect: 'refuses', wouldDo: REFUSES });
  }
}
