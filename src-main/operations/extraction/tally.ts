/** What an extraction counts, in the state that is kept of it: saved before each state is written. */
import { NameCounts, type NameCountsState } from '../../../src-core/index.ts';
import type { ExtractReport } from '../../contract/operations/extraction-reports.ts';

type UnreadableRange = ExtractReport['unreadable'][number];

/** Ranges that cannot be read and are described one by one. */
const MOST_UNREADABLE = 100;

export interface Counts {
  events: number;
  bytes: number;
  streams: NameCountsState;
  types: NameCountsState;
  unreadable: UnreadableRange[];
  unreadableCount: number;
  unreadableBytes: number;
}

export function noCounts(): Counts {
  const none = (): NameCountsState => new NameCounts().state;
  return {
    events: 0,
    bytes: 0,
    streams: none(),
    types: none(),
    unreadable: [],
    unreadableCount: 0,
    unreadableBytes: 0
  };
}

export class Tally {
  readonly #counts: Counts;
  readonly #streams: NameCounts;
  readonly #types: NameCounts;

  constructor(counts: Counts) {
    this.#counts = counts;
    this.#streams = new NameCounts(counts.streams);
    this.#types = new NameCounts(counts.types);
  }

  add(stream: string, eventType: string, bytes: number): void {
    this.#counts.events++;
    this.#counts.bytes += bytes;
    this.#streams.add(stream, bytes);
    this.#types.add(eventType, bytes);
  }

  addUnreadable({ file, from, to, why }: UnreadableRange): void {
    const { unreadable } = this.#counts;
    if (unreadable.length < MOST_UNREADABLE) unreadable.push({ file, from, to, why });
    this.#counts.unreadableCount++;
    this.#counts.unreadableBytes += to - from;
  }

  save(): void {
    this.#counts.streams = this.#streams.state;
    this.#counts.types = this.#types.state;
  }
}
