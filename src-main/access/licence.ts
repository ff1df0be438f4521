/**
 * The licence that auto-scavenge needs: a signed token (EdDSA) with an expiry and a claim that grants the
 * feature. Checked with public keys only; the issuer keeps the private one. Nothing else in Winnow
 * needs a licence, and nothing is requested over the network.
 */
import evaluation from '../../resources/evaluation-license.json' with { type: 'json' };
import { requireFault } from '../../src-core/index.ts';
import { readNamedText } from '../settings/named-file.ts';

export const EVALUATION = 'evaluation';
/** Enough for a token with far more claims than any has. */
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
  if (isGiven(key)) return checked(key, 'the setting Licensing: LicenseKey', settings, now);
  if (!isGiven(file)) return { isValid: false, reason: 'no licence is given', source: 'nothing' };
  if (file === EVALUATION) return checked(evaluation.token, 'the evaluation licence', settings, now);
  let token: string;
  try {
    token = readNamedText({ file, what: 'licence', field: 'LicenseFile', maxBytes: MAX_FILE_BYTES });
  } catch (error) {
    requireFault(error);
    // Without its path: every user of a service may see the reason.
    return { isValid: false, reason: `its file cannot be read: ${error.details['why']}`, source: file };
  }
  return checked(token, file, settings, now);
}

/** Why a schedule may not start anything, as text for status, log and problem documents; undefined: it may. */
export function refusalOf(licence: Licence): string | undefined {
  return licence.isValid ? undefined : `AutoScavenge has no valid licence: ${licence.reason}`;
}

/** What checks a signature is loaded with the first licence that is given. */
async function checked(
  token: string,
  source: string,
  settings: LicenceSettings,
  now: Date
): Promise<Licence> {
  const { checkToken } = await import('./licence-token.ts');
  const { trustedKeyFile } = settings;
  const check = await checkToken(token.trim(), trustedKeyFile, now);
  return check.isValid
    ? { ...check, isEvaluation: token === evaluation.token, source }
    : { ...check, source };
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
