/**
 * Secret keys sealed with a password, as `age -p` seals a file. They lie in the target beside the backups, each under the
 * name of its public key, so that the password alone is enough to restore:
 *
 *   winnow-keys/age1….age      age -d winnow-keys/age1….age > key; age -d -i key < chunk-….age
 *
 * Invariants: neither password nor key appears in a message; a sealed key is never replaced.
 */
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import {
  contentOf,
  EngineError,
  invalidRequest,
  readWholeObject,
  type BackupTarget
} from '../../../src-core/index.ts';

const FOLDER = 'winnow-keys/';
const SUFFIX = '.age';
/** A sealed key has some 400 bytes. */
const MAX_SEALED_BYTES = 64 * 1024;
/** Each costs a second of work: a target has one, or a few after its password was changed. */
const MOST_TRIED = 8;
/** The tool `age` suggests more; shorter ones are guessed. */
const LEAST_LENGTH = 8;

/** The text inside: lines as in a key file. undefined: not sealed with this password. */
export async function openSealed(sealed: Uint8Array, password: string): Promise<string | undefined> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(password);
  try {
    return await decrypter.decrypt(sealed, 'text');
  } catch {
    // The library does not tell a wrong password from a damaged file, and neither helps to restore.
    return undefined;
  }
}

/** Lines of secret keys that the password opens. Throws if it opens none. */
export async function openKeysOf(target: BackupTarget, password: string): Promise<string> {
  const objects = (await target.list(FOLDER)).filter(({ name }) => name.endsWith(SUFFIX)).slice(-MOST_TRIED);
  if (objects.length === 0) {
    throw invalidRequest(
      `${target.description} contains no key that is sealed with a password.`,
      'password',
      'Give the file with the secret key.'
    );
  }
  const opened: string[] = [];
  for (const { name } of objects) {
    const sealed = await readWholeObject(target, name, MAX_SEALED_BYTES);
    const text = sealed && (await openSealed(sealed, password));
    if (text !== undefined) opened.push(text);
  }
  if (opened.length === 0) throw wrongPassword(target.description);
  return opened.join('\n');
}

/** Makes a secret key, leaves it in the target, sealed; returns the public one. An earlier key of this password stays. */
export async function sealNewKey(target: BackupTarget, password: string): Promise<string> {
  if (password.length < LEAST_LENGTH) {
    throw invalidRequest(
      `The password has ${password.length} characters; it needs at least ${LEAST_LENGTH}.`,
      'password',
      'Use a longer one, such as five random words.'
    );
  }
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(password);
  const sealed = await encrypter.encrypt(`# public key: ${recipient}\n${identity}\n`);
  await target.write(`${FOLDER}${recipient}${SUFFIX}`, contentOf(sealed));
  return recipient;
}

export function wrongPassword(what: string): EngineError {
  return new EngineError({
    code: 'UnsupportedFormat',
    message: `The password does not open the key of ${what}.`,
    remedy: 'Try again, or give the file with the secret key. Nothing was changed.',
    details: { field: 'password', reason: 'wrongPassword' }
  });
}
