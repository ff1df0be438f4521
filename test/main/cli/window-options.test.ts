/**
 * Every option of a command that the window has too is in the window, or is left out for a reason that stands here: a new
 * option asks for a decision.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { WINDOW_CONTROLS, type WindowControl } from '../../support/window-controls.ts';
import { createProgram } from '../../../src-main/cli/program.ts';
import type { CommandLine } from '../../../src-main/cli/command-line.ts';

/** Where no control of its own sets an option: a word of the page's sources that does, and the file that has it. */
interface InWindow {
  file: string;
  word: string;
}
type Decision = InWindow | WindowControl | { leftOut: string };

const at = (file: string, word: string): InWindow => ({ file, word });
const leftOut = (reason: string): Decision => ({ leftOut: reason });

const OF_THE_NODE = leftOut('A node is opened with its directories, from a directory or a configuration.');
const OF_A_TERMINAL = leftOut('It is about what a terminal shows.');
const ASKED = leftOut('The window shows the plan and asks each time.');

/** Of every command. */
const COMMON: Record<string, Decision> = {
  '--config': OF_THE_NODE,
  '--json': OF_A_TERMINAL,
  '--progress': OF_A_TERMINAL,
  '--quiet': OF_A_TERMINAL,
  '--yes': ASKED,
  '--dry-run': ASKED,
  '--plan': leftOut('The window names the plan that was seen by itself.')
};
const BACKUP_FORM = 'state/backup-form.ts';
const RESTORE_FLOW = 'state/restore/restore-flow.svelte.ts';
const SIGNED = leftOut(
  'Keys that sign are of the machine: WINNOW_BACKUP_SIGN_KEY and WINNOW_BACKUP_VERIFY_KEY.'
);
const STORE = at('views/backups/StoreChoice.svelte', 'endpoint');

/** Of `extract` and `export`. */
const EXTRACTED: Record<string, Decision> = {
  '--index': OF_THE_NODE,
  '--stream': at('views/extract/ExportStreams.svelte', 'streams'),
  '--category': at('views/extract/ExportStreams.svelte', 'categories'),
  '--check': at('views/extract/ExtractEvents.svelte', 'check'),
  '--throttle': leftOut('A person who waits wants the result; a timer uses the command line.'),
  '--scratch': leftOut('One chunk at a time fits the temporary directory.'),
  '--key-file': at('views/restore/KeyChoice.svelte', 'keyFile'),
  '--password-stdin': at('views/restore/KeyChoice.svelte', 'password'),
  '--s3-endpoint': leftOut('That of the node, with its backup target.')
};

