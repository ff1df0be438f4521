/** A physical chunk: whether the scavenge rewrites it, and how many of its records each rule keeps or discards. */
import type { ChunkWeight, Threshold } from '../../units/of-unit.ts';
import type { ExplainRule } from '../../units/scavenge-terms.ts';
import { invalidRequest } from '../../errors.ts';
import type { ChunkFate } from './chunk-fate.ts';
import { countByRule } from './count-by-rule.ts';
import type { EventQuestion } from './explain-event.ts';
import type { ExplainedChunk, RecordsByRule } from './explanation.ts';
import { becauseOfChunk, capital, changeOf, changeOfChunk, chunkText, pointText } from './wording.ts';

export async function explainChunk(question: EventQuestion, chunkNumber: number): Promise<ExplainedChunk> {
  const { planned, explainer } = question;
  const { log } = planned.session.database;
  const chunk = log.chunkAt(chunkNumber * log.chunkSizeBytes);
  if (!chunk) {
    throw invalidRequest(
      `There is no chunk ${chunkNumber}; the log has the chunks 0 to ${log.chunks.at(-1)?.endNumber ?? 0}.`,
      'chunk',
      'See "winnow chunks" for the chunks of this database.'
    );
  }
  const fate = await explainer.fates.of(chunk);
  const byRule = await countByRule(question, chunk);
  return {
    kind: 'chunk',
    scavenge: planned.facts,
    chunk: chunkNumber,
    chunkStart: chunk.startNumber,
    chunkEnd: chunk.endNumber,
    file: chunk.fileName,
    weight: fate.weight,
    ...wordsFor(question, fate, byRule),
    byRule
  };
}

interface ChunkWords {
  verdict: 'rewrite' | 'skip';
  rule: ExplainRule;
  because: string;
  change: string | null;
}

function wordsFor({ planned }: EventQuestion, fate: ChunkFate, byRule: readonly RecordsByRule[]): ChunkWords {
  const { kind, chunk, weight, threshold } = fate;
  const goes = byRule.filter(({ verdict }) => verdict === 'discard');
  const records = goes.reduce((sum, one) => sum + one.records, 0);
  const named = `chunk ${chunkText(chunk)}`;
  const change = changeOfChunk(fate, planned.facts);
  switch (kind) {
    case 'active':
      return {
        verdict: 'skip',
        rule: 'activeChunk',
        because: `${capital(named)} is the active chunk, which no scavenge rewrites.`,
        change: changeOf('activeChunk', { expiry: null })
      };
    case 'behindPoint': {
      const reason = planned.decisions ? 'behindPoint' : 'noScavenge';
      return {
        verdict: 'skip',
        rule: 'afterScavengePoint',
        because: planned.decisions
          ? `${capital(named)} is after scavenge point ${pointText(planned.facts)}.`
          : 'There is no unreached scavenge point, so this scavenge does nothing.',
        change: changeOf(reason, { expiry: null })
      };
    }
    case 'rewritten':
      return {
        verdict: 'rewrite',
        rule: goes[0]?.rule ?? 'noRule',
        because: `${capital(named)} has weight ${weight}${reachedText(weight, threshold)}: ${records} of its records are removed.`,
        change
      };
    default: {
      const isNothing = records === 0 && weight === 0;
      return {
        verdict: 'skip',
        rule: isNothing ? 'noRule' : kind === 'keptLarger' ? 'keptLarger' : 'belowThreshold',
        because: isNothing
          ? `${capital(named)} has weight 0: no rule discards any of it.`
          : `${capital(becauseOfChunk(fate) ?? named)}; ${records} of its records could go.`,
        change: isNothing ? null : change
      };
    }
  }
}

function reachedText(weight: ChunkWeight, threshold: Threshold): string {
  if (threshold < 0) return ', and with a threshold of -1 every chunk is rewritten';
  if (threshold === 0)
    return weight > 0
      ? ', above the threshold of 0'
      : ', but hard deletes are ignored, which visits every chunk';
  return weight >= threshold
    ? `, which reaches the threshold of ${threshold}`
    : ', but hard deletes are ignored, which visits every chunk';
}
