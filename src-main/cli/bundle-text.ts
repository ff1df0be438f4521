/** A support bundle and its plan, in words for people. */
import type {
  BundlePlanReport,
  BundleReport,
  UnpackedBundleReport
} from '../contract/operations/bundle/bundle-reports.ts';
import { formatBytes, formatNoun } from './byte-size.ts';
import type { Colours } from './command-line.ts';
import { visibleText } from './visible-text.ts';

const MOST_LISTED = 10;

export function bundlePlanText(plan: BundlePlanReport, colours: Colours): string {
  const lines = [
    `${plan.continues ? 'Continues' : 'Makes'} a support bundle in ${visibleText(plan.target)}: ` +
      `${formatNoun(plan.chunks, 'chunk')} and ${formatNoun(plan.tables, 'index table')} of ${formatBytes(plan.sourceBytes)}.`,
    'In it: sizes, positions, numbers, times, rules, system names, the number of letters of each name and its punctuation.',
    'Not in it: data and metadata of events, names of streams, types, roles and hosts, ids of events.',
    plan.headersOnly
      ? 'Payloads are holes in its files; it can be packed into a small one.'
      : 'Its files are as long as those of the source.',
    `The key ${visibleText(plan.keyFile)} ${plan.keyExists ? 'is used again' : 'is made'}; keep it, and do not send it.`
  ];
  if (plan.namesFile !== null) {
    lines.push(`The table of names goes to ${visibleText(plan.namesFile)}; keep it, and do not send it.`);
  }
  if (plan.configuration)
    lines.push('The configuration goes with it, without the values that could tell something.');
  if (plan.inUse)
    lines.push(colours.yellow('A server has the database open: the bundle is its content at one moment.'));
  return `${lines.join('\n')}\n${leftOutText(plan)}`;
}

export function bundleText(report: BundleReport, colours: Colours): string {
  let text =
    `Bundle in ${visibleText(report.target)}: ${formatNoun(report.records, 'record')} in ` +
    `${formatNoun(report.chunks, 'chunk')}, ${formatNoun(report.indexEntries, 'index entry', 'index entries')}; ` +
    `${formatBytes(report.payloadBytes)} of payload are not in it.\n` +
    `The key is ${visibleText(report.keyFile)}: keep it, and do not send it.\n`;
  if (report.packedBytes !== null) {
    text += `Packed into ${visibleText(report.packFile ?? report.target)}: ${formatBytes(report.packedBytes)}.\n`;
  }
  if (report.resumedChunks > 0) {
    text += `${formatNoun(report.resumedChunks, 'chunk')} had been done by an earlier run.\n`;
  }
  for (const { file, from, to } of report.unreadable.slice(0, MOST_LISTED)) {
    text += `${colours.yellow('Unreadable:')} ${visibleText(file)}, positions ${from} to ${to}: zeros in the bundle.\n`;
  }
  if (report.unreadable.length > MOST_LISTED) {
    text += `${formatNoun(report.unreadable.length - MOST_LISTED, 'more place')} could not be read.\n`;
  }
  if (report.metadataWithoutRights > 0) {
    text += `In ${formatNoun(report.metadataWithoutRights, 'metadata record')} the rights found no room; the rules are whole.\n`;
  }
  return text + leftOutText(report);
}

/** `isDone`: it was unpacked, not only read. */
export function unpackedText(report: UnpackedBundleReport, { isDone }: { isDone: boolean }): string {
  const { packFile, target, madeAt } = report;
  const content =
    `${formatNoun(report.records, 'record')} in ${formatNoun(report.chunks, 'chunk')}, ` +
    `${formatNoun(report.files, 'file')} of ${formatBytes(report.bytes)}`;
  const where = isDone ? 'Unpacked into' : 'Whole. It would be unpacked into';
  return (
    `${visibleText(packFile)}: a bundle made at ${visibleText(madeAt)}, ${content}.\n` +
    `${where} ${visibleText(target)}.\n`
  );
}

function leftOutText({ standIns, leftOut }: Pick<BundleReport, 'standIns' | 'leftOut'>): string {
  let text = '';
  if (standIns.length > 0) text += `By name and size only: ${formatNoun(standIns.length, 'file')}.\n`;
  for (const { file, bytes, why } of leftOut.slice(0, MOST_LISTED)) {
    text += `Left out: ${visibleText(file)} (${formatBytes(bytes)}), ${why}.\n`;
  }
  if (leftOut.length > MOST_LISTED)
    text += `Left out: ${formatNoun(leftOut.length - MOST_LISTED, 'more file')}.\n`;
  return text;
}
