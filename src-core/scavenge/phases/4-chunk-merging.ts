/**
 * Joins neighbouring completed chunks whose records fit one chunk together, again and again until nothing
 * changes. All completed chunks take part, also those behind the scavenge point and those never scavenged.
 */
import { requireFaultBut } from '../../errors.ts';
import type { ChunkOutput, PreparedMerge } from '../output/chunk-output.ts';
import { mergeGroups } from '../output/merge-groups.ts';
import { chunkRangeText, type ScavengedChunk } from '../output/scavenged-chunk.ts';
import { SealedBehind } from '../output/sealed-behind.ts';
import type { RunControl } from '../run-control.ts';
import type { ChunkOutcome, ScavengeOutcome, ScavengeWarning } from '../scavenge-result.ts';
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
  const { chunks, chunkSizeBytes, control, output } = parts;
  const failed = new Set<string>();
  for (let hasMerged = true; hasMerged;) {
    control.enter('chunkMerging', 'chunks', chunks.length);
    const groups = mergeGroups(chunks, chunkSizeBytes);
    output.expect(groups.flat(), groups.length);
    hasMerged = await new MergingPass(parts, failed).run(groups);
  }
}

type Group = readonly ScavengedChunk[];

/** One pass over the groups: each is sealed while the next ones are copied. What it tells comes in the order of the groups. */
class MergingPass {
  readonly #parts: ChunkMergingParts;
  /** Groups that were left alone. */
  readonly #failed: Set<string>;
  readonly #rows = new Map<Group, ChunkOutcome>();
  readonly #warnings = new Map<Group, ScavengeWarning>();

  constructor(parts: ChunkMergingParts, failed: Set<string>) {
    this.#parts = parts;
    this.#failed = failed;
  }

  /** True when something was merged. */
  async run(groups: readonly Group[]): Promise<boolean> {
    const { output, outcome } = this.#parts;
    try {
      await SealedBehind.run(output, (behind) => this.#mergeAll(groups, behind));
    } finally {
      outcome.chunks.push(...groups.flatMap((group) => this.#rows.get(group) ?? []));
      outcome.warnings.push(...groups.flatMap((group) => this.#warnings.get(group) ?? []));
    }
    return this.#rows.size > 0;
  }

  async #mergeAll(groups: readonly Group[], behind: SealedBehind): Promise<void> {
    const { control } = this.#parts;
    for (const group of groups) {
      if (this.#failed.has(keyOf(group))) control.advance(group.length);
      else await this.#merge(group, behind);
      await control.rest();
    }
  }

  async #merge(group: Group, behind: SealedBehind): Promise<void> {
    const { output, control } = this.#parts;
    const startMs = control.elapsedMs;
    let prepared: PreparedMerge;
    try {
      prepared = await output.prepareMerge(group);
    } catch (error) {
      this.#leave(group, error);
      return;
    }
    await behind.add(this.#finish(group, { prepared, behind, startMs }));
  }

  async #finish(
    group: Group,
    { prepared, behind, startMs }: { prepared: PreparedMerge; behind: SealedBehind; startMs: number }
  ): Promise<void> {
    const { output, control, outcome } = this.#parts;
    try {
      await output.seal(prepared);
      if (behind.hasFailed) {
        output.abandon(prepared);
        return;
      }
      const row = this.#replace(group, output.switchInMerged(group, prepared));
      outcome.setElapsed(row, control.elapsedMs - startMs);
      this.#rows.set(group, row);
      control.advance(group.length);
    } catch (error) {
      this.#leave(group, error);
    }
  }

  #replace(group: Group, merged: ScavengedChunk): ChunkOutcome {
    const { chunks, control, trace } = this.#parts;
    const bytesBefore = group.reduce((sum, member) => sum + member.fileSize, 0);
    chunks.splice(chunks.indexOf(group[0]!), group.length, merged);
    if (merged.chunk) trace?.entry?.({ kind: 'switchIn', file: merged.fileName });
    control.saved(bytesBefore - merged.fileSize);
    control.log(`SCAVENGING: merged chunks ${chunkRangeText(merged)} out of ${group.length} files.`);
    return {
      chunkStart: merged.startNumber,
      chunkEnd: merged.endNumber,
      weight: 0,
      decision: 'merged',
      bytesBefore,
      bytesAfter: merged.fileSize,
      recordsDiscarded: 0,
      ...(merged.chunk === null ? {} : { newFile: merged.fileName })
    };
  }

  /** A merge over damage is left alone: it is an improvement, and the chunks are no worse without it. */
  #leave(group: Group, error: unknown): void {
    requireFaultBut(error, 'AssertionFailed');
    // A disk that refuses will refuse the next call too, and a flush that failed may have lost what it should have
    // kept. The run ends here and the next one merges; a later phase would never come back to it.
    if (error.code === 'StorageFailed') throw error;
    this.#failed.add(keyOf(group));
    const first = group[0]!;
    const last = group.at(-1)!;
    this.#warnings.set(group, {
      code: 'mergeFailed',
      message: `The chunks ${first.startNumber} to ${last.endNumber} could not be merged: ${error.message}`,
      remedy: `${error.remedy} The scavenge continues without this merge.`
    });
    this.#parts.control.advance(group.length);
  }
}

function keyOf(group: Group): string {
  return group.map(({ fileName }) => fileName).join(' ');
}
