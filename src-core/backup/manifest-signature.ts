/**
 * The signature of a manifest: Ed25519 over its exact bytes, in a file beside it. The manifest has the SHA-256 of every
 * file, so it covers them too, wherever their bytes are compared. Why beside it: docs/decisions/0055.
 *
 * The file has one spelling only: a changed byte anywhere in it makes it a wrong signature.
 */
import { EngineError, invalidRequest } from '../errors.ts';
import { addToRegister, beginRegister } from './backup-register.ts';
import { manifestObject, signatureObject } from './backup-layout.ts';
import { contentOf, readWholeObject, type BackupTarget } from './backup-target.ts';
import type { BackupSigner } from './backup-trust.ts';
import { MAX_MANIFEST_BYTES } from './decode-manifest.ts';

/** `claimed`: there is a file, but no key to compare it with. `key`: fingerprint, as proved or as claimed. */
export type SignatureState =
  { state: 'signed' | 'otherKey' | 'claimed'; key: string } | { state: 'notSigned' | 'wrong'; key: null };

const FORMAT = 'winnow-signature';
const MAX_SIGNATURE_BYTES = 4096;
const KEY = /^SHA256:[A-Za-z0-9+/]{43}$/;

export function encodeSignature(key: string, signature: Uint8Array): Uint8Array {
  const text = Buffer.from(signature).toString('base64');
  return new TextEncoder().encode(
    `${JSON.stringify({ format: FORMAT, formatVersion: 1, key, signature: text })}\n`
  );
}

/** undefined for anything that was not written by `encodeSignature`. */
export function decodeSignature(bytes: Uint8Array): { key: string; signature: Uint8Array } | undefined {
  let found: unknown;
  try {
    found = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof found !== 'object' || found === null) return undefined;
  const { key, signature: text } = found as Record<string, unknown>;
  if (typeof key !== 'string' || !KEY.test(key) || typeof text !== 'string') return undefined;
  const signature = Buffer.from(text, 'base64');
  return Buffer.compare(encodeSignature(key, signature), bytes) === 0 ? { key, signature } : undefined;
}

/** What the file beside the manifest proves with the keys that are known. `manifest`: its bytes as they were read. */
export async function signatureState(
  target: BackupTarget,
  id: string,
  manifest: Uint8Array
): Promise<SignatureState> {
  if (!(await target.describe(signatureObject(id)))) return { state: 'notSigned', key: null };
  const bytes = await readSmall(target, signatureObject(id));
  const found = bytes && decodeSignature(bytes);
  if (!found) return { state: 'wrong', key: null };
  const verifiers = target.trust?.verifiers ?? [];
  if (verifiers.length === 0) return { state: 'claimed', key: found.key };
  const verifier = verifiers.find(({ fingerprint }) => fingerprint === found.key);
  if (!verifier) return { state: 'otherKey', key: found.key };
  const isRight = verifier.verify(manifest, found.signature);
  return isRight ? { state: 'signed', key: found.key } : { state: 'wrong', key: null };
}

/** A file that is too large is a wrong one: it says nothing about the target. */
async function readSmall(target: BackupTarget, name: string): Promise<Uint8Array | undefined> {
  const facts = await target.describe(name);
  if (!facts || facts.size > MAX_SIGNATURE_BYTES) return undefined;
  return readWholeObject(target, name, MAX_SIGNATURE_BYTES);
}

/** Throws LogCorrupt if public keys were given and none of them proves this manifest. */
export async function requireSignature(
  target: BackupTarget,
  id: string,
  manifest: Uint8Array
): Promise<void> {
  if (target.trust?.isRequired !== true) return;
  const found = await signatureState(target, id, manifest);
  if (found.state !== 'signed') throw notProved(target, id, found);
}

function notProved(target: BackupTarget, id: string, found: SignatureState): EngineError {
  const keys = target.trust?.verifiers.map(({ fingerprint }) => fingerprint).join(', ') ?? '';
  const what = {
    notSigned: `The backup ${id} in ${target.description} is not signed.`,
    wrong: `The signature of the backup ${id} in ${target.description} is wrong: its manifest or its signature was changed.`,
    otherKey: `The backup ${id} in ${target.description} is signed with another key, ${found.key}; given: ${keys}.`
  };
  const remedy = {
    notSigned:
      'Use a signed backup. If this one is older than your keys and you trust it, leave out the verify key.',
    wrong: 'Use another backup, and find out who can write to the target.',
    otherKey: 'If that key was yours, give its public half too: there may be several verify keys.'
  };
  const kind = found.state === 'notSigned' || found.state === 'otherKey' ? found.state : 'wrong';
  return new EngineError({
    code: 'LogCorrupt',
    message: what[kind],
    remedy: remedy[kind],
    details: {
      file: kind === 'notSigned' ? manifestObject(id) : signatureObject(id),
      target: target.description,
      backup: id,
      reason: kind === 'wrong' ? 'signatureWrong' : kind
    }
  });
}

/** A run that asks for signatures must not make a backup that it would refuse. */
export function requireSigner({ trust }: BackupTarget): void {
  if (trust?.isRequired !== true || trust.signer) return;
  throw invalidRequest(
    'Only signed backups are accepted here, and no key to sign with is given.',
    '--sign-key',
    'Give the secret key that signs, or leave out the verify key.'
  );
}

/** Those that no given public key proves; none where none was given. */
export async function unprovedIds(target: BackupTarget, ids: readonly string[]): Promise<Set<string>> {
  if (target.trust?.isRequired !== true) return new Set();
  const signed = await signedIds(target, ids);
  return new Set(ids.filter((id) => !signed.includes(id)));
}

/** Those that a known key proves. */
export async function signedIds(target: BackupTarget, ids: readonly string[]): Promise<string[]> {
  const signed: string[] = [];
  for (const id of ids) {
    const bytes = await readWholeObject(target, manifestObject(id), MAX_MANIFEST_BYTES);
    if (bytes && (await signatureState(target, id, bytes)).state === 'signed') signed.push(id);
  }
  return signed;
}

/** What is said of a backup in reports; undefined where neither a signature nor a key is there. */
export async function describeSignature(
  target: BackupTarget,
  id: string
): Promise<SignatureState | undefined> {
  if (!target.trust && !(await target.describe(signatureObject(id)))) return undefined;
  const bytes = await readWholeObject(target, manifestObject(id), MAX_MANIFEST_BYTES);
  return bytes && signatureState(target, id, bytes);
}

/** Whether a new backup that is signed may take over what this one says of its files. */
export async function mayBuildOn(target: BackupTarget, id: string): Promise<boolean> {
  if (!target.trust?.signer) return true;
  const bytes = await readWholeObject(target, manifestObject(id), MAX_MANIFEST_BYTES);
  return bytes !== undefined && (await signatureState(target, id, bytes)).state === 'signed';
}

/** Writes the manifest last, and its signature before it: there is no moment with a manifest that is not signed yet. */
export async function writeManifest(target: BackupTarget, id: string, manifest: Uint8Array): Promise<void> {
  const signer = target.trust?.signer;
  await beginRegister(target, id);
  if (signer) await writeSignature(target, id, manifest, signer);
  await target.write(manifestObject(id), contentOf(manifest));
  await addToRegister(target, id);
}

/** Replaces the signature, if there is one, at once. */
export async function writeSignature(
  target: BackupTarget,
  id: string,
  manifest: Uint8Array,
  signer: BackupSigner
): Promise<void> {
  const bytes = encodeSignature(signer.fingerprint, signer.sign(manifest));
  await target.write(signatureObject(id), contentOf(bytes));
}
