/**
 * Files encrypted like the tool `age` does: X25519 for the key of each file, ChaCha20-Poly1305 in blocks of 64 KiB, so
 * that a file may have any size and a cut or changed one is detected. The manifest names the public key, as
 * `age:age1…`: the required key is known before anything is read.
 */
import { Decrypter, Encrypter } from 'age-encryption';
import { EngineError, OperationStopped, type FileEncoding } from '../../../src-core/index.ts';
import { damagedObject } from './damaged-object.ts';
import type { BackupKeys } from './key-file.ts';

const SCHEME = 'age:';

/** The public key that an encoding in the manifest names; undefined if it is another encoding. */
export function recipientOfEncoding(name: string): string | undefined {
  return name.startsWith(SCHEME) ? name.slice(SCHEME.length) : undefined;
}

export function ageEncoding(recipient: string): FileEncoding {
  return {
    names: [SCHEME + recipient],
    suffix: '.age',
    async *encode(plain) {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      yield* await encrypter.encrypt(ReadableStream.from(plain));
    }
  };
}

export async function* decodeAge(
  stored: AsyncIterable<Uint8Array>,
  { object, recipient, keys }: { object: string; recipient: string; keys: BackupKeys | undefined }
): AsyncIterable<Uint8Array> {
  const identity = keys?.identities.get(recipient);
  if (identity === undefined) throw keyMissing(object, recipient, keys);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    yield* await decrypter.decrypt(ReadableStream.from(stored));
  } catch (error) {
    if (error instanceof EngineError || error instanceof OperationStopped) throw error;
    throw damagedObject(object, 'it cannot be decrypted', error);
  }
}

export function keyMissing(object: string, recipient: string, keys: BackupKeys | undefined): EngineError {
  const isPublicOnly = keys?.recipients.includes(recipient) === true;
  const held = isPublicOnly ? 'only its public half' : `the keys ${keys?.recipients.join(', ') ?? ''}`;
  return new EngineError({
    code: 'UnsupportedFormat',
    message:
      `${object} is encrypted for the key ${recipient}` +
      (keys ? `; ${keys.file} contains ${held}.` : ', and no key was given.'),
    remedy: 'Give the file with the secret key with --key-file. Nothing was changed.',
    details: { file: object, expected: recipient, reason: 'keyMissing' }
  });
}
