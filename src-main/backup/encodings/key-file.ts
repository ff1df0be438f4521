/**
 * Files with keys, in the format of the tool `age` and its `age-keygen`: one line per key, comments after `#`.
 * A secret key (AGE-SECRET-KEY-1…) encrypts and decrypts; a public one (age1…) only encrypts, so that the machine
 * that takes backups does not need to be able to read them.
 *
 * Invariants: secret keys never appear in messages; an existing file is never overwritten.
 */
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { EngineError, invalidRequest } from '../../../src-core/index.ts';
import { createPrivateFile } from '../../settings/private-file.ts';
import { readNamedText } from '../../settings/named-file.ts';

export interface BackupKeys {
  /** Path of the file, for messages. */
  readonly file: string;
  /** Public keys in the order of the file, including those of secret ones. */
  readonly recipients: readonly string[];
  /** Secret keys by their public ones. */
  readonly identities: ReadonlyMap<string, string>;
}

const SECRET_KEY = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/;
const PUBLIC_KEY = /^age1[02-9ac-hj-np-z]{58}$/;
/** Enough for far more keys than anyone has. */
const MAX_FILE_BYTES = 64 * 1024;

export async function readKeyFile(file: string): Promise<BackupKeys> {
  return readKeys(textOf(file), file);
}

/** Keys from text; `file`: where it is from, for messages. */
export async function readKeys(keys: string, file: string): Promise<BackupKeys> {
  const recipients: string[] = [];
  const identities = new Map<string, string>();
  for (const [i, line] of keys.split('\n').entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const recipient = await recipientOf(text);
    if (recipient === undefined) throw notAKey(file, i + 1);
    if (recipient !== text) identities.set(recipient, text);
    if (!recipients.includes(recipient)) recipients.push(recipient);
  }
  if (recipients.length > 0) return { file, recipients, identities };
  throw invalidRequest(`${file} does not contain a key.`, '--key-file', makeOne);
}

/** Writes a new secret key, readable by its owner only; returns the public one. */
export async function writeKeyFile(file: string, createdAt: string): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const text = `# created: ${createdAt}\n# public key: ${recipient}\n${identity}\n`;
  try {
    createPrivateFile(file, text);
  } catch (error) {
    throw new EngineError({
      code: 'StorageFailed',
      message: `The key file ${file} could not be written: ${reasonOf(error)}.`,
      remedy: 'Name a file that does not exist yet, in a directory that you may write to.',
      details: { file }
    });
  }
  return recipient;
}

const makeOne = 'Make a key file with "winnow backup key FILE" or with age-keygen.';
const putBack = `Put the file back or name another one. ${makeOne}`;

function textOf(file: string): string {
  const named = { file, what: 'key file', field: '--key-file', maxBytes: MAX_FILE_BYTES, remedy: putBack };
  return readNamedText(named);
}

async function recipientOf(key: string): Promise<string | undefined> {
  if (PUBLIC_KEY.test(key)) return key;
  if (!SECRET_KEY.test(key)) return undefined;
  try {
    return await identityToRecipient(key);
  } catch {
    // The library's message may repeat the key; it is enough to say that the line is not a key.
    return undefined;
  }
}

function notAKey(file: string, line: number): EngineError {
  return invalidRequest(
    `Line ${line} of the key file ${file} is not a key.`,
    '--key-file',
    `Lines are AGE-SECRET-KEY-1…, age1… or comments after #. Other kinds of keys are not supported. ${makeOne}`
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
