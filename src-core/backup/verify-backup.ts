/**
 * Compares a backup with its manifest: every byte, the positions with each other, and the hash that each
 * completed chunk carries itself (which tells of damage that was in the source already). Reads only.
 */
import { createHash } from 'node:crypto';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import { readInt64 } from '../codec/int64.ts';
import { LANES, Md5Lanes, type Hasher } from '../codec/md5-lanes.ts';
import { backupDamage, backupHint, type BackupFinding } from './backup-finding.ts';
import type { BackupTarget } from './backup-target.ts';
import {
  fileObject,
  isSafeName,
  MANIFEST_NAME,
  PROGRESS_NAME,
  RESULTS_NAME,
  SIGNATURE_NAME
} from './backup-layout.ts';
import { checkPositions } from './check-positions.ts';
import { decodePlain, readBackupFile, type DecodeFile } from './file-encoding.ts';
import { inParallel } from './in-parallel.ts';
import { plainBytes, type Manifest, type ManifestFile } from './manifest.ts';

export interface VerifyBackup {
  manifest: Manifest;
  target: BackupTarget;
  control: OperationControl;
  decode?: DecodeFile | undefined;
  /** Files without a given key: only their stored bytes are compared with the manifest. */
  lacksKey?: ((file: ManifestFile) => boolean) | undefined;
  /** Names and sizes only. */
  isQuick?: boolean;
}

export interface BackupVerification {
  findings: BackupFinding[];
  checkedFiles: number;
  checkedBytes: number;
  notChecked: string[];
}

const MD5_LENGTH = 16;
const RESTORE_OTHER =
  'Take another backup of the source, or use an older one; "winnow backup list" names them.';

export async function verifyBackup(question: VerifyBackup): Promise<BackupVerification> {
  const { manifest, target, control, lacksKey, isQuick = false } = question;
  const findings = checkPositions(manifest);
  const total = plainBytes(manifest);
  let checkedBytes = 0;
  const onBytes = (count: number): void => {
    checkedBytes += count;
    control.report({ phase: 'verifying the backup', done: checkedBytes, total, unit: 'bytes' });
  };
  // As many chunks at once as there are lanes for their own hashes.
  const lanes = new Md5Lanes();
  await inParallel(manifest.files, LANES, async (file) => {
    control.throwIfStopped();
    const facts = await target.describe(file.object);
    if (!facts) {
      const message = `${file.object} is missing from ${target.description}.`;
      findings.push(backupDamage('backupFileMissing', { file: file.object, message, remedy: RESTORE_OTHER }));
    } else if (facts.size !== file.storedBytes) {
      const message = `${file.object} has ${facts.size} bytes, the manifest says ${file.storedBytes}.`;
      const offset = Math.min(facts.size, file.storedBytes);
      findings.push(
        backupDamage('backupFileChanged', { file: file.object, offset, message, remedy: RESTORE_OTHER })
      );
    } else if (!isQuick) {
      const found = lacksKey?.(file)
        ? await verifyStored(file, question, onBytes)
        : await verifyHashed(file, { ...question, lanes }, onBytes);
      findings.push(...found);
    }
  });
  findings.push(...(await findStrangers(manifest, target)));
  findings.sort((a, b) => a.severity.localeCompare(b.severity) || (a.file ?? '').localeCompare(b.file ?? ''));
  const notChecked = isQuick ? ['the bytes of the files: --quick checks names and sizes only'] : [];
  const closed = isQuick || !lacksKey ? 0 : manifest.files.filter(lacksKey).length;
  if (closed > 0) {
    notChecked.push(
      `what ${closed} encrypted files contain: only their stored bytes were checked, give --key-file`
    );
  }
  return { findings, checkedFiles: manifest.files.length, checkedBytes, notChecked };
}

/** Progress is told in plain bytes, as the total is. */
async function verifyStored(
  file: ManifestFile,
  { target, control }: VerifyBackup,
  onBytes: (count: number) => void
): Promise<BackupFinding[]> {
  const stored = createHash('sha256');
  for await (const block of target.read(file.object)) {
    stored.update(block);
    if (control.isDue) await control.breathe();
  }
  onBytes(file.bytes);
  return stored.digest('hex') === file.storedSha256
    ? []
    : [changed(file, 'the SHA-256 of its stored bytes differs')];
}

/** A chunk that carries a hash of its own has a lane for it; whatever happens, the other lanes must not wait for it. */
async function verifyHashed(
  file: ManifestFile,
  question: VerifyBackup & { lanes: Md5Lanes },
  onBytes: (count: number) => void
): Promise<BackupFinding[]> {
  if (!file.chunk?.md5) return verifyFile(file, question, onBytes);
  const lane = question.lanes.open();
  try {
    return await verifyFile(file, question, onBytes, new ChunkHash(file.bytes, lane));
  } finally {
    lane.close();
  }
}

