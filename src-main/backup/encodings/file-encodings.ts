/** The encodings of one run: those of a new backup, and the decoders for those that a manifest names. */
import {
  EngineError,
  invalidRequest,
  type BackupEncodings,
  type DecodeFile,
  type FileEncoding,
  type Manifest,
  type ManifestFile
} from '../../../src-core/index.ts';
import { ageEncoding, decodeAge, keyMissing, recipientOfEncoding } from './age.ts';
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
}

export interface EncodingRequest {
  compress: boolean;
  keyFile: string | undefined;
  /** For a new backup; for reading, one file may have the keys of several backups. */
  isForWriting: boolean;
  /** For writing: the public key to encrypt for, where several were given; else there must be one. */
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
  const others = isForWriting && keys ? ageEncoding(recipientFor(keys, recipient)) : undefined;
  const compressed = compress ? [zstdEncoding] : [];
  const completedChunks = chained([...compressed, ...(others ? [others] : [])]);
  return {
    encodings: completedChunks && { completedChunks, others },
    decode: (stored, file) =>
      file.encodings.reduceRight(
        (bytes, name) => decodeOne(bytes, name, { object: file.object, keys }),
        stored
      ),
    lacksKey: (file) => !keys && file.encodings.some((name) => recipientOfEncoding(name) !== undefined),
    requireKeys: ({ files }) => files.forEach((file) => requireKey(file, keys))
  };
}

/** A backup is encrypted for one key: with several it would be unclear which ones a restore needs. */
function recipientFor({ file, recipients }: BackupKeys, wanted: string | undefined): string {
  if (wanted !== undefined && recipients.includes(wanted)) return wanted;
  const [recipient] = recipients;
  if (recipient !== undefined && recipients.length === 1) return recipient;
  throw invalidRequest(
    `${file} contains ${recipients.length} keys; a backup is encrypted for one.`,
    '--key-file',
    'Name a file with one key.'
  );
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
  const recipient = recipientOfEncoding(name);
  if (recipient !== undefined) return decodeAge(stored, { object, recipient, keys });
  throw unknownEncoding(object, name);
}

function requireKey({ object, encodings }: ManifestFile, keys: BackupKeys | undefined): void {
  for (const name of encodings) {
    if (name === ZSTD) continue;
    const recipient = recipientOfEncoding(name);
    if (recipient === undefined) throw unknownEncoding(object, name);
    if (keys?.identities.has(recipient) !== true) throw keyMissing(object, recipient, keys);
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
