/** `winnow backup key`: makes the key file that backups are encrypted for. */
import path from 'node:path';
import type { Command } from 'commander';
import type { BackupKeyReport } from '../../../contract/operations/backup-reports.ts';
import type { CommandLine } from '../../command-line.ts';
import { readPassword } from '../../password-input.ts';
import { createPrivateFile, requireRoomForNew } from '../../../settings/private-file.ts';
import { optional, withGlobalOptions, type GlobalOptions } from '../../global-options.ts';
import { visibleText } from '../../visible-text.ts';

interface KeyOptions extends GlobalOptions {
  in?: string;
  s3Endpoint?: string;
  passwordStdin?: boolean;
}

/** Registers the command under `backup`. */
export function addBackupKey(backup: Command, line: CommandLine): void {
  withGlobalOptions(backup.command('key').summary('make a key file for encrypted backups'))
    .argument('<file>', 'the file to create; it must not exist')
    .option(
      '--in <target>',
      'keep the secret key in this target, sealed with a password; the file gets the public one'
    )
    .option('--s3-endpoint <url>', "address of an object store other than Amazon's (AWS_ENDPOINT_URL)")
    .option('--password-stdin', 'read the password from stdin (else: WINNOW_BACKUP_PASSWORD)')
    .description(
      'Creates a secret key in the format of age, readable by its owner only. Without the key the backups cannot be ' +
        'restored: keep a copy in another place. The public key it prints is enough to take backups. With --in the ' +
        'password alone opens them.'
    )
    .addHelpText('after', '\nExample:\n  $ winnow backup key /etc/winnow/node1.key')
    .action(async (name: string, options: KeyOptions) => {
      const { writeKeyFile } = await import('../../../backup/encodings/key-file.ts');
      const file = path.resolve(name);
      const publicKey =
        options.in === undefined
          ? await writeKeyFile(file, new Date().toISOString())
          : await sealIn(options.in, file, options, line);
      const report: BackupKeyReport = { file, publicKey };
      if (options.json) await line.writeJson(report);
      else await line.write(`${visibleText(file)} created. Public key: ${publicKey}\n`);
    });
}

/** Returns the public key. */
async function sealIn(target: string, file: string, options: KeyOptions, line: CommandLine): Promise<string> {
  // Before the target gets a sealed key that nobody would have the public one of.
  requireRoomForNew(file);
  const given = line.parts.environment['WINNOW_BACKUP_PASSWORD'];
  const isAsked = options.passwordStdin === true || given === undefined;
  const password = isAsked ? await readPassword(line, options.passwordStdin === true) : given;
  const request = { target, password, ...optional('s3Endpoint', options.s3Endpoint) };
  const { publicKey } = await line.call('sealBackupKey', request, options);
  createPrivateFile(file, `# its secret key: ${target}, sealed with a password\n${publicKey}\n`);
  return publicKey;
}
