/**
 * Files encrypted like the tool `age` does: X25519 for the key of each file, ChaCha20-Poly1305 in blocks of 64 KiB, so
 * that a file may have any size and a cut or changed one is detected. The manifest names the public keys, as
 * `age:age1…` or `age:age1…,age1…`: the required key is known before anything is read. Each of several opens the file.
 */
import { Decrypter, Encrypter } from 'age-encryption';
import { EngineError, OperationStopped, type FileEncoding } from '../../../src-core/index.ts';
import { damagedObject } from './damaged-object.ts';
import type { BackupKeys } from './key-file.ts';

const SCHEME = 'age:';

/** The public keys that an encoding in the manifest names; undefined if it is another encoding. */
export function recipientsOfEncoding(name: string): string[] | undefined {
  return name.startsWith(SCHEME) ? name.slice(SCHEME.length).split(',') : undefined;
}

/** In one order, whatever that of a key file: backups for the same keys share their files. */
export function encodingForRecipients(recipients: readonly string[]): string {
  return SCHEME + [...recipients].sort().join();
}

export function ageEncoding(recipients: readonly string[]): FileEncoding {
  return {
    names: [encodingForRecipients(recipients)],
    suffix: '.age',
    async *encode(plain) {
      const encrypter = new Encrypter();
      for (const recipient of recipients) encrypter.addRecipient(recipient);
      yield* await encrypter.encrypt(ReadableStream.from(plain));
    }
  };
}

export async function* decodeAge(
  stored: AsyncIterable<Uint8Array>,
  {
    object,
    recipients,
    keys
  }: { object: string; recipients: readonly string[]; keys: BackupKeys | undefined }
): AsyncIterable<Uint8Array> {
  const identity = identityFor(recipients, keys);
  if (identity === undefined) throw keyMissing(object, recipients, keys);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    yield* await decrypter.decrypt(ReadableStream.from(stored));
  } catch (error) {
    if (error instanceof EngineError || error instanceof OperationStopped) throw error;
    throw damagedObject(object, 'it cannot be decrypted', error);
  }
}

/** The secret key of one of them; undefined: none was given. */
export function identityFor(recipients: readonly string[], keys: BackupKeys | undefined): string | undefined {
  const held = recipients.find((recipient) => keys?.identities.has(recipient) === true);
  return held === undefined ? undefined : keys?.identities.get(held);
}

export function keyMissing(
  object: string,
  recipients: readonly string[],
  keys: BackupKeys | undefined
): EngineError {
  const isPublicOnly = keys?.recipients.some((recipient) => recipients.includes(recipient)) === true;
  const held = isPublicOnly ? 'only its public half' : `the keys ${keys?.recipients.join(', ') ?? ''}`;
  return new EngineError({
    code: 'UnsupportedFormat',
    message:
      `${object} is encrypted for the ${recipients.length === 1 ? 'key' : 'keys'} ${recipients.join(', ')}` +
      (keys ? `; ${keys.file} contains ${held}.` : ', and no key was given.'),
    remedy: 'Give the file with the secret key with --key-file. Nothing was changed.',
    details: { file: object, expected: recipients.join(), reason: 'keyMissing' }
  });
}
