/** The encodings of one run: those of a new backup, and the decoders for those that a manifest names. */
import {
  EngineError,
  type BackupEncodings,
  type DecodeFile,
  type FileEncoding,
  type Manifest,
  type ManifestFile,
  type Recoding
} from '../../../src-core/index.ts';
import {
  ageEncoding,
  decodeAge,
  encodingForRecipients,
  identityFor,
  keyMissing,
  recipientsOfEncoding
} from './age.ts';
import { readKeyFile, readKeys, type BackupKeys } from './key-file.ts';
import { decodeZstd, ZSTD, zstdEncoding } from './zstd.ts';

export interface FileEncodings {
  /** For a new backup; undefined for an unencoded one. */
  readonly encodings: BackupEncodings | undefined;
  readonly decode: DecodeFile;
  /** Encrypted for a key, and no key file was given. A key file with other keys is an error instead. */
  readonly lacksKey: (file: Pick<ManifestFile, 'encodings'>) => boolean;
  /** Throws if a file of the backup cannot be decoded with the given keys. */
  readonly requireKeys: (manifest: Pick<Manifest, 'files'>) => void;
  /** From what the given keys open to the public keys of a file. */
  readonly recodingFor: (newKeyFile: string) => Promise<{ recipients: string[]; recoding: Recoding }>;
}

export interface EncodingRequest {
  compress: boolean;
  keyFile: string | undefined;
  /** For a new backup; for reading, one file may have the keys of several backups. */
  isForWriting: boolean;
  /** For writing: the public keys to encrypt for, with commas between; else for all that were given. */
  recipient?: string | undefined;
  /** Lines of keys that a password opened, and where they were. */
  opened?: { text: string; from: string } | undefined;
}

export async function openFileEncodings({
  compress,
  keyFile,
  isForWriting,
  recipient,
  opened
}: EncodingRequest): Promise<FileEncodings> {
  const ofFile = keyFile === undefined ? undefined : await readKeyFile(keyFile);
  const keys = opened ? await readKeys(opened.text, opened.from) : ofFile;
  const others = isForWriting && keys ? ageEncoding(recipientsFor(keys, recipient)) : undefined;
  const compressed = compress ? [zstdEncoding] : [];
  const completedChunks = chained([...compressed, ...(others ? [others] : [])]);
  return {
    encodings: completedChunks && { completedChunks, others },
    decode: (stored, file) =>
      file.encodings.reduceRight(
        (bytes, name) => decodeOne(bytes, name, { object: file.object, keys }),
        stored
      ),
    lacksKey: (file) => !keys && file.encodings.some(isAge),
    requireKeys: ({ files }) => files.forEach((file) => requireKey(file, keys)),
    recodingFor: async (newKeyFile) => recodingTo((await readKeyFile(newKeyFile)).recipients, keys)
  };
}

/** Any one of the keys of a file opens what is encrypted for all of them. */
function recipientsFor({ recipients }: BackupKeys, wanted: string | undefined): readonly string[] {
  const named = wanted?.split(',');
  return named?.every((recipient) => recipients.includes(recipient)) === true ? named : recipients;
}

/** Encryption is the last encoding of a file. */
function recodingTo(
  recipients: readonly string[],
  keys: BackupKeys | undefined
): { recipients: string[]; recoding: Recoding } {
  const wanted = encodingForRecipients(recipients);
  const age = ageEncoding(recipients);
  const recoding: Recoding = {
    wanted,
    isEncrypted: ({ encodings }) => encodings.some(isAge),
    encodingsOf: ({ encodings }) => encodings.map((name) => (isAge(name) ? wanted : name)),
    suffixOf: ({ encodings }) =>
      encodings.map((name) => (isAge(name) ? age.suffix : zstdEncoding.suffix)).join(''),
    encode: (stored, { object, encodings }) => {
      const outer = recipientsOfEncoding(encodings.at(-1) ?? '');
      if (outer === undefined) throw unknownEncoding(object, encodings.join(', '));
      return age.encode(decodeAge(stored, { object, recipients: outer, keys }));
    }
  };
  return { recipients: [...recipients].sort(), recoding };
}

function isAge(name: string): boolean {
  return recipientsOfEncoding(name) !== undefined;
}

function chained(encodings: readonly FileEncoding[]): FileEncoding | undefined {
  if (encodings.length === 0) return undefined;
  return {
    names: encodings.flatMap(({ names }) => names),
    suffix: encodings.map(({ suffix }) => suffix).join(''),
    encode: (plain) => encodings.reduce((bytes, encoding) => encoding.encode(bytes), plain)
  };
}

function decodeOne(
  stored: AsyncIterable<Uint8Array>,
  name: string,
  { object, keys }: { object: string; keys: BackupKeys | undefined }
): AsyncIterable<Uint8Array> {
  if (name === ZSTD) return decodeZstd(stored, object);
  const recipients = recipientsOfEncoding(name);
  if (recipients !== undefined) return decodeAge(stored, { object, recipients, keys });
  throw unknownEncoding(object, name);
}

function requireKey({ object, encodings }: ManifestFile, keys: BackupKeys | undefined): void {
  for (const name of encodings) {
    if (name === ZSTD) continue;
    const recipients = recipientsOfEncoding(name);
    if (recipients === undefined) throw unknownEncoding(object, name);
    if (identityFor(recipients, keys) === undefined) throw keyMissing(object, recipients, keys);
  }
}

function unknownEncoding(object: string, name: string): EngineError {
  return new EngineError({
    code: 'UnsupportedFormat',
    message: `${object} is stored as "${name}", which is unknown here.`,
    remedy: 'Use a newer version of Winnow. Nothing was changed.',
    details: { file: object, found: name }
  });
}
