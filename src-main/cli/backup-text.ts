/** Backups, their plans and their removal, in words and tables for people. */
import type {
  BackupPlanReport,
  BackupRow,
  BackupsReport,
  BackupVerifyAllReport,
  BackupVerifyReport,
  PruneReport
} from '../contract/operations/backup-reports.ts';
import { formatBytes, formatCount, formatNoun } from './byte-size.ts';
import type { Colours } from './command-line.ts';
import { formatFacts, formatTable } from './tables.ts';
import { visibleText } from './visible-text.ts';

const RULES: Readonly<Record<string, string>> = {
  last: 'last',
  daily: 'of its day',
  weekly: 'of its week',
  monthly: 'of its month',
  position: 'longest log'
};

export function backupTable(report: BackupsReport, colours: Colours): string {
  const rows = report.backups.map((row) => [
    row.id,
    row.mode,
    row.node.address ?? row.node.dataDirectory,
    formatCount(row.writer),
    formatCount(row.chunkCount),
    formatBytes(row.bytes),
    formatBytes(row.bytesCopied),
    storedAs(row.encodings),
    checked(row.verified),
    checked(row.rehearsed)
  ]);
  let text = formatTable(
    [
      { title: 'backup' },
      { title: 'mode' },
      { title: 'node' },
      { title: 'writer', align: 'right' },
      { title: 'chunks', align: 'right' },
      { title: 'size', align: 'right' },
      { title: 'copied', align: 'right' },
      { title: 'stored' },
      { title: 'verified' },
      { title: 'rehearsed' }
    ],
    rows,
    colours
  );
  if (rows.length === 0) text += `No backups in ${visibleText(report.target)}.\n`;
  if (report.unfinished.length > 0) {
    text += `Unfinished: ${report.unfinished.join(', ')}. The next "winnow backup create" resumes the newest.\n`;
  }
  text += notesText(report.warnings, colours);
  for (const { message } of report.damaged) text += `${colours.red('Damaged:')} ${visibleText(message)}\n`;
  return text;
}

/** Without the public key: it is long, and the JSON has it. */
function storedAs(encodings: readonly string[]): string {
  if (encodings.length === 0) return 'plain';
  return encodings.map((name) => name.slice(0, /:|$/.exec(name)!.index)).join(', ');
}

function checked(result: BackupRow['verified']): string {
  if (!result) return '-';
  return `${result.at.slice(0, 10)} ${result.ok ? 'whole' : 'damaged'}`;
}

export function backupPlanText(plan: BackupPlanReport, colours: Colours): string {
  const facts: [string, string][] = [
    ['target', plan.target],
    ['mode', plan.basedOn === null ? plan.mode : `${plan.mode}, based on ${plan.basedOn}`],
    [
      'to copy',
      `${formatBytes(plan.bytesToCopy)} of ${formatBytes(plan.bytes)} in ${formatNoun(plan.fileCount, 'file')}`
    ],
    ['free', plan.freeBytes === null ? 'not known' : formatBytes(plan.freeBytes)]
  ];
  if (plan.resumes !== null) facts.push(['resumes', plan.resumes]);
  return formatFacts(facts, colours) + notesText(plan.notes, colours);
}

export function notesText(notes: readonly { message: string; remedy: string }[], colours: Colours): string {
  return notes
    .map(
      ({ message, remedy }) => `${colours.yellow('Note:')} ${visibleText(message)} ${visibleText(remedy)}\n`
    )
    .join('');
}

export function verifiedText(report: BackupVerifyReport, colours: Colours): string {
  const { red, green } = colours;
  const findings = report.findings.map((finding) => findingText(finding, colours));
  const { files, bytes } = report.checked;
  const skipped = report.notChecked.map((place) => `Not checked: ${visibleText(place)}\n`);
  const verdict = report.ok ? green('This backup is whole.') : red('This backup is damaged.');
  return (
    `${findings.join('')}Checked ${formatNoun(files, 'file')}, ${formatBytes(bytes)} of ${report.backup}.\n` +
    `${signatureText(report.signature, colours)}${skipped.join('')}${verdict}\n`
  );
}

/** Green only for what a given key proves. */
function signatureText(signature: BackupVerifyReport['signature'], { green, yellow }: Colours): string {
  if (!signature || signature.state === 'notSigned') return 'Not signed.\n';
  const { state, key } = signature;
  if (state === 'signed') return `${green('Signed')} with the key ${key}.\n`;
  if (state === 'claimed') return `Signature of the key ${key}, not compared.\n`;
  return `${yellow(state === 'otherKey' ? `Signed with another key, ${key}.` : 'Its signature is wrong.')}\n`;
}

export function verifiedAllText(report: BackupVerifyAllReport, colours: Colours): string {
  const { red, green } = colours;
  const ofBackup = report.backups.map(({ backup, ok }) => {
    const findings = report.findings.filter((finding) => finding.backup === backup);
    const text = findings.map((finding) => findingText(finding, colours)).join('');
    return `${backup} ${ok ? green('whole') : red('damaged')}\n${text}`;
  });
  const skipped = report.notChecked.map((place) => `Not checked: ${visibleText(place)}\n`);
  const unfinished = report.unfinished.length > 0 ? `Unfinished: ${report.unfinished.join(', ')}.\n` : '';
  const damaged = report.backups.filter(({ ok }) => !ok).length;
  const { files, bytes } = report.checked;
  const verdict =
    report.backups.length === 0
      ? `No backups in ${visibleText(report.target)}.`
      : damaged === 0
        ? green(
            report.backups.length === 1
              ? 'The backup is whole.'
              : `All ${formatCount(report.backups.length)} backups are whole.`
          )
        : red(
            `${formatCount(damaged)} of ${formatNoun(report.backups.length, 'backup')} ${damaged === 1 ? 'is' : 'are'} damaged.`
          );
  return (
    `${ofBackup.join('')}Checked ${formatNoun(files, 'file')}, ${formatBytes(bytes)}.\n` +
    `${skipped.join('')}${unfinished}${verdict}\n`
  );
}

function findingText(
  { severity, code, message, remedy }: BackupVerifyReport['findings'][number],
  { red, yellow }: Colours
): string {
  return (
    `${severity === 'damage' ? red('damage') : yellow('hint  ')} ${code}\n` +
    `       ${visibleText(message)}\n       ${visibleText(remedy)}\n`
  );
}

export function pruneText(report: PruneReport, colours: Colours): string {
  const rows = [
    ...report.kept.map(({ id, rules }) => [id, 'kept', rules.map((rule) => RULES[rule] ?? rule).join(', ')]),
    ...report.removed.map(({ id, bytes }) => [
      id,
      report.dryRun ? 'would be removed' : 'removed',
      formatBytes(bytes)
    ]),
    ...report.leftovers.map((id) => [id, report.dryRun ? 'would be removed' : 'removed', 'unfinished'])
  ];
  const table = formatTable([{ title: 'backup' }, { title: '' }, { title: 'why' }], rows, colours);
  const plan = report.planId === undefined ? '' : `plan  ${report.planId}\n`;
  return `${table}${notesText(report.warnings, colours)}${report.dryRun ? 'Would free' : 'Freed'} ${formatBytes(report.bytesFreed)}.\n${plan}`;
}
