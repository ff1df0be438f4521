/** `winnow fleet`: how all known nodes and clusters stand, each in a line. */
import type { Command } from 'commander';
import type { FleetNode, FleetNote, FleetReport } from '../../contract/operations/fleet-reports.ts';
import { readFleet } from '../../fleet/read-fleet.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import { withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { formatTable } from '../tables.ts';
import { visibleText } from '../visible-text.ts';

const NOTES: Record<FleetNote, string> = {
  unreadable: 'cannot be read',
  damaged: 'damaged',
  diskFullSoon: 'disk full soon',
  neverScavenged: 'never scavenged',
  noBackup: 'no backup',
  backupNotRehearsed: 'backup not rehearsed',
  backupFailed: 'backup failed',
  notVerified: 'not verified'
};

export function addFleet(command: Command, line: CommandLine): void {
  withGlobalOptions(command)
    .description(
      'Shows how all nodes and clusters stand that Winnow knows here: health, removable bytes, when the disk is full, last backup and its rehearsal, last verification, next scavenge. Reads no log. Exits with 1 when one needs a look.'
    )
    .argument('[directories...]', 'data directories besides those of the list of nodes')
    .addHelpText('after', '\nExamples:\n  $ winnow fleet\n  $ winnow fleet /data/1 /data/2 --json')
    .action(async (directories: string[], options: GlobalOptions) => {
      const home = winnowHome(line.parts.environment, process.platform);
      const report = await readFleet({ home, directories, door: line, nowMs: Date.now() });
      if (options.json) await line.writeJson(report);
      else await line.write(fleetText(report, line));
      const isUrgent =
        report.nodes.some(({ needsLook }) => needsLook) ||
        report.clusters.some(
          ({ error, members }) => error !== null || members.some(({ isAlive }) => !isAlive)
        );
      if (isUrgent) line.exitCode = EXIT_FINDINGS;
    });
}

function fleetText({ nodes, clusters }: FleetReport, line: CommandLine): string {
  const { colours } = line;
  if (nodes.length === 0 && clusters.length === 0) {
    return 'No node is known here. Name data directories, or open them in the window; register clusters with "winnow cluster register".\n';
  }
  const bytes = (value: number | null) => (value === null ? '?' : formatBytes(value));
  let text = '';
  if (nodes.length > 0) {
    text += formatTable(
      [
        { title: 'node' },
        { title: 'health' },
        { title: 'log', align: 'right' },
        { title: 'removable', align: 'right' },
        { title: 'free', align: 'right' },
        { title: 'disk full' },
        { title: 'last scavenge' },
        { title: 'last backup' },
        { title: 'rehearsed' },
        { title: 'verified', align: 'right' },
        { title: 'look at' }
      ],
      nodes.map((node) => [
        visibleText(node.cluster === null ? node.name : `${node.cluster}/${node.name}`),
        node.error ? 'not known' : (node.health?.state ?? '?'),
        bytes(node.logBytes),
        bytes(node.removableBytes),
        bytes(node.freeBytes),
        diskFullText(node.diskFull),
        node.lastScavengedFrom === 'never' ? 'never' : dayOf(node.lastScavenged),
        node.backupTarget === null
          ? ''
          : node.backupError
            ? 'not known'
            : dayOf(node.lastBackup?.endedAt, 'none'),
        node.lastBackup ? dayOf(node.lastBackup.rehearsedAt, 'never') : '',
        shareOf(node),
        node.notes.map((note) => NOTES[note]).join(', ')
      ]),
      colours
    );
    for (const { name, dataDirectory, growthUnknown } of nodes) {
      if (growthUnknown === null) continue;
      const because = GROWTH_UNKNOWN[growthUnknown](visibleText(dataDirectory));
      text += `${visibleText(name)}: ${colours.dim(because)}\n`;
    }
    for (const { name, error, backupError } of nodes) {
      for (const failure of [error, backupError]) {
        if (failure) text += `${visibleText(name)}: ${colours.yellow(failure.message)} ${failure.remedy}\n`;
      }
    }
  }
  if (clusters.length > 0) {
    text += `${text === '' ? '' : '\n'}${formatTable(
      [
        { title: 'cluster' },
        { title: 'members' },
        { title: 'answer', align: 'right' },
        { title: 'next scavenge' }
      ],
      clusters.map(({ name, members, error, nextScavenge }) => [
        visibleText(name),
        error ? 'not known' : members.map(({ state }) => state).join(', '),
        error ? '?' : `${members.filter(({ isAlive }) => isAlive).length} of ${members.length}`,
        dayOf(nextScavenge, 'none')
      ]),
      colours
    )}`;
    for (const { name, error } of clusters) {
      if (error) text += `${visibleText(name)}: ${colours.yellow(error.message)} ${error.remedy}\n`;
    }
  }
  return text;
}

const GROWTH_UNKNOWN: Readonly<
  Record<NonNullable<FleetNode['growthUnknown']>, (directory: string) => string>
> = {
  notRead: (directory) =>
    `When the disk is full is not known: its log has not been read yet. "winnow forecast ${directory}" reads it once.`,
  tooShort: () => 'When the disk is full is not known: its log tells of too short a time.'
};

function diskFullText(full: FleetNode['diskFull']): string {
  if (full === null) return '?';
  return full.withoutScavenges === null ? 'not soon' : full.withoutScavenges.at.slice(0, 10);
}

function dayOf(time: string | null | undefined, otherwise = '?'): string {
  return time == null ? otherwise : time.slice(0, 10);
}

/** Rounded down: a part is never the whole. */
function shareOf({ coverage }: FleetNode): string {
  if (!coverage) return '?';
  if (coverage.isWhole) return '100 %';
  return `${Math.floor(Math.min(0.99, coverage.verifiedBytes / Math.max(1, coverage.bytes)) * 100)} %`;
}
