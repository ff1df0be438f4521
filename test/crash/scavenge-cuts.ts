/** What the tests of cut and refused scavenges have in common: one variant, all its cuts or refusals, printed. */
import { cutReportText, enumerateCuts, type CutChoice, type CutReport } from '../support/cut-enumeration.ts';
import {
  enumerateFailures,
  failureReportText,
  type FailureChoice,
  type FailureReport
} from '../support/failure-enumeration.ts';
import { LEAST_CALLS, SCAVENGE_VARIANTS, ScavengeBench, type VariantName } from './scavenge-subject.ts';

/** Cuts a scavenge of this variant, says what was done, and throws where something was lost or W fell. */
export async function cutScavenge(
  variant: VariantName,
  say: (line: string) => void,
  choice: CutChoice = {}
): Promise<CutReport> {
  const bench = new ScavengeBench();
  try {
    const report = await enumerateCuts(bench.subjectOf(SCAVENGE_VARIANTS[variant]), choice);
    say(cutReportText(SCAVENGE_VARIANTS[variant].name, report));
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

/** Lets calls of a scavenge of this variant fail, says what was done, and throws where something was lost. */
export async function refuseScavenge(
  variant: VariantName,
  say: (line: string) => void,
  choice: FailureChoice = {}
): Promise<FailureReport> {
  const bench = new ScavengeBench();
  try {
    const report = await enumerateFailures(bench.subjectOf(SCAVENGE_VARIANTS[variant]), choice);
    say(failureReportText(SCAVENGE_VARIANTS[variant].name, report));
    return report;
  } finally {
    bench.remove();
  }
}
