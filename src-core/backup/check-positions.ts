/**
 * The positions of a backup against each other, from its manifest alone: what a server would refuse at its start,
 * and what it would repair. Pure.
 */
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import type { BackupFinding } from './backup-finding.ts';
import { backupDamage, backupHint } from './backup-finding.ts';
import { filesOfArea, type Manifest, type ManifestFile } from './manifest.ts';
import { decodeIndexMap, INDEX_MAP_NAME } from '../index/index-map.ts';
import { filterNameOf } from '../index/index-table-reader.ts';
import { requireFault } from '../errors.ts';

const TAKE_AGAIN = 'Take another backup of the source, or use an older one.';
const REBUILT = 'The server rebuilds it after a restore; this costs time, not data.';

export function checkPositions(manifest: Manifest): BackupFinding[] {
  return [...checkCheckpoints(manifest), ...checkChunks(manifest), ...checkIndex(manifest)];
}

function checkCheckpoints({ checkpoints, epochs, files }: Manifest): BackupFinding[] {
  const { writer, chaser, epoch } = checkpoints;
  const findings: BackupFinding[] = [];
  for (const [name, code] of [
    ['writer.chk', 'checkpointMissing'],
    ['chaser.chk', 'checkpointMissing']
  ] as const) {
    const file = files.find((entry) => entry.area === 'data' && entry.name === name);
    if (file?.bytes === 8) continue;
    findings.push(
      backupDamage(code, {
        file: name,
        message: `${name} is not in the backup, or does not have eight bytes.`,
        remedy: TAKE_AGAIN
      })
    );
  }
  if (chaser > writer) {
    const message = `chaser.chk (${chaser}) is ahead of writer.chk (${writer}).`;
    findings.push(backupDamage('chaserBeyondWriter', { file: 'chaser.chk', message, remedy: TAKE_AGAIN }));
  }
  if (epoch !== null && epoch > writer) {
    const message = `epoch.chk (${epoch}) is ahead of writer.chk (${writer}).`;
    findings.push(backupDamage('epochCheckpointInvalid', { file: 'epoch.chk', message, remedy: TAKE_AGAIN }));
  }
  const known = epochs[0];
  if (epoch !== null && epoch >= 0 && known && !epochs.some(({ position }) => position === epoch)) {
    // An election between reading the log and copying the checkpoint: newer than what was seen.
    if (epoch < known.position) {
      const message = `epoch.chk names ${epoch}, which is not the position of an epoch in the manifest.`;
      findings.push(
        backupDamage('epochCheckpointInvalid', { file: 'epoch.chk', message, remedy: TAKE_AGAIN })
      );
    }
  }
  return findings;
}

function checkChunks({ files, checkpoints, chunkSize, notes }: Manifest): BackupFinding[] {
  const findings: BackupFinding[] = [];
  const chunks = files.filter((file): file is ManifestFile & { chunk: object } => file.chunk !== null);
  chunks.sort((a, b) => a.chunk.start - b.chunk.start);
  const { writer } = checkpoints;
  const lastNumber = Math.floor(writer / chunkSize);
  let expected = 0;
  for (const { name, chunk } of chunks) {
    const named = decodeChunkFileName(name);
    if (named?.chunkNumber !== chunk.start) {
      const message = `${name} holds chunk ${chunk.start}.`;
      findings.push(backupDamage('chunkHeaderInvalid', { file: name, message, remedy: TAKE_AGAIN }));
    }
    if (chunk.start > lastNumber) {
      const message = `${name} begins after the writer checkpoint ${writer}: no server starts with it.`;
      findings.push(backupDamage('surplusChunk', { file: name, message, remedy: TAKE_AGAIN }));
      continue;
    }
    if (chunk.start !== expected) {
      const isArchived = expected === 0 && notes.some(({ code }) => code === 'archiveGap');
      const message =
        chunk.start > expected
          ? `Chunks ${expected} to ${chunk.start - 1} are missing before ${name}.`
          : `${name} overlaps the chunk before it.`;
      const parts = { file: name, position: expected * chunkSize, message, remedy: TAKE_AGAIN };
      findings.push(isArchived ? backupHint('archiveGap', parts) : backupDamage('chunkMissing', parts));
    }
    if (!chunk.isCompleted && (chunk.end + 1) * chunkSize < writer) {
      const message = `${name} is before the end of the log but not completed.`;
      findings.push(backupDamage('chunkNotCompleted', { file: name, message, remedy: TAKE_AGAIN }));
    }
    expected = chunk.end + 1;
  }
  const isOnBoundary = writer === lastNumber * chunkSize;
  if (expected < (isOnBoundary ? lastNumber : lastNumber + 1)) {
    const message = `The log reaches position ${writer}, the chunks end before ${expected * chunkSize}.`;
    findings.push(
      backupDamage('chunkMissing', { position: expected * chunkSize, message, remedy: TAKE_AGAIN })
    );
  }
  return findings;
}

function checkIndex(manifest: Manifest): BackupFinding[] {
  const { checkpoints, indexMap } = manifest;
  const findings: BackupFinding[] = [];
  if (indexMap !== null) {
    try {
      const map = decodeIndexMap(new TextEncoder().encode(indexMap));
      const names = new Set(filesOfArea(manifest, 'index').map((file) => file.name));
      for (const { file } of map.tables) {
        const missing = [file, filterNameOf(file)].find((name) => !names.has(name));
        if (missing === undefined) continue;
        const isTable = missing === file;
        const message = `${missing}, which the index map ${isTable ? 'names' : 'implies'}, is not in the backup.`;
        const remedy = isTable ? REBUILT : 'Reads are slower without it; nothing else is lost.';
        findings.push(
          backupHint(isTable ? 'tableMissing' : 'filterMissing', {
            file: `index/${missing}`,
            message,
            remedy
          })
        );
      }
    } catch (error) {
      requireFault(error);
      const parts = { file: `index/${INDEX_MAP_NAME}`, message: error.message, remedy: REBUILT };
      findings.push(backupHint('indexMapInvalid', parts));
    }
  }
  if (checkpoints.index !== null && checkpoints.index >= 0 && checkpoints.index >= checkpoints.chaser) {
    const message = `The index reaches ${checkpoints.index}, the log will end at ${checkpoints.chaser}.`;
    findings.push(
      backupHint('indexAheadOfLog', { file: `index/${INDEX_MAP_NAME}`, message, remedy: REBUILT })
    );
  }
  return findings;
}
