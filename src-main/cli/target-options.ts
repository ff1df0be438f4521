/** Options of commands that open a backup target: the address of an object store, and how files are stored in it. */
import type { Command } from 'commander';
import { optional } from './global-options.ts';

export interface TargetOptions {
  s3Endpoint?: string;
  keyFile?: string;
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
