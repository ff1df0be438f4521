/** `winnow backup key`: makes the key file that backups are encrypted for. */
import path from 'node:path';
import type { Command } from 'commander';
import type { BackupKeyReport } from '../../contract/operations/backup-reports.ts';
import type { CommandLine } from '../command-line.ts';
import { withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { visibleText } from '../visible-text.ts';

/** Registers the command under `backup`. */
export function addBackupKey(backup: Command, line: CommandLine): void {
  withGlobalOptions(backup.command('key').summary('make a key file for encrypted backups'))
    .argument('<file>', 'the file to create; it must not exist')
    .description(
      'Creates a secret key in the format of age, readable by its owner only. Without the key the backups cannot be ' +
        'restored: keep a copy in another place. The public key it prints is enough to take backups.'
    )
    .addHelpText('after', '\nExample:\n  $ winnow backup key /etc/winnow/node1.key')
    .action(async (name: string, options: GlobalOptions) => {
      const { writeKeyFile } = await import('../../backup/encodings/key-file.ts');
      const file = path.resolve(name);
      const publicKey = await writeKeyFile(file, new Date().toISOString());
      const report: BackupKeyReport = { file, publicKey };
      if (options.json) await line.writeJson(report);
      else await line.write(`${visibleText(file)} created. Public key: ${publicKey}\n`);
    });
}
