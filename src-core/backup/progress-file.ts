/**
 * `progress.json` of an unfinished backup: whose it is, and which files are there that can never change. A damaged one is taken
 * for none, which costs copying again.
 */
import { requireFault } from '../errors.ts';
import { readWholeObject, type BackupTarget } from './backup-target.ts';
import { progressObject } from './backup-layout.ts';
import {
  JsonNode,
  MAX_MANIFEST_BYTES,
  parseJson,
  readFile,
  readCheckpointFiles,
  readGeneration
} from './decode-manifest.ts';
import type { BackupMode, ManifestFile } from './manifest.ts';

export interface BackupProgress {
  id: string;
  mode: BackupMode;
  basedOn: string | null;
  /** Of the backup that this becomes; null when an older program began it. */
  generation: number | null;
  databaseTag: string | null;
  address: string | null;
  dataDirectory: string;
  indexDirectory: string;
  checkpointFiles?: string | null;
  encodings: string[];
  files: ManifestFile[];
  /** Id of the backup of which this becomes another generation; absent for a copy of a node. */
  rewrites?: string;
  /** Of such a generation: what was asked for, as a hash, and the time as of which it was done (ISO 8601). */
  question?: string;
  asOf?: string;
  /** Of all the other members, in base64; absent where the run had no key. */
  signature?: string;
}

const FORMAT = 'winnow-backup-progress';

export function encodeProgress(progress: BackupProgress): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ format: FORMAT, formatVersion: 1, ...progress })}\n`);
}

/** With the signature of a run that signs: what it says of files goes into a signed manifest later. */
export function encodeSignedProgress(progress: BackupProgress, target: BackupTarget): Uint8Array {
  const signer = target.trust?.signer;
  if (!signer) return encodeProgress(progress);
  const origin = { target: target.description, object: progressObject(progress.id) };
  const root = new JsonNode(parseJson(encodeProgress(progress), origin), '', origin);
  const signature = Buffer.from(signer.sign(encodeProgress(decodeProgress(root, progress.id)))).toString(
    'base64'
  );
  return encodeProgress({ ...progress, signature });
}

/** Whether a run that signs may use what was noted; every run may that does not sign. */
function isProved(progress: BackupProgress, signature: string | undefined, { trust }: BackupTarget): boolean {
  if (!trust?.signer) return true;
  if (signature === undefined) return false;
  const bytes = encodeProgress(progress);
  return trust.verifiers.some(({ verify }) => verify(bytes, Buffer.from(signature, 'base64')));
}

export async function readProgress(target: BackupTarget, id: string): Promise<BackupProgress | undefined> {
  const object = progressObject(id);
  const bytes = await readWholeObject(target, object, MAX_MANIFEST_BYTES);
  if (!bytes) return undefined;
  try {
    const origin = { target: target.description, object };
    const root = new JsonNode(parseJson(bytes, origin), '', origin);
    root.at('format').oneOf([FORMAT]);
    root.at('formatVersion').matchingNumber(1);
    const progress = decodeProgress(root, id);
    const signature = root.optional('signature')?.text();
    // Files of an unfinished backup that nobody vouches for are copied again.
    return isProved(progress, signature, target) ? progress : { ...progress, files: [] };
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return undefined;
  }
}

function decodeProgress(root: JsonNode, id: string): BackupProgress {
  const text = (node: JsonNode): string => node.text();
  return {
    id: root.at('id').oneOf([id]),
    mode: root.at('mode').oneOf(['full', 'differential', 'snapshot']),
    basedOn: root.at('basedOn').orNull(text),
    generation: readGeneration(root),
    databaseTag: root.at('databaseTag').orNull(text),
    address: root.at('address').orNull(text),
    dataDirectory: root.at('dataDirectory').text(),
    indexDirectory: root.at('indexDirectory').text(),
    checkpointFiles: readCheckpointFiles(root),
    encodings: root.at('encodings').list().map(text),
    files: root.at('files').list().map(readFile),
    ...(root.optional('rewrites') ? { rewrites: root.at('rewrites').text() } : {}),
    ...(root.optional('question') ? { question: root.at('question').text() } : {}),
    ...(root.optional('asOf') ? { asOf: root.at('asOf').text() } : {})
  };
}
