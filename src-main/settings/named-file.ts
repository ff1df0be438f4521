/**
 * The content of a small file that a person named: certificates, keys, reports, licences, configurations. Anything
 * wrong with it (missing, a directory, a pipe, too large) is a wrong request that names the option.
 */
import { EngineError, readRegularFile } from '../../src-core/index.ts';

export interface NamedFile {
  file: string;
  /** What it should be, for the message, such as `key file`. */
  what: string;
  /** The option or setting that named it. */
  field: string;
  /** A generous limit: a larger file cannot be the right one. */
  maxBytes?: number;
  remedy?: string;
}

/** Enough for far more certificates, keys or settings than any file has. */
const MAX_BYTES = 1024 * 1024;

/** Throws InvalidRequest. */
export function readNamedFile({ file, what, field, maxBytes = MAX_BYTES, remedy }: NamedFile): Buffer {
  try {
    return readRegularFile(file, maxBytes);
  } catch (cause) {
    const why = whyNot(cause);
    throw new EngineError({
      code: 'InvalidRequest',
      message: `The ${what} ${file} cannot be read: ${why}.`,
      remedy: remedy ?? `Name a file with ${field} that this user may read.`,
      details: { field, file, why },
      cause
    });
  }
}

/** As UTF-8. Throws InvalidRequest. */
export function readNamedText(named: NamedFile): string {
  return readNamedFile(named).toString('utf8');
}

/** The reason without the path, which is already in the sentence. */
function whyNot(error: unknown): string {
  if (error instanceof EngineError) {
    const { reason, found, expected } = error.details;
    return reason === 'tooLarge' ? `it has ${found} bytes, more than ${expected}` : `it is ${found}`;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : WORDS[code]) ?? message;
}

const WORDS: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links form a loop',
  ERR_INVALID_ARG_VALUE: 'its name has invalid characters'
};
