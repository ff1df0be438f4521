/**
 * The register of a target's signed backups: their ids, signed as a whole, in one file. A backup that is in it and not
 * there was removed by someone else than us: what removes backups for us takes them out first.
 *
 * It is never made again over signed backups, nor written over a wrong one, unless a person accepts that: else the next
 * run would hide what happened.
 */
import { EngineError, invalidRequest } from '../errors.ts';
import { isBackupId, signatureObject } from './backup-layout.ts';
import { contentOf, readWholeObject, type BackupTarget } from './backup-target.ts';
import type { BackupSigner } from './backup-trust.ts';

export const REGISTER_OBJECT = 'winnow-signed/register.json';
/** Of hundreds of thousands of backups. */
const MAX_REGISTER_BYTES = 16 * 1024 * 1024;

type Register =
  { state: 'none' | 'wrong'; backups: readonly string[] } | { state: 'proved'; backups: string[] };

function signedPart(backups: readonly string[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ format: 'winnow-register', formatVersion: 1, backups }));
}

function encodeRegister(backups: readonly string[], key: string, signature: string): Uint8Array {
  const document = { format: 'winnow-register', formatVersion: 1, backups, key, signature };
  return new TextEncoder().encode(`${JSON.stringify(document)}\n`);
}

async function readRegister(target: BackupTarget): Promise<Register> {
  const bytes = await readWholeObject(target, REGISTER_OBJECT, MAX_REGISTER_BYTES);
  if (!bytes) return { state: 'none', backups: [] };
  const backups = provedIds(bytes, target);
  return backups ? { state: 'proved', backups } : { state: 'wrong', backups: [] };
}

/** undefined unless it is as we write it, and a known key proves it. */
function provedIds(bytes: Uint8Array, { trust }: BackupTarget): string[] | undefined {
  let found: unknown;
  try {
    found = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof found !== 'object' || found === null) return undefined;
  const { backups, key, signature } = found as Record<string, unknown>;
  if (!Array.isArray(backups) || typeof key !== 'string' || typeof signature !== 'string') return undefined;
  const ids = backups.filter((id): id is string => typeof id === 'string' && isBackupId(id));
  if (Buffer.compare(encodeRegister(ids, key, signature), bytes) !== 0) return undefined;
  const signatureBytes = Buffer.from(signature, 'base64');
  // Base64 has other spellings of the same bytes, which we do not write.
  if (signatureBytes.toString('base64') !== signature) return undefined;
  const verifier = trust?.verifiers.find(({ fingerprint }) => fingerprint === key);
  return verifier?.verify(signedPart(ids), signatureBytes) === true ? ids : undefined;
}

async function writeRegister(
  target: BackupTarget,
  backups: Iterable<string>,
  signer: BackupSigner
): Promise<void> {
  const ids = [...new Set(backups)].sort();
  const signature = Buffer.from(signer.sign(signedPart(ids))).toString('base64');
  await target.write(REGISTER_OBJECT, contentOf(encodeRegister(ids, signer.fingerprint, signature)));
}

/** Before the first signed backup of a target: so that a later absence of the register is a fault. */
export async function beginRegister(target: BackupTarget, id: string): Promise<void> {
  const signer = target.trust?.signer;
  if (!signer || (await target.describe(REGISTER_OBJECT))) return;
  const others = (await target.folders()).filter((name) => isBackupId(name) && name !== id);
  for (const other of others) if (await target.describe(signatureObject(other))) return;
  await writeRegister(target, [], signer);
}

/** After the manifest of a signed backup was written. A register that is missing or wrong stays so, for a person to see. */
export async function addToRegister(target: BackupTarget, id: string): Promise<void> {
  const signer = target.trust?.signer;
  if (!signer) return;
  const { state, backups } = await readRegister(target);
  if (state === 'proved') await writeRegister(target, [...backups, id], signer);
}

/** Before backups are removed. */
export async function takeOffRegister(target: BackupTarget, removed: readonly string[]): Promise<void> {
  const signer = target.trust?.signer;
  if (!signer) return;
  const { state, backups } = await readRegister(target);
  const left = backups.filter((id) => !removed.includes(id));
  if (state === 'proved' && left.length < backups.length) await writeRegister(target, left, signer);
}

/** What a person has accepted: the register names just these from now on. */
export async function renewRegister(target: BackupTarget, proved: readonly string[]): Promise<void> {
  const signer = target.trust?.signer;
  if (signer) return writeRegister(target, proved, signer);
  throw invalidRequest(
    'Without a key that signs, nothing can be accepted as missing.',
    '--sign-key',
    'Give the secret key that signs.'
  );
}

export interface RegisterFault {
  code: 'registerMissing' | 'registerWrong' | 'backupRemoved';
  /** Of the register, or of what is missing. */
  file: string;
  message: string;
  remedy: string;
}

const REMEDY =
  'Find out who can write to the target. A backup named by its id still opens. "winnow backup prune --accept-missing" accepts what is there now.';

/** Compares the register with the backups that are there and proved. Nothing is known without a public key. */
export async function registerFaults(
  target: BackupTarget,
  proved: readonly string[]
): Promise<RegisterFault[]> {
  if (target.trust?.isRequired !== true) return [];
  const { state, backups } = await readRegister(target);
  const place = { file: REGISTER_OBJECT, remedy: REMEDY };
  if (state === 'none' && proved.length > 0) {
    const message = `${target.description} has signed backups, but their register ${REGISTER_OBJECT} is missing.`;
    return [{ code: 'registerMissing', ...place, message }];
  }
  if (state === 'wrong') {
    const message = `The register ${REGISTER_OBJECT} in ${target.description} was changed, or is signed with another key.`;
    return [{ code: 'registerWrong', ...place, message }];
  }
  const present = new Set(proved);
  return backups
    .filter((id) => !present.has(id))
    .map((id) => ({
      code: 'backupRemoved',
      file: id,
      message: `The signed backup ${id} was in ${target.description} and is missing or not proved any more.`,
      remedy: REMEDY
    }));
}

/** Throws LogCorrupt for the first of them. */
export async function requireRegister(target: BackupTarget, proved: readonly string[]): Promise<void> {
  const fault = (await registerFaults(target, proved)).at(-1);
  if (!fault) return;
  const { code, file, message, remedy } = fault;
  const details = { file, target: target.description, reason: code };
  throw new EngineError({ code: 'LogCorrupt', message, remedy, details });
}
