/**
 * Ed25519 keys that sign backups, by file, in PEM form, as `openssl genpkey -algorithm ed25519` makes them and
 * `openssl pkey -pubout` writes their public halves. Secret keys never appear in messages.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import path from 'node:path';
import {
  invalidRequest,
  type BackupSigner,
  type BackupTrust,
  type BackupVerifier
} from '../../../src-core/index.ts';
import { readNamedText } from '../../settings/named-file.ts';

export interface SigningFiles {
  /** Of the secret key, for new backups. */
  signKey?: string | undefined;
  /** Of public keys, one or several in each. */
  verifyKeys?: readonly string[] | undefined;
}

const SIGN_OPTION = '--sign-key';
const VERIFY_OPTION = '--verify-key';
const MAKE_ONE = 'Make one with: openssl genpkey -algorithm ed25519 -out FILE';
const TAKE_PUBLIC = 'Write the public half with: openssl pkey -in SECRET -pubout -out FILE';
const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g;

/** Files named in a request go before those of the environment. */
export function signingFiles(
  { signKey, verifyKeys }: SigningFiles,
  environment: Readonly<Record<string, string | undefined>>
): SigningFiles {
  const named = (name: string): string | undefined => environment[name]?.trim() || undefined;
  return {
    signKey: signKey ?? named('WINNOW_BACKUP_SIGN_KEY'),
    verifyKeys: verifyKeys ?? named('WINNOW_BACKUP_VERIFY_KEY')?.split(path.delimiter).filter(Boolean)
  };
}

/** undefined if no key is named. The secret key is read only where backups are made or removed. */
export function readTrust(
  { signKey, verifyKeys }: SigningFiles,
  { signs }: { signs: boolean }
): BackupTrust | undefined {
  const secret = signs && signKey !== undefined ? readSecretKey(signKey) : undefined;
  const given = (verifyKeys ?? []).flatMap(readPublicKeys);
  if (!secret && given.length === 0) return undefined;
  const own = secret ? [verifierOf(createPublicKey(secret))] : [];
  return {
    signer: secret && signerOf(secret),
    verifiers: [...given, ...own],
    isRequired: given.length > 0
  };
}

function readSecretKey(file: string): KeyObject {
  const text = readNamedText({ file, what: 'secret key', field: SIGN_OPTION, remedy: MAKE_ONE });
  const key = orUndefined(() => createPrivateKey(text));
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw invalidRequest(
    `${file} does not contain a secret Ed25519 key in PEM form without a passphrase.`,
    SIGN_OPTION,
    MAKE_ONE
  );
}

function readPublicKeys(file: string): BackupVerifier[] {
  const text = readNamedText({ file, what: 'public key', field: VERIFY_OPTION, remedy: TAKE_PUBLIC });
  const keys = (text.match(PUBLIC_KEY) ?? []).map((pem) => orUndefined(() => createPublicKey(pem)));
  const usable = keys.filter((key) => key?.asymmetricKeyType === 'ed25519') as KeyObject[];
  if (usable.length > 0 && usable.length === keys.length) return usable.map(verifierOf);
  throw invalidRequest(
    `${file} does not contain public Ed25519 keys in PEM form.`,
    VERIFY_OPTION,
    TAKE_PUBLIC
  );
}

/** The library's message may tell of the content; it is enough to say that it is not a key. */
function orUndefined(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function signerOf(secret: KeyObject): BackupSigner {
  return {
    fingerprint: fingerprintOf(createPublicKey(secret)),
    sign: (bytes) => sign(null, bytes, secret)
  };
}

function verifierOf(key: KeyObject): BackupVerifier {
  return {
    fingerprint: fingerprintOf(key),
    verify: (bytes, signature) => verify(null, bytes, key, signature)
  };
}

/** Of the key in DER form: `openssl pkey -pubin -in FILE -outform DER | openssl dgst -sha256 -binary | base64`. */
function fingerprintOf(key: KeyObject): string {
  const hash = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }));
  return `SHA256:${hash.digest('base64').replace(/=+$/, '')}`;
}
