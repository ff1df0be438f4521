/** What a set truncate.chk means for the next start: what is cut, or why the server refuses to cut it. */
import type { Database } from '../../database/database.ts';
import type { EngineError } from '../../errors.ts';
import type { TruncationPlan } from '../../log/truncation.ts';
import { REPAIR_COMMAND } from '../../verify/finding.ts';
import type { ServerVersion } from './server-version.ts';
import { REFUSES, startDamage, startHint, type StartFinding } from './start-finding.ts';
import type { StartView } from './start-view.ts';

export function truncationReasons(
  { checkpoints }: Database,
  { truncation, refusal }: StartView,
  server: ServerVersion
): StartFinding[] {
  const to = checkpoints.truncate;
  if (refusal) return [refused(refusal, to)];
  if (!truncation || to === null) return [];
  return [planned(truncation, to, server)];
}

function planned(plan: TruncationPlan, to: number, server: ServerVersion): StartFinding {
  const { cutBytes, removed, end } = plan;
  const place = { file: 'truncate.chk', offset: 0, position: to };
  const ending = server.endsAfterTruncation
    ? ' Then it ends with exit code 0 and has to be started again.'
    : ' Then it goes on in the same process.';
  const serverSays = `Truncate checkpoint is present. Truncate: ${to}`;
  if (cutBytes === 0) {
    return startHint('truncatePending', {
      ...place,
      message: `truncate.chk is set to ${to}, at or behind the end of the log.`,
      remedy: 'Nothing to do.',
      effect: 'truncates',
      wouldDo: `It cuts nothing and sets truncate.chk to -1.${ending}`,
      serverSays
    });
  }
  const wouldDo =
    `It cuts the last ${cutBytes} bytes off the log, back to position ${end}` +
    `${removed.length === 0 ? '' : `, and removes ${removed.length} chunk files`}.${ending}`;
  if (end === 0) {
    return startDamage('truncatePending', {
      ...place,
      message: `truncate.chk is set to ${to}: the next start deletes the whole log, ${cutBytes} bytes.`,
      remedy: 'Write -1 into truncate.chk before the next start, unless that is meant.',
      effect: 'truncates',
      wouldDo,
      serverSays
    });
  }
  const deeper =
    end < to ? ` It lies in a scavenged chunk, which goes as a whole: the log ends at ${end}.` : '';
  return startHint('truncatePending', {
    ...place,
    message: `truncate.chk is set to ${to}: the next start cuts the last ${cutBytes} bytes off the log.${deeper}`,
    remedy:
      'Start the server once if that is meant (it is after a restore), else write -1 into truncate.chk.',
    effect: 'truncates',
    wouldDo,
    serverSays
  });
}

function refused({ message, remedy, details }: EngineError, position: number | null): StartFinding {
  const { reason } = details;
  const needed = Number(details['neededBytes'] ?? 0);
  const parts = { file: 'truncate.chk', offset: 0, position, message, remedy, effect: 'refuses' as const };
  switch (reason) {
    case 'exceedsMaxTruncation':
      return startDamage('truncatePending', {
        ...parts,
        wouldDo: `${REFUSES} Nothing is cut.`,
        serverSays: `MaxTruncation is set (${details['limitBytes']}) and truncate checkpoint is out of bounds (requested truncation is ${needed} [${(position ?? 0) + needed} => ${position}]).`
      });
    case 'truncateInsideRecord':
      return startDamage('truncateInsideRecord', {
        ...parts,
        command: REPAIR_COMMAND,
        wouldDo: 'It removes the chunks behind the position first, and then ends: what it removed is lost.'
      });
    case 'excessiveChunks':
      return startDamage('surplusChunk', {
        ...parts,
        file: details.file ?? null,
        wouldDo: `${REFUSES} Nothing is cut.`,
        serverSays: 'Found excessive TFChunks past writer checkpoint.'
      });
    default:
      return startDamage('truncatePending', { ...parts, command: REPAIR_COMMAND, wouldDo: REFUSES });
  }
}
