/**
 * Joins neighbouring completed chunks whose records fit one chunk together, again and again until nothing
 * changes. All completed chunks take part, also those behind the scavenge point and those never scavenged.
 */
import { EngineError } from '../../errors.ts';
import type { ChunkOutput } from '../output/chunk-output.ts';
import { mergeGroups } from '../output/merge-groups.ts';
import type { RunControl } from '../run-control.ts';
import { chunkRangeText, type ScavengedChunk } from '../output/scavenged-chunk.ts';
import type { ChunkOutcome, ScavengeOutcome } from '../scavenge-result.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';

export interface ChunkMergingParts {
  chunks: ScavengedChunk[];
  chunkSizeBytes: number;
  output: ChunkOutput;
  control: RunControl;
  outcome: ScavengeOutcome;
  trace?: ScavengeTrace | undefined;
}

export async function runChunkMerging(parts: ChunkMergingParts): Promise<void> {
  const { chunks, control, output } = parts;
  const failed = new Set<string>();
  let hasMerged = true;
  while (hasMerged) {
    hasMerged = false;
    control.enter('chunkMerging', 'chunks', chunks.length);
    const groups = mergeGroups(chunks, parts.chunkSizeBytes);
    output.expect(groups.flat());
    for (const group of groups) {
      // A merge over damage is left alone: it is an improvement, and the chunks are no worse without it.
      const key = group.map(({ fileName }) => fileName).join(' ');
      if (!failed.has(key)) {
        const isMerged = await mergeGroup(parts, group);
        if (isMerged) hasMerged = true;
        else failed.add(key);
      }
      control.advance(group.length);
      await control.rest();
    }
  }
}

async function mergeGroup(parts: ChunkMergingParts, group: readonly ScavengedChunk[]): Promise<boolean> {
  const { chunks, output, control, outcome, trace } = parts;
  const bytesBefore = group.reduce((sum, member) => sum + member.fileSize, 0);
  const first = group[0]!;
  const last = group.at(-1)!;
  const startMs = control.elapsedMs;
  try {
    const merged = await output.merge(group);
    chunks.splice(chunks.indexOf(first), group.length, merged);
    if (merged.chunk) trace?.entry?.({ kind: 'switchIn', file: merged.fileName });
    control.saved(bytesBefore - merged.fileSize);
    control.log(`SCAVENGING: merged chunks ${chunkRangeText(merged)} out of ${group.length} files.`);
    const row: ChunkOutcome = {
      chunkStart: merged.startNumber,
      chunkEnd: merged.endNumber,
      weight: 0,
      decision: 'merged',
      bytesBefore,
      bytesAfter: merged.fileSize,
      recordsDiscarded: 0,
      ...(merged.chunk === null ? {} : { newFile: merged.fileName })
    };
    outcome.setElapsed(row, control.elapsedMs - startMs);
    outcome.chunks.push(row);
    return true;
  } catch (error) {
    if (!(error instanceof EngineError) || error.code === 'AssertionFailed') throw error;
    // A disk that refuses will refuse the next call too, and a flush that failed may have lost what it should have
    // kept. The run ends here and the next one merges; a later phase would never come back to it.
    if (error.code === 'StorageFailed') throw error;
    outcome.warnings.push({
      code: 'mergeFailed',
      message: `The chunks ${first.startNumber} to ${last.endNumber} could not be merged: ${error.message}`,
      remedy: `${error.remedy} The scavenge continues without this merge.`
    });
    return false;
  }
}
