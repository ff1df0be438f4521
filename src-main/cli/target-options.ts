/** Options of commands that open a backup target: the address of an object store, and how files are stored in it. */
import type { Command } from 'commander';
import type { CommandLine } from './command-line.ts';
import { optional } from './global-options.ts';
import { readPassword } from './password-input.ts';

export interface TargetOptions {
  s3Endpoint?: string;
  keyFile?: string;
}

export interface ReadingOptions extends TargetOptions {
  passwordStdin?: boolean;
}

export interface EncodingOptions extends TargetOptions {
  compress?: boolean;
}

/** For commands that read no files of a backup. */
export function withStoreOption(command: Command): Command {
  return command.option(
    '--s3-endpoint <url>',
    "address of an object store other than Amazon's (AWS_ENDPOINT_URL)"
  );
}

/** For commands that read files of a backup. */
export function withKeyOption(command: Command): Command {
  return withStoreOption(command).option('--key-file <file>', 'the secret key of an encrypted backup');
}

/** For commands that also open backups by their password. */
export function withOpeningOptions(command: Command): Command {
  return withKeyOption(command).option(
    '--password-stdin',
    'read the password of an encrypted backup from stdin (else: WINNOW_BACKUP_PASSWORD)'
  );
}

/** Never from an argument: other users can see those. A key file goes before the environment. */
export async function openingAccess(
  options: ReadingOptions,
  line: CommandLine
): Promise<{ s3Endpoint?: string; keyFile?: string; password?: string }> {
  if (options.passwordStdin === true) {
    return { ...targetAccess(options), password: await readPassword(line, true) };
  }
  const password =
    options.keyFile === undefined ? line.parts.environment['WINNOW_BACKUP_PASSWORD'] : undefined;
  return { ...targetAccess(options), ...optional('password', password) };
}

/** For commands that make a backup. */
export function withEncodingOptions(command: Command): Command {
  return withStoreOption(command)
    .option('--compress', 'compress completed chunks (Zstandard)')
    .option('--key-file <file>', 'encrypt every file for the key in this file (see "winnow backup key")');
}

export function targetAccess({ s3Endpoint, keyFile }: TargetOptions): {
  s3Endpoint?: string;
  keyFile?: string;
} {
  return { ...optional('s3Endpoint', s3Endpoint), ...optional('keyFile', keyFile) };
}

export function encodingRequest(options: EncodingOptions): {
  s3Endpoint?: string;
  keyFile?: string;
  compress: boolean;
} {
  return { ...targetAccess(options), compress: options.compress === true };
}
