/** How much of a log was verified, in words. The only place of the command line that says when it may be shown as good. */
import type { LogCoverageReport } from '../contract/operations/coverage-reports.ts';
import { formatBytes, formatNoun } from './byte-size.ts';
import type { CommandLine } from './command-line.ts';
import { formatDuration } from './duration.ts';

/** `36.4 %`, rounded down: nearly all is not all. */
function shareOf({ isWhole, bytes, verifiedBytes }: LogCoverageReport): string {
  const share = isWhole ? 100 : Math.min(99.9, Math.floor((verifiedBytes / Math.max(1, bytes)) * 1000) / 10);
  return `${share} %`;
}

/** Lines of a verification. */
export function coverageText(coverage: LogCoverageReport, { colours }: CommandLine): string {
  const { red, green } = colours;
  const { isWhole, withinMs, bytes, verifiedBytes, files, verifiedFiles, oldest, damagedFiles } = coverage;
  let text = `Verified within ${formatDuration(withinMs)}: ${shareOf(coverage)} of the log `;
  text += `(${formatBytes(verifiedBytes)} of ${formatBytes(bytes)}, ${verifiedFiles} of ${formatNoun(files, 'completed chunk')}).`;
  text = isWhole ? green(text) : red(text);
  text += oldest === null ? ' Nothing is verified yet.\n' : ` Verified longest ago: ${oldest}.\n`;
  if (damagedFiles > 0) text += `${red(`Damaged when last read: ${formatNoun(damagedFiles, 'chunk')}.`)}\n`;
  return text;
}

/** The value of one line of an inspection; green only where all of the log was proved, red only where it is damaged. */
export function coverageFact(coverage: LogCoverageReport | undefined, { colours }: CommandLine): string {
  if (coverage === undefined) return 'not known';
  const { files, withinMs, isWhole, oldest, damagedFiles } = coverage;
  if (files === 0) return 'no completed chunk yet';
  const share = `${shareOf(coverage)} of the log within ${formatDuration(withinMs)}`;
  const since = oldest === null ? 'nothing yet; see winnow verify' : `longest ago ${oldest}`;
  const damaged = damagedFiles === 0 ? '' : `, ${formatNoun(damagedFiles, 'chunk')} damaged when last read`;
  const text = `${share}, ${since}${damaged}`;
  if (damagedFiles > 0) return colours.red(text);
  return isWhole ? colours.green(text) : text;
}
