/** `winnow chunks`: every physical chunk with what its header and footer say. */
import type { Command } from 'commander';
import type { ChunksReport } from '../../contract/operations/reports.ts';
import { formatBytes, formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import {
  isoTime,
  namedDatabase,
  optional,
  withDatabaseOptions,
  type DatabaseOptions
} from '../global-options.ts';
import { formatTable } from '../tables.ts';
import { visibleText } from '../visible-text.ts';
import { winnowHome } from '../../settings/winnow-home.ts';

interface ChunksOptions extends DatabaseOptions {
  weights?: boolean;
  now?: string;
}

export function addChunks(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Lists the chunk files with the facts of their headers and footers, and leftover files beside them.'
    )
    .option('--weights', 'compute the weights; needs no scavenge state')
    .option('--now <time>', 'judge ages as of this time (default: now)', isoTime)
    .addHelpText('after', '\nExample:\n  $ winnow chunks /var/lib/kurrentdb --weights')
    .action(async (db: string | undefined, options: ChunksOptions) => {
      const { location } = namedDatabase(db, options);
      const report = await line.call(
        'listChunks',
        {
          ...location,
          winnowHome: winnowHome(line.parts.environment, process.platform),
          computeWeights: options.weights === true,
          ...optional('now', options.now)
        },
        options
      );
      if (options.json) await line.writeJson(report);
      else await line.write(chunksText(report, line));
    });
}

/** In log order; a chunk without a readable file has a line that says so. */
function rowsOf(report: ChunksReport): string[][] {
  const placed = [
    ...report.chunks.map((chunk) => ({ at: chunk.chunkStart, row: chunkCells(chunk) })),
    ...report.gaps.map((gap) => ({ at: gap.chunkStart, row: gapCells(gap) }))
  ];
  return placed.sort((a, b) => a.at - b.at).map(({ row }) => row);
}

const rangeOf = ({ chunkStart, chunkEnd }: { chunkStart: number; chunkEnd: number }): string =>
  chunkStart === chunkEnd ? String(chunkStart) : `${chunkStart}-${chunkEnd}`;

function chunkCells(chunk: ChunksReport['chunks'][number]): string[] {
  return [
    chunk.file,
    rangeOf(chunk),
    chunk.isActive ? 'active' : chunk.isScavenged ? 'scavenged' : chunk.isCompleted ? 'completed' : 'ongoing',
    formatCount(chunk.logicalStart),
    formatBytes(chunk.logicalDataSize),
    formatBytes(chunk.physicalDataSize),
    formatBytes(chunk.fileSize),
    formatCount(chunk.mapEntries),
    chunk.weight === null ? '' : formatCount(chunk.weight)
  ];
}

function gapCells(gap: ChunksReport['gaps'][number]): string[] {
  const file = gap.state === 'unreadable' ? (gap.finding.file ?? '') : '';
  return [file, rangeOf(gap), gap.state, formatCount(gap.logicalStart), '', '', '', '', ''];
}

function chunksText(report: ChunksReport, line: CommandLine): string {
  let text = formatTable(
    [
      { title: 'file' },
      { title: 'chunks', align: 'right' },
      { title: 'state' },
      { title: 'position', align: 'right' },
      { title: 'logical', align: 'right' },
      { title: 'data', align: 'right' },
      { title: 'file size', align: 'right' },
      { title: 'map', align: 'right' },
      { title: 'weight', align: 'right' }
    ],
    rowsOf(report),
    line.colours
  );
  for (const { state, finding } of report.gaps) {
    text += `${state}: ${visibleText(finding.message)} ${visibleText(finding.remedy)}\n`;
  }
  for (const file of report.superseded) {
    text += `superseded: ${visibleText(file.file)}, ${formatBytes(file.fileSize)}\n`;
  }
  for (const file of report.leftovers) {
    text += `left over: ${visibleText(file.file)}, ${formatBytes(file.fileSize)}\n`;
  }
  return text;
}
