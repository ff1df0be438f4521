/** What the tests of cut and refused scavenges have in common: one variant, all its cuts or refusals, recorded. */
import { enumerateCuts, type CutChoice, type CutReport } from '../support/cut-enumeration.ts';
import { enumerateFailures, type FailureChoice, type FailureReport } from '../support/failure-enumeration.ts';
import {
  recordCuts,
  recordFailures,
  recordRecoveryCuts,
  sampledCalls,
  sampledFirstCuts
} from '../support/proof-record.ts';
import { enumerateRecoveryCuts, type RecoveryChoice } from '../support/recovery-cuts.ts';
import { LEAST_CALLS, SCAVENGE_VARIANTS, ScavengeBench, type VariantName } from './scavenge-subject.ts';

/** Cuts a scavenge of this variant, records it, and throws where something was lost or W fell. */
export async function cutScavenge(variant: VariantName, choice: CutChoice = {}): Promise<CutReport> {
  const bench = new ScavengeBench();
  try {
    const report = await enumerateCuts(bench.subjectOf(SCAVENGE_VARIANTS[variant]), {
      ...choice,
      ...sampledCalls(choice.every)
    });
    const hasThreads = variant === 'twoThreads';
    recordCuts(nameOf(variant), operationOf(variant), report, hasThreads ? 'threads' : 'cut');
    const { calls, flushes } = LEAST_CALLS[variant];
    if (report.calls < calls || report.flushes < flushes) {
      throw new Error(
        `W fell: ${report.calls} calls of which ${report.flushes} flush, where ${calls} and ${flushes} are known ` +
          `to be needed. What is left:\n${report.trail.join('\n')}`
      );
    }
    return report;
  } finally {
    bench.remove();
  }
}

/** Lets calls of a scavenge of this variant fail, records it, and throws where something was lost. */
export async function refuseScavenge(
  variant: VariantName,
  choice: FailureChoice = {}
): Promise<FailureReport> {
  const bench = new ScavengeBench();
  const isReading = choice.calls === 'reading';
  try {
    const report = await enumerateFailures(bench.subjectOf(SCAVENGE_VARIANTS[variant]), {
      ...choice,
      ...sampledCalls(choice.every)
    });
    recordFailures(`${nameOf(variant)}${isReading ? ', reading' : ''}`, operationOf(variant), report);
    return report;
  } finally {
    bench.remove();
  }
}

/** Cuts a scavenge of this variant and then its recovery, records it, and throws where something was lost. */
export async function cutScavengeAgain(variant: VariantName, choice: RecoveryChoice): Promise<void> {
  const bench = new ScavengeBench();
  try {
    const subject = bench.subjectOf(SCAVENGE_VARIANTS[variant]);
    const report = await enumerateRecoveryCuts(subject, {
      ...choice,
      ...sampledFirstCuts(choice.every)
    });
    recordRecoveryCuts(nameOf(variant), operationOf(variant), report);
  } finally {
    bench.remove();
  }
}

const nameOf = (variant: VariantName): string => `scavenge: ${SCAVENGE_VARIANTS[variant].name}`;

const operationOf = (variant: VariantName): string => (variant.startsWith('rescue') ? 'rescue' : 'scavenge');
