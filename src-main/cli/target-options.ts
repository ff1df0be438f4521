/** Options of commands that open a backup target: the address of an object store, and how files are stored in it. */
import type { Command } from 'commander';
import type { CommandLine } from './command-line.ts';
import { optional } from './global-options.ts';
import { readPassword } from './password-input.ts';

export interface TargetOptions {
  s3Endpoint?: string;
  keyFile?: string;
  verifyKey?: string[];
}

export interface ReadingOptions extends TargetOptions {
  passwordStdin?: boolean;
}

export interface EncodingOptions extends TargetOptions {
  compress?: boolean;
  signKey?: string;
}

/** For commands that read no files of a backup. */
export function withStoreOption(command: Command): Command {
  return command.option(
    '--s3-endpoint <url>',
    "address of an object store other than Amazon's (AWS_ENDPOINT_URL)"
  );
}

/** For commands that refuse what was not signed with a key of theirs. */
export function withVerifyKey(command: Command): Command {
  return command.option(
    '--verify-key <file>',
    'accept only backups signed with this public key; may be repeated (else: WINNOW_BACKUP_VERIFY_KEY)',
    (file: string, files: string[] | undefined) => [...(files ?? []), file]
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
): Promise<{ s3Endpoint?: string; keyFile?: string; verifyKeys?: string[]; password?: string }> {
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
    .option(
      '--sign-key <file>',
      'sign the backup with this Ed25519 key in PEM form (else: WINNOW_BACKUP_SIGN_KEY)'
    )
    .option('--compress', 'compress completed chunks (Zstandard)')
    .option('--key-file <file>', 'encrypt every file for the key in this file (see "winnow backup key")');
}

export function targetAccess({ s3Endpoint, keyFile, verifyKey }: TargetOptions): {
  s3Endpoint?: string;
  keyFile?: string;
  verifyKeys?: string[];
} {
  return {
    ...optional('s3Endpoint', s3Endpoint),
    ...optional('keyFile', keyFile),
    ...optional('verifyKeys', verifyKey)
  };
}

export function encodingRequest(options: EncodingOptions): {
  s3Endpoint?: string;
  keyFile?: string;
  verifyKeys?: string[];
  signKey?: string;
  compress: boolean;
} {
  return {
    ...targetAccess(options),
    ...optional('signKey', options.signKey),
    compress: options.compress === true
  };
}
