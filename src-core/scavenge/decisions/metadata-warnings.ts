/**
 * Streams whose metadata the scavenge applies although readers do not, or the reverse: events that are still
 * visible would go. The scavenge does as the server does; a plan warns first.
 */
import { PrepareFlag } from '../../records/log-record.ts';
import type { StreamMetadata } from '../../records/stream-metadata.ts';
import type { ScavengeOutcome } from '../scavenge-result.ts';
import { counted } from '../../units/counted.ts';

/** More names than these are only counted. */
const NAMED_AT_MOST = 10;

export interface SeenRecord {
  readonly flags: number;
  readonly position: number;
}

export class MetadataWarnings {
  readonly #withoutJsonFlag = new Map<string, number>();
  readonly #emptyWrites = new Map<string, number>();

  /** False: `see` would have nothing to note of such a record. */
  isConcerned(flags: number, metadata: StreamMetadata): boolean {
    const isPlain = (flags & PrepareFlag.isJson) !== 0 && (flags & PrepareFlag.data) !== 0;
    const isPlainEnough = isPlain || ((flags & PrepareFlag.data) !== 0 && !hasLimits(metadata));
    return !isPlainEnough || this.#withoutJsonFlag.size > 0 || this.#emptyWrites.size > 0;
  }

  /** A metadata record that is in order, newest last. */
  see(stream: string, record: SeenRecord, metadata: StreamMetadata): void {
    const isIgnored = hasLimits(metadata) && (record.flags & PrepareFlag.isJson) === 0;
    note(this.#withoutJsonFlag, stream, record, isIgnored);
    note(this.#emptyWrites, stream, record, (record.flags & PrepareFlag.data) === 0);
  }

  addTo(outcome: ScavengeOutcome): void {
    if (this.#withoutJsonFlag.size > 0) {
      outcome.warnings.push({
        code: 'metadataWithoutJsonFlag',
        message:
          `Metadata of ${listOf(this.#withoutJsonFlag)} was written without the JSON flag: readers ignore it, ` +
          "the scavenge (the server's too) applies it. Events that are visible now would be removed.",
        remedy: 'Write the metadata of these streams again as JSON, with the intended rules, then scavenge.'
      });
    }
    if (this.#emptyWrites.size > 0) {
      outcome.warnings.push({
        code: 'emptyMetadataWrite',
        message:
          `The newest metadata record of ${listOf(this.#emptyWrites)} is an empty write: it clears all rules, and the ` +
          'scavenge removes the metadata before it.',
        remedy: 'Write the metadata of these streams again if it should apply, then scavenge.'
      });
    }
  }
}

function hasLimits({ maxCount, maxAgeSeconds, truncateBefore }: StreamMetadata): boolean {
  return maxCount !== null || maxAgeSeconds !== null || truncateBefore !== null;
}

function note(streams: Map<string, number>, stream: string, record: SeenRecord, isOdd: boolean): void {
  if (isOdd) streams.set(stream, record.position);
  else streams.delete(stream);
}

function listOf(streams: Map<string, number>): string {
  const named = [...streams]
    .slice(0, NAMED_AT_MOST)
    .map(([stream, position]) => `${stream} (position ${position})`);
  const more = streams.size - named.length;
  return more > 0 ? `${named.join(', ')} and ${counted(more, 'more stream')}` : named.join(', ');
}
