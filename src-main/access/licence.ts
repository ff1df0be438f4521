/**
 * The licence that auto-scavenge needs: a signed token (EdDSA) with an expiry and a claim that grants the
 * feature. Checked with public keys only; the issuer keeps the private one. Nothing else in Winnow
 * needs a licence, and nothing is requested over the network.
 */
import { errors, importJWK, jwtVerify, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import evaluation from '../../resources/evaluation-license.json' with { type: 'json' };
import shipped from '../../resources/license-keys.json' with { type: 'json' };
import { EngineError } from '../../src-core/index.ts';
import { readNamedText } from '../settings/named-file.ts';

/** Claims that grant auto-scavenge; names and the word `true` match without regard to case. */
const GRANTING_CLAIMS: readonly string[] = ['auto_scavenge', 'all'];
export const EVALUATION = 'evaluation';
/** Enough for a token or key with far more claims than any has. */
const MAX_FILE_BYTES = 64 * 1024;

export interface LicenceSettings {
  /** The token itself. */
  key: string | undefined;
  /** A file with the token, or `evaluation`. */
  file: string | undefined;
  /** A file with an additional public key (JWK) to trust, for tests. */
  trustedKeyFile?: string | undefined;
}

export type Licence =
  | {
      isValid: true;
      holder: string;
      expiresAt: Date;
      isEvaluation: boolean;
      /** Where it comes from, as text: never the token. */
      source: string;
    }
  | { isValid: false; reason: string; source: string };

/** Never throws for an invalid licence: the reason is part of the answer. */
export async function readLicence(settings: LicenceSettings, now: Date): Promise<Licence> {
  const { key, file } = settings;
  if (isGiven(key)) return checkLicence(key, 'the setting Licensing: LicenseKey', settings, now);
  if (!isGiven(file)) return { isValid: false, reason: 'no licence is given', source: 'nothing' };
  if (file === EVALUATION) return checkLicence(evaluation.token, 'the evaluation licence', settings, now);
  let token: string;
  try {
    token = readNamedText({ file, what: 'licence', field: 'LicenseFile', maxBytes: MAX_FILE_BYTES });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // Without its path: every user of a service may see the reason.
    return { isValid: false, reason: `its file cannot be read: ${error.details['why']}`, source: file };
  }
  return checkLicence(token, file, settings, now);
}

/** Why a schedule may not start anything, as text for status, log and problem documents; undefined: it may. */
export function refusalOf(licence: Licence): string | undefined {
  return licence.isValid ? undefined : `AutoScavenge has no valid licence: ${licence.reason}`;
}

async function checkLicence(
  token: string,
  source: string,
  settings: LicenceSettings,
  now: Date
): Promise<Licence> {
  let claims: JWTPayload;
  try {
    claims = await verifiedClaims(token.trim(), await trustedKeys(settings.trustedKeyFile), now);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return { isValid: false, reason: reasonOf(error), source };
  }
  if (!grantsAutoScavenge(claims)) {
    return { isValid: false, reason: 'it does not grant AUTO_SCAVENGE', source };
  }
  const expiresAt = new Date((claims.exp ?? 0) * 1000);
  const holder = typeof claims.sub === 'string' ? claims.sub : 'unnamed';
  return { isValid: true, holder, expiresAt, isEvaluation: token === evaluation.token, source };
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

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
