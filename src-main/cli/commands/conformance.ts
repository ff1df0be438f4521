/** `winnow conformance`: runs the conformance cases in some folders against the engine. For developers, hidden. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CommandLine } from '../command-line.ts';

const EXIT_FINDINGS = 1;

export function addConformance(command: Command, line: CommandLine): void {
  command
    .description('Runs every case in the folders against the engine and lists those that fail.')
    .argument('<dir...>', 'folders with case files')
    .addHelpText('after', '\nExample:\n  $ npm run -s conformance -- ./conformance/cases')
    .action(async (directories: string[]) => {
      // Loaded only here: the cases of the node service pull in all of HTTP.
      const { runConformance } = await import('../../conformance/run-conformance.ts');
      const scratchDirectory = mkdtempSync(join(tmpdir(), 'winnow-conformance-'));
      const failures: string[] = [];
      try {
        const totals = await runConformance({
          directories,
          scratchDirectory,
          onFailure: (caseId, differences) => failures.push(`FAIL ${caseId}: ${oneLine(differences)}`)
        });
        for (const failure of failures) await line.write(`${failure}\n`);
        await line.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
        if (totals.failed > 0) line.exitCode = EXIT_FINDINGS;
      } finally {
        rmSync(scratchDirectory, { recursive: true, force: true });
      }
    });
}

function oneLine(differences: string[]): string {
  return differences.join('; ').replaceAll(/\s+/g, ' ');
}
