/** From what the doctor or a verification said to what is kept of it. Pure. */
import type { Finding } from '../../verify/finding.ts';
import type { StartPrediction } from '../doctor/prediction.ts';
import type { HealthCheck, HealthFinding } from './node-health.ts';

/** More say nothing more; their number is kept. */
const MOST_FINDINGS = 20;

/** Hints that a server leaves behind which did not stop in order, and puts right at its next start. */
const STOPPED_BADLY = [
  'truncatePending',
  'chaserBehind',
  'chunkNotCompleted',
  'surplusChunk',
  'temporaryFile'
];

type Judged = Pick<Finding, 'severity' | 'code' | 'file' | 'message' | 'remedy'>;

export interface LookedAtStart {
  prediction: Pick<StartPrediction, 'starts' | 'words'>;
  findings: readonly (Judged & { effect: string })[];
  /** Not all that the server reads was read. */
  isPartial: boolean;
}

/** `checkedAt`: ISO 8601. */
export function checkOfStart(
  { prediction, findings, isPartial }: LookedAtStart,
  checkedAt: string
): HealthCheck {
  const stops = findings.find(({ effect }) => effect === 'refuses' || effect === 'diesLater');
  const check = checkOf(findings, { by: 'doctor', checkedAt, isPartial });
  return {
    ...check,
    state: prediction.starts ? check.state : 'willNotStart',
    code: prediction.starts ? check.code : (stops?.code ?? check.code),
    words: check.state === 'findings' && prediction.starts ? check.words : prediction.words
  };
}

/** undefined: of half a verification that found nothing, there is nothing to say of the whole. */
export function checkOfVerification(
  { findings, isQuick }: { findings: readonly Judged[]; isQuick: boolean },
  checkedAt: string
): HealthCheck | undefined {
  const check = checkOf(findings, { by: 'verify', checkedAt, isPartial: isQuick });
  return isQuick && check.state !== 'findings' ? undefined : check;
}

/** What an inspection comes across: never that something is sound. `keepsFromStarting`: of that damage. */
export function checkOfSight(
  { findings, keepsFromStarting }: { findings: readonly Judged[]; keepsFromStarting: boolean },
  checkedAt: string
): HealthCheck | undefined {
  const check = checkOf(findings, { by: 'inspect', checkedAt, isPartial: true });
  if (check.state === 'sound') return undefined;
  return check.state === 'findings' && keepsFromStarting ? { ...check, state: 'willNotStart' } : check;
}

function checkOf(
  findings: readonly Judged[],
  about: Pick<HealthCheck, 'by' | 'checkedAt' | 'isPartial'>
): HealthCheck {
  const damage = findings.filter(({ severity }) => severity === 'damage');
  const remains = STOPPED_BADLY.map((code) => findings.find((finding) => finding.code === code)).find(
    (finding) => finding !== undefined
  );
  const decisive = damage[0] ?? remains;
  return {
    ...about,
    state: damage.length > 0 ? 'findings' : remains ? 'unclean' : 'sound',
    words: decisive?.message ?? 'Log, index and checkpoints are sound.',
    code: decisive?.code ?? null,
    damage: damage.slice(0, MOST_FINDINGS).map(asKept),
    damageCount: damage.length
  };
}

function asKept({ code, file, message, remedy }: Judged): HealthFinding {
  return { code, file, message, remedy };
}
