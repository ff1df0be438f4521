/** Erasure inside a backup, planned or done, for people. */
import type { BackupErasureReport } from '../contract/operations/erasure-reports.ts';
import { formatBytes, formatCount, formatNoun } from './byte-size.ts';
import type { Colours } from './command-line.ts';
import { formatFacts } from './tables.ts';
import { visibleText } from './visible-text.ts';

export function backupErasureText(report: BackupErasureReport, colours: Colours): string {
  const { yellow } = colours;
  let text = formatFacts(factsOf(report), colours);
  for (const { id, files } of report.stillHeldBy) {
    const what =
      report.result === 'planned'
        ? `shares ${formatNoun(files, 'file')} that may be made again`
        : `still has ${formatNoun(files, 'file')} with what was erased`;
    text += `${yellow('Backup')} ${id} ${what}; erase in it too, or remove it.\n`;
  }
  for (const { message, remedy } of report.warnings) {
    text += `${yellow('Note:')} ${visibleText(message)}\n${visibleText(remedy)}\n`;
  }
  return `${text}${sentenceOf(report)}\n`;
}

function factsOf(report: BackupErasureReport): [string, string][] {
  const { old, scavenge, redaction, files, verified, scratch, targetSpace, newBackup } = report;
  const facts: [string, string][] = [
    ['target', report.target],
    [
      'backup',
      `${report.backup} (${old.mode}, ${old.startedAt}): ${formatNoun(old.files, 'file')}, ${formatBytes(old.bytes)}`
    ]
  ];
  if (report.result === 'planned') {
    if (report.scavengePoint !== null) facts.push(['scavenge point', report.scavengePoint]);
    facts.push(
      ['may be made again', formatNoun(old.completedChunks, 'completed chunk')],
      [
        'scratch',
        `${scratch.directory}: ${formatBytes(scratch.neededBytes)} needed, ${formatBytes(scratch.freeBytes)} free`
      ],
      ['target needs', `at most ${formatBytes(targetSpace.neededBytes)}`]
    );
  }
  if (scavenge) {
    const { scavengePoint: point, recordsDiscarded, chunks } = scavenge;
    const rewritten = chunks.filter(({ newFile }) => newFile !== null).length;
    facts.push([
      'scavenge point',
      point === null
        ? 'the log of the backup holds none'
        : point.placement === 'detached'
          ? `detached, at ${formatCount(point.position)}`
          : `${point.number} at ${formatCount(point.position)}, threshold ${point.threshold}`
    ]);
    facts.push([
      'removed',
      `${formatNoun(recordsDiscarded, 'record')}; ${formatNoun(rewritten, 'chunk')} made again`
    ]);
  }
  if (redaction) {
    const records = redaction.chunks.reduce((sum, chunk) => sum + chunk.records, 0);
    facts.push([
      'redacted',
      `${formatNoun(records, 'record')} in ${formatNoun(redaction.chunks.length, 'chunk')}`
    ]);
  }
  if (newBackup) facts.push(['new generation', newBackup.id]);
  if (files) {
    facts.push(
      ['stored', `${formatNoun(files.stored, 'file')}, ${formatBytes(files.storedBytes)}`],
      ['shared', `${formatNoun(files.shared, 'file')}, ${formatBytes(files.sharedBytes)}`]
    );
  }
  if (verified)
    facts.push(['verified', `${formatNoun(verified.files, 'file')}, ${formatBytes(verified.bytes)}`]);
  if (report.oldRemoved) facts.push(['freed', formatBytes(report.bytesFreed)]);
  if (report.planId !== undefined) facts.push(['plan', report.planId]);
  return facts;
}

function sentenceOf({ result, backup, newBackup, oldRemoved }: BackupErasureReport): string {
  switch (result) {
    case 'planned':
      if (newBackup)
        return `Nothing was changed. The new generation ${newBackup.id} is there already: a run reads it back, and with --remove-old it then removes the old one.`;
      return 'Nothing was changed. What exactly goes is known once the backup has been gathered in the scratch directory.';
    case 'unchanged':
      return 'There was nothing to remove; the backup is as it was.';
    case 'rewritten':
    case 'exists':
      return oldRemoved
        ? `The backup ${backup} is now ${newBackup?.id ?? ''}; the old generation was removed.`
        : `The new generation is ${newBackup?.id ?? ''}. The old one, ${backup}, is still there: the same command with --remove-old removes it.`;
  }
}
