/**
 * What a set truncate.chk means for the next start, as a finding: what is cut and which files go, or why the server
 * refuses. The rule is the log's (log/truncation-rule.ts); here it gets a severity and a remedy, for verification and
 * for the doctor.
 */
import type { EngineError } from '../errors.ts';
import type { TruncationPlan } from '../log/truncation.ts';
import { describeTruncation, effectOf } from '../log/truncation-rule.ts';
import { damage, hint, REPAIR_COMMAND, type Finding } from './finding.ts';

const WRITE_NOTHING = 'Write -1 into truncate.chk before the next start, unless that is intended.';

export function findingOfTruncation(plan: TruncationPlan): Finding {
  const { requested, cutAt, removed, scavengedChunk } = plan;
  const place = { file: 'truncate.chk', offset: 0, position: requested };
  const where =
    scavengedChunk === null ? '' : ` It is in the scavenged chunk ${scavengedChunk}, which is deleted whole.`;
  const message = `truncate.chk is set to ${requested}: the next start ${describeTruncation(plan)}.${where}`;
  switch (effectOf(plan)) {
    case 'deletesLog':
      // Zero is what a file holds that lost its bytes; no one deletes a log by a truncation.
      return damage('truncatePending', {
        ...place,
        message,
        remedy: WRITE_NOTHING,
        command: requested === 0 ? REPAIR_COMMAND : null
      });
    case 'deletesBehindEnd':
      return damage('truncatePending', { ...place, message, remedy: WRITE_NOTHING, command: REPAIR_COMMAND });
    case 'cuts': {
      const deeper = cutAt < requested ? ` The log ends at ${cutAt}.` : '';
      return hint('truncatePending', {
        ...place,
        message: message + deeper,
        remedy:
          'Start the server once if that is intended (it is after a restore), else write -1 into truncate.chk.'
      });
    }
    default:
      return hint('truncatePending', {
        ...place,
        message: `${message.replace(/\.$/, '')}${removed.length === 0 ? '' : ','} and clears it.`,
        remedy: removed.length === 0 ? 'Nothing to do.' : 'Nothing to do: the server creates the file again.'
      });
  }
}

/** Why the truncation would fail. `position` is what truncate.chk says. */
export function findingOfRefusal(
  { message, remedy, details }: EngineError,
  position: number | null
): Finding {
  const parts = { file: 'truncate.chk', offset: 0, position, message, remedy };
  switch (details['reason']) {
    case 'exceedsMaxTruncation':
      return damage('truncatePending', parts);
    case 'truncateInsideRecord':
      return damage('truncateInsideRecord', { ...parts, command: REPAIR_COMMAND });
    case 'excessiveChunks':
      return damage('surplusChunk', { ...parts, file: details.file ?? null });
    case 'negative':
      return damage('truncatePending', { ...parts, command: REPAIR_COMMAND });
    default: // a fault of the log, which has a finding and a remedy of its own
      return damage('truncatePending', parts);
  }
}