async function verifyFile(
  file: ManifestFile,
  { target, control, decode = decodePlain, manifest }: VerifyBackup,
  onBytes: (count: number) => void,
  md5?: ChunkHash
): Promise<BackupFinding[]> {
  const plain = createHash('sha256');
  const stored = createHash('sha256');
  const isEncoded = file.encodings.length > 0;
  const onStored = isEncoded ? (block: Uint8Array) => void stored.update(block) : undefined;
  const isCheckpoint = file.area === 'data' && file.name.endsWith('.chk');
  const start: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const block of readBackupFile(target, file, decode, onStored)) {
      plain.update(block);
      md5?.update(block);
      bytes += block.length;
      if (isCheckpoint) start.push(Uint8Array.from(block));
      onBytes(block.length);
      await md5?.turn();
      if (control.isDue) await control.breathe();
    }
  } catch (error) {
    // A missing key or a failing target is not a finding about the backup; undecodable bytes are.
    requireFault(error, 'LogCorrupt');
    return [changed(file, error.message)];
  }
  if (isEncoded && stored.digest('hex') !== file.storedSha256)
    return [changed(file, 'the SHA-256 of its stored bytes differs')];
  if (bytes !== file.bytes)
    return [changed(file, `it holds ${bytes} bytes, the manifest says ${file.bytes}`)];
  if (plain.digest('hex') !== file.sha256) return [changed(file, 'its SHA-256 differs from the manifest')];
  const found: BackupFinding[] = [];
  if (isCheckpoint) found.push(...verifyCheckpoint(file, Buffer.concat(start), manifest));
  if (md5 && md5.digest() !== file.chunk?.md5) {
    const message = `${file.name} is unchanged since the backup, but its own hash does not match: the source was already damaged.`;
    const remedy = 'Replace the chunk from an older backup, or from another node of the cluster.';
    found.push(backupDamage('chunkHashMismatch', { file: file.object, message, remedy }));
  }
  return found;
}

/** A checkpoint file must say what the manifest says: restores plan with the manifest. */
function verifyCheckpoint(file: ManifestFile, bytes: Uint8Array, { checkpoints }: Manifest): BackupFinding[] {
  const name = file.name.slice(0, -'.chk'.length);
  const expected = (checkpoints as unknown as Record<string, number | null>)[name];
  if (bytes.length !== 8 || expected === undefined || expected === null) return [];
  const found = readInt64(new DataView(bytes.buffer, bytes.byteOffset), 0);
  return found === expected ? [] : [changed(file, `it holds ${found}, the manifest says ${expected}`)];
}

/** Objects in the folder that the manifest does not name: nothing of ours, but a restore by hand would copy them. */
async function findStrangers({ id, files }: Manifest, target: BackupTarget): Promise<BackupFinding[]> {
  const known = new Set(files.map((file) => file.object));
  for (const name of [MANIFEST_NAME, PROGRESS_NAME, RESULTS_NAME, SIGNATURE_NAME]) known.add(`${id}/${name}`);
  const areas = [fileObject(id, 'data', ''), fileObject(id, 'index', '')];
  const strangers = (await target.list(`${id}/`)).filter(({ name }) => !known.has(name) && isSafeName(name));
  return strangers.map(({ name }) => {
    const isInArea = areas.some((area) => name.startsWith(area));
    const message = `${name} is not named by the manifest.`;
    const remedy = isInArea
      ? 'It belongs to no backup, unless a later manifest names it. Winnow does not restore it; leave it out of a manual restore too.'
      : 'Nothing to do.';
    return backupHint('orphanFile', { file: name, message, remedy });
  });
}

function changed(file: ManifestFile, what: string): BackupFinding {
  return backupDamage('backupFileChanged', {
    file: file.object,
    message: `${file.object} has changed since the backup was taken: ${what}.`,
    remedy: RESTORE_OTHER
  });
}

/** The MD5 over all but the last sixteen bytes of a file whose length is known. */
class ChunkHash {
  readonly #hash: Hasher;
  #left: number;

  constructor(fileBytes: number, hash: Hasher) {
    this.#hash = hash;
    this.#left = fileBytes - MD5_LENGTH;
  }

  update(block: Uint8Array): void {
    const part = block.length <= this.#left ? block : block.subarray(0, Math.max(0, this.#left));
    this.#hash.update(part);
    this.#left -= part.length;
  }

  turn(): Promise<void> | undefined {
    return this.#hash.turn();
  }

  digest(): string {
    return this.#hash.digest();
  }
}