const COMMANDS: Record<string, Record<string, Decision>> = {
  scavenge: {
    ...WINDOW_CONTROLS['scavenge']?.controls,
    '--index': OF_THE_NODE,
    '--sync-only': leftOut('The same as the placement "An existing point only".'),
    '--single-node': at('views/scavenge/PlacementChoice.svelte', 'decide'),
    '--keep-replaced': at('state/scavenge/scavenge-options.ts', 'keepReplacedDays'),
    '--undo': at('views/scavenge/KeptScavenges.svelte', 'undoScavenge'),
    '--to': leftOut('The window undoes one scavenge after the other.'),
    '--forget': at('views/scavenge/KeptScavenges.svelte', 'forgetReplaced')
  },
  rescue: { ...WINDOW_CONTROLS['rescue']?.controls, '--index': OF_THE_NODE },
  verify: { ...WINDOW_CONTROLS['verify']?.controls, '--index': OF_THE_NODE },
  startup: {
    '--index': OF_THE_NODE,
    '--server-version': leftOut('The doctor above answers for other servers.'),
    '--prepare': at('views/verify/NextStart.svelte', 'prepareStartup'),
    '--apply-truncation': at('views/verify/NextStart.svelte', 'choice.applyTruncation'),
    '--merge-tables': at('views/verify/NextStart.svelte', 'choice.mergeTables'),
    '--assume-stopped': at('views/verify/NextStart.svelte', 'assumeStopped')
  },
  diff: {
    '--index': OF_THE_NODE,
    '--read-all': at('views/verify/CompareLogs.svelte', 'readAll'),
    '--throttle': leftOut('A person who waits wants the answer; a timer uses the command line.'),
    '--scratch': leftOut('One chunk at a time fits the temporary directory.'),
    '--key-file': leftOut('The key of the node opens its backups; others are compared on the command line.'),
    '--password-stdin': leftOut('As the key file.'),
    '--s3-endpoint': leftOut('That of the node, with its backup target.')
  },
  'backup create': {
    '--index': OF_THE_NODE,
    '--to': at('state/nodes.svelte.ts', 'chooseBackupTarget'),
    '--mode': at(BACKUP_FORM, 'mode'),
    '--compress': at(BACKUP_FORM, 'compress'),
    '--threads': at(BACKUP_FORM, 'threads'),
    '--throttle': at(BACKUP_FORM, 'bytesPerSecond'),
    '--moved': at(BACKUP_FORM, 'moved'),
    '--key-file': at('views/backups/Encryption.svelte', 'setBackupKey'),
    '--sign-key': SIGNED,
    '--s3-endpoint': STORE,
    '--node-url': at(BACKUP_FORM, 'nodeUrl'),
    '--user': at(BACKUP_FORM, 'nodeUser'),
    '--password-stdin': at(BACKUP_FORM, 'passwordId'),
    '--node-ca': at(BACKUP_FORM, 'authorityPlace'),
    '--stop-scavenge': at(BACKUP_FORM, 'stopScavenge')
  },
  'backup scavenge': {
    '--backup': at('views/backups/backup-actions.ts', 'item: id'),
    '--scavenge-point': at('views/backups/EraseForm.svelte', 'scavengePoint'),
    '--threshold': at('views/backups/EraseForm.svelte', 'threshold'),
    '--scratch': at('views/backups/EraseForm.svelte', 'scratchPlace'),
    '--remove-old': at('views/backups/ErasureOutcome.svelte', 'removeOld'),
    '--key-file': at('views/restore/KeyChoice.svelte', 'keyFile'),
    '--password-stdin': at('views/restore/KeyChoice.svelte', 'password'),
    '--s3-endpoint': STORE
  },
  extract: {
    ...EXTRACTED,
    '--type': at('views/extract/ExtractEvents.svelte', 'types'),
    '--from-time': at('views/extract/ExtractEvents.svelte', 'fromTime'),
    '--to-time': at('views/extract/ExtractEvents.svelte', 'toTime'),
    '--from-position': leftOut('Times are what a person knows; positions are for scripts.'),
    '--to-position': leftOut('As the first position.'),
    '--system': at('views/extract/ExtractEvents.svelte', 'systemStreams'),
    '--to': at('views/extract/Extract.svelte', "purpose: 'output'"),
    '--format': at('views/extract/ExtractEvents.svelte', 'format'),
    '--part-size': leftOut('The window writes one file.'),
    '--overwrite': leftOut('The window gives each file a new name.'),
    '--start-afresh': leftOut('Each file has a new name; one that was interrupted is continued.')
  },
  export: {
    ...EXTRACTED,
    '--to-database': at('views/extract/Extract.svelte', "purpose: 'output'"),
    '--chunk-size': leftOut('The size of a server is right for a database that one is to open.'),
    '--start-afresh': at('views/extract/ExportStreams.svelte', 'startAfresh')
  },
  bundle: {
    '--index': OF_THE_NODE,
    '--to': at('views/extract/Extract.svelte', "purpose: 'output'"),
    '--headers-only': at('views/extract/SupportBundle.svelte', 'headersOnly'),
    '--key': at('views/extract/SupportBundle.svelte', 'bundleKeyPlace'),
    '--names': at('views/extract/SupportBundle.svelte', 'listsNames'),
    '--pack': at('views/extract/SupportBundle.svelte', 'packs'),
    '--unpack': leftOut('Those who help unpack a bundle; no node is at hand for it.')
  },
  restore: {
    '--to': at('views/restore/PlaceStep.svelte', 'restoreTo'),
    '--index': at('views/restore/RestoreOptions.svelte', "purpose: 'index'"),
    '--apply-truncation': at('views/restore/RestoreOptions.svelte', 'applyTruncation'),
    '--assume-stopped': at('views/restore/RestoreOptions.svelte', 'assumeStopped'),
    '--continue': at(RESTORE_FLOW, 'continueRestore'),
    '--undo': at(RESTORE_FLOW, 'undoRestore'),
    '--finish': at(RESTORE_FLOW, 'cutLog'),
    '--max-truncation': at(RESTORE_FLOW, 'maxTruncationBytes'),
    '--verify-key': SIGNED,
    '--key-file': at('views/restore/KeyChoice.svelte', 'keyFile'),
    '--password-stdin': at('views/restore/KeyChoice.svelte', 'password'),
    '--s3-endpoint': STORE
  },
  repair: {
    '--index': OF_THE_NODE,
    '--only': at('state/repair-work.ts', 'only'),
    '--from-backup': at('state/repair-work.ts', 'usesBackups'),
    '--key-file': at('views/verify/RepairChoice.svelte', 'keyFile'),
    '--password-stdin': at('state/repair-work.ts', 'passwordId'),
    '--s3-endpoint': STORE,
    '--accept-loss': at('state/repair-work.ts', 'acceptLoss'),
    '--assume-stopped': at('state/repair-work.ts', 'assumeStopped')
  },
  'index rebuild': {
    '--index': OF_THE_NODE,
    '--assume-stopped': at('views/verify/RebuildPlan.svelte', 'assumeStopped')
  }
};

const program = await createProgram({
  parts: { stdout: process.stdout, environment: {} }
} as unknown as CommandLine);

function optionsOf(name: string): string[] {
  const command = name
    .split(' ')
    .reduce<Command | undefined>(
      (found, word) => found?.commands.find((child) => child.name() === word),
      program
    );
  if (!command) throw new Error(`there is no command ${name}`);
  return command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '');
}

describe.each(Object.keys(COMMANDS))('winnow %s', (name) => {
  const decisions = { ...COMMON, ...COMMANDS[name] };

  it('has no option that is not decided on', () => {
    const options = optionsOf(name);
    expect(options.filter((option) => !(option in decisions))).toEqual([]);
    expect(Object.keys(COMMANDS[name] ?? {}).filter((option) => !options.includes(option))).toEqual([]);
  });

  it('has its options in the window, the others left out in a sentence', () => {
    for (const [option, decision] of Object.entries(decisions)) {
      if ('leftOut' in decision)
        expect([option, decision.leftOut]).toEqual([option, expect.stringMatching(/^[A-Z].+\.$/)]);
      // Found in the rendered view by test/renderer/window-controls.test.ts.
      else if ('role' in decision) expect(decision.name).not.toBe('');
      else {
        const text = readFileSync(path.resolve('src-renderer', decision.file), 'utf8');
        expect([option, decision.word, text.includes(decision.word)]).toEqual([option, decision.word, true]);
      }
    }
  });
});
