/**
 * Files in the data directory that are not part of the log: what the server would delete at its start, and what makes
 * it refuse to start. Nothing is deleted here; they go to the dated folder.
 */
import { readChunkSet } from '../log/chunk-set.ts';
import type { Finding } from '../verify/finding.ts';
import { assumeChunk } from './assumed-chunk.ts';
import { nameChange } from './file-change.ts';
import { lossInWords, type Loss } from './loss.ts';
import { unrepaired, type PlanRepair, type RepairAction, type Unrepaired } from './repair-plan.ts';
import { SalvageChunk } from './salvage-chunk.ts';

export interface LeftoversPlan {
  actions: RepairAction[];
  unrepaired: Unrepaired[];
  answered: Finding[];
}

/** `needed`: older versions that stay because they serve, or may have to. */
export async function planLeftovers(
  options: PlanRepair,
  { writer, needed }: { writer: number; needed: ReadonlySet<string> }
): Promise<LeftoversPlan> {
  const { database, findings, acceptLoss } = options;
  const { fileSystem, dataDirectory } = database;
  const set = readChunkSet({ fileSystem, directory: dataDirectory, writer });
  const plan: LeftoversPlan = { actions: [], unrepaired: [], answered: [] };
  const move = (code: string, file: string, why: string) => {
    plan.actions.push({
      code,
      file,
      why,
      changes: [nameChange(file, file, null)],
      run: (work) => {
        const isThere = fileSystem.describe(fileSystem.join(dataDirectory, file)) !== undefined;
        if (isThere) work.setAside.move('data', file, why);
        return Promise.resolve(undefined);
      }
    });
  };
  const rest = new Set([...set.superseded, ...set.leftovers].map(({ file }) => file));
  const surplus = new Set(set.surplus.map(({ file }) => file));
  for (const { file } of set.superseded) {
    if (!needed.has(file))
      move(
        'supersededChunk',
        file,
        'a newer version or a merged chunk is in use; the server would delete it'
      );
  }
  for (const { file } of set.leftovers)
    move('temporaryFile', file, 'left by interrupted work; the server would delete it');
  for (const finding of findings) {
    if (finding.file === null) continue;
    const isSurplus = finding.code === 'surplusChunk';
    const isOther = finding.code === 'supersededChunk' || finding.code === 'temporaryFile';
    if (isOther && rest.has(finding.file)) plan.answered.push(finding);
    if (!isSurplus) continue;
    plan.answered.push(finding);
    if (!surplus.has(finding.file)) continue;
    const held = await recordsIn(options, finding.file);
    if (held.readableRecords > 0 && !acceptLoss) {
      const why =
        `according to the checkpoints the log ends at ${writer}, before this file; yet it holds ${lossInWords(held)}. ` +
        'Restore checkpoints and chunks from one backup, or give --accept-loss to move the file away';
      plan.unrepaired.push(unrepaired(finding, why, held));
    } else if (finding.severity === 'damage' || held.readableRecords > 0) {
      move(
        finding.code,
        finding.file,
        `is after the end of the log, ${writer}; the server does not start with it, or deletes it`
      );
    }
  }
  return plan;
}

async function recordsIn({ database, control }: PlanRepair, fileName: string): Promise<Loss> {
  const { fileSystem, dataDirectory, chunkSet } = database;
  const loss: Loss = { from: 0, to: 0, readableRecords: 0, streams: [], moreStreams: 0, indexEntries: 0 };
  const chunkSizeBytes = chunkSet.chunkSizeBytes;
  const chunk = assumeChunk({ fileSystem, directory: dataDirectory, fileName, chunkSizeBytes })?.chunk;
  if (!chunk) return loss;
  const streams = new Set<string>();
  const walk = new SalvageChunk({ fileSystem, chunk, searchEnd: 0 });
  try {
    while (walk.next() === 'record') {
      loss.readableRecords++;
      if (walk.record.kind === 'prepare') streams.add(walk.record.stream);
      if (control.isDue) await control.breathe();
    }
    const names = [...streams];
    return {
      ...loss,
      from: chunk.startPosition,
      to: walk.position,
      streams: names.slice(0, 10),
      moreStreams: Math.max(0, names.length - 10)
    };
  } finally {
    walk.close();
  }
}
