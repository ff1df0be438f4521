/**
 * The token of a licence: whose it is and until when, once its signature and its claims are found right.
 */
import { errors, importJWK, jwtVerify, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import shipped from '../../resources/license-keys.json' with { type: 'json' };
import { EngineError } from '../../src-core/index.ts';
import { readNamedText } from '../settings/named-file.ts';

/** Claims that grant auto-scavenge; names and the word `true` match without regard to case. */
const GRANTING_CLAIMS: readonly string[] = ['auto_scavenge', 'all'];
/** Enough for a key with far more claims than any has. */
const MAX_FILE_BYTES = 64 * 1024;

export type TokenCheck =
  { isValid: true; holder: string; expiresAt: Date } | { isValid: false; reason: string };

/** `trustedKeyFile`: a file with another public key (JWK) to trust. Throws InvalidRequest where that cannot be read. */
export async function checkToken(
  token: string,
  trustedKeyFile: string | undefined,
  now: Date
): Promise<TokenCheck> {
  let claims: JWTPayload;
  try {
    claims = await verifiedClaims(token, await trustedKeys(trustedKeyFile), now);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return { isValid: false, reason: reasonOf(error) };
  }
  if (!grantsAutoScavenge(claims)) {
    return { isValid: false, reason: 'it does not grant AUTO_SCAVENGE' };
  }
  const expiresAt = new Date((claims.exp ?? 0) * 1000);
  const holder = typeof claims.sub === 'string' ? claims.sub : 'unnamed';
  return { isValid: true, holder, expiresAt };
}

/** Verified with the matching key; throws the last key's error if none matches. */
async function verifiedClaims(token: string, keys: readonly CryptoKey[], now: Date): Promise<JWTPayload> {
  let complaint: unknown = new errors.JWSSignatureVerificationFailed();
  for (const key of keys) {
    try {
      const options = { algorithms: ['EdDSA'], requiredClaims: ['exp'], currentDate: now };
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      // A token that is expired or malformed fails with every key.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      complaint = error;
    }
  }
  throw complaint;
}

async function trustedKeys(trustedKeyFile: string | undefined): Promise<CryptoKey[]> {
  const keys = await Promise.all((shipped.keys as JWK[]).map(importKey));
  return trustedKeyFile === undefined ? keys : [...keys, await readKeyFile(trustedKeyFile)];
}

async function importKey(key: JWK): Promise<CryptoKey> {
  return (await importJWK(key, 'EdDSA')) as CryptoKey;
}

async function readKeyFile(file: string): Promise<CryptoKey> {
  try {
    const named = { file, what: 'key file', field: '--trust-license-key', maxBytes: MAX_FILE_BYTES };
    return await importKey(JSON.parse(readNamedText(named)) as JWK);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    throw new EngineError({
      code: 'InvalidRequest',
      message: `The key file ${file} does not contain a public key.`,
      remedy: 'Name a file with a public key in JWK form.',
      details: { field: '--trust-license-key', file },
      cause
    });
  }
}

function grantsAutoScavenge(claims: JWTPayload): boolean {
  return Object.entries(claims).some(
    ([name, value]) => GRANTING_CLAIMS.includes(name.toLowerCase()) && String(value).toLowerCase() === 'true'
  );
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) {
    const { exp } = error.payload;
    return `it expired on ${new Date((exp ?? 0) * 1000).toISOString().slice(0, 10)}`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'its signature does not match its issuer';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'it is not signed with EdDSA';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `its claim "${error.claim}" is missing or wrong`;
  return 'it is not a signed token';
}
