/**
 * What the report of a run and that of its plan must have in common: all but ids, names and times, what a plan says of
 * other thresholds, and its word that the run is not worth while.
 */
import type { ScavengeReportData } from '../../src-core/scavenge/scavenge-request.ts';

export function comparableReport(report: ScavengeReportData) {
  const { scavengeId: _scavengeId, thresholds: _thresholds, phases, chunks, warnings, ...rest } = report;
  return {
    ...rest,
    warnings: warnings.filter(({ code }) => code !== 'nothingToFree'),
    phases: phases.map(({ phase }) => phase),
    chunks: chunks.map(({ newFile: _newFile, ...row }) => row)
  };
}
