/**
 * Files with certificates and keys in PEM form, checked where they are named: TLS itself ignores an authority file that
 * contains none and reports an error only at the first connection, if at all.
 */
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { EngineError, invalidRequest } from '../../src-core/index.ts';
import { readNamedFile, readNamedText } from './named-file.ts';

const CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
const PICK_OTHER = 'Name the file with the certificate of the authority in PEM form, not its key.';

/** The authorities in `file`; `field` is the option that named it. Throws InvalidRequest. */
export function readCertificateAuthority(file: string, field: string): string {
  const text = readNamedText({ file, what: 'certificate', field, remedy: PICK_OTHER });
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw invalidRequest(`${file} does not contain a certificate in PEM form.`, field, PICK_OTHER);
  }
  for (const [i, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch {
      throw invalidRequest(`Certificate ${i + 1} in ${file} cannot be decoded.`, field, PICK_OTHER);
    }
  }
  return text;
}

export interface TlsFiles {
  certificateFile: string;
  keyFile: string;
}

/** Certificate and key of a service. Throws InvalidRequest for files that contain none, or do not match. */
export function readTlsFiles({ certificateFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const remedy = 'Name a file in PEM form that this process may read.';
  const cert = readNamedFile({ file: certificateFile, what: 'certificate', field: '--cert', remedy });
  const key = readNamedFile({ file: keyFile, what: 'key', field: '--key', remedy });
  requireUsable(
    { cert },
    { file: certificateFile, field: '--cert', what: 'no certificate that TLS can use' }
  );
  requireUsable({ cert, key }, { file: keyFile, field: '--key', what: `no key of ${certificateFile}` });
  return { cert, key };
}

function requireUsable(
  files: { cert: Buffer; key?: Buffer },
  { file, field, what }: { file: string; field: string; what: string }
): void {
  try {
    createSecureContext(files);
  } catch (cause) {
    throw new EngineError({
      code: 'InvalidRequest',
      message: `${file} holds ${what}: ${cause instanceof Error ? cause.message : String(cause)}.`,
      remedy: 'Name a certificate and its own key in PEM form, the key without a passphrase.',
      details: { field, file },
      cause
    });
  }
}
