/**
 * Counts the records of one chunk from its digest: those of users by category, and the links of projections by the category of
 * the stream that they point into. Dead links are judged as `insight/usage` judges them.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import type { ChunkDigest } from '../../digest/chunk-digest.ts';
import { PrepareFlag } from '../../records/log-record.ts';
import { shouldDiscardRecord } from '../../scavenge/decisions/should-discard.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { numberOfName, type CountRules } from '../usage/count-digest.ts';
import { DigestStreams } from '../usage/digest-streams.ts';
import type { GroupTable } from '../usage/group-table.ts';
import { LinkTarget } from '../usage/link-target.ts';
import { dashIn, NO_CATEGORY } from '../usage/usage-tables.ts';
import { isProjectionState, linkSourceOf, STATE_SOURCE } from './link-source.ts';
import {
  CategoryColumn,
  LinkColumn,
  linksFrom,
  SourceColumn,
  SOURCE_COLUMNS,
  type SourceSums
} from './projection-rows.ts';

const STREAMS_BETWEEN_LOOKS = 1024;
const LINKS_BETWEEN_LOOKS = 8192;
const EVENT = PrepareFlag.data | PrepareFlag.streamDelete;
/** In `marks` of a record beside its source plus one. */
const DISCARDED = 0x80;
const NONE = Buffer.from(NO_CATEGORY);
/** Of links whose data does not say where they point. */
export const UNKNOWN_TARGET = '(not known)';
const UNKNOWN = Buffer.from(UNKNOWN_TARGET);

export interface CountLinks {
  rules: CountRules;
  /** Milliseconds since the year 1 from which on records are recent. */
  recentFromMs: number;
  categories: GroupTable;
  /** Left out where only another part of the categories is counted. */
  sums?: SourceSums | undefined;
  breathe: () => Promise<void>;
}

export async function countLinks(chunk: Chunk, digest: ChunkDigest, parts: CountLinks): Promise<void> {
  const counter = new LinkCounter(chunk, digest, parts);
  for (let ordinal = 0; ordinal < digest.streamCount; ordinal += STREAMS_BETWEEN_LOOKS) {
    counter.countStreams(ordinal, Math.min(digest.streamCount, ordinal + STREAMS_BETWEEN_LOOKS));
    await parts.breathe();
  }
  const links = digest.columns.withData.length;
  for (let at = 0; at < links; at += LINKS_BETWEEN_LOOKS) {
    counter.countTargets(at, Math.min(links, at + LINKS_BETWEEN_LOOKS));
    await parts.breathe();
  }
}

class LinkCounter {
  readonly #digest: ChunkDigest;
  readonly #parts: CountLinks;
  readonly #isBeforePoint: boolean;
  readonly #streams: DigestStreams;
  readonly #target: LinkTarget;
  /** Of each record: 0 when it is no link, else its source plus one, with the mark of one that a scavenge discards. */
  readonly #marks: Uint8Array;
  /** Of each type: 1 for `$>`, 2 for `$@`, whose data no digest has. */
  readonly #linkTypes: Uint8Array;
  readonly #facts = { flags: 0, eventNumber: 0, timeHigh: 0, timeLow: 0 };
  /** What is added where nobody asks for it. */
  readonly #unwanted = new Float64Array(SOURCE_COLUMNS);

  constructor({ startPosition }: Chunk, digest: ChunkDigest, parts: CountLinks) {
    this.#digest = digest;
    this.#parts = parts;
    this.#isBeforePoint = startPosition < parts.rules.pointPosition;
    this.#streams = new DigestStreams(digest);
    this.#target = new LinkTarget(digest.columns.data);
    this.#marks = new Uint8Array(digest.recordCount);
    this.#linkTypes = linkTypesOf(digest);
  }

  countStreams(first: number, end: number): void {
    for (let ordinal = first; ordinal < end; ordinal++) this.#countStream(ordinal);
  }

  /** Of the records whose data is here, from one place to another. */
  countTargets(first: number, end: number): void {
    const { withData, dataEnds } = this.#digest.columns;
    const { categories, sums } = this.#parts;
    const target = this.#target;
    for (let at = first; at < end; at++) {
      const place = withData[at]!;
      const mark = this.#marks[place]!;
      if (mark === 0) continue;
      const source = (mark & ~DISCARDED) - 1;
      const size = this.#sizeOf(place);
      const isRead = target.read(at === 0 ? 0 : dataEnds[at - 1]!, dataEnds[at]!);
      const row = isRead
        ? this.#categoryRow(target.bytes, target.streamStart, target.streamEnd)
        : numberOfName(categories, UNKNOWN, 0, UNKNOWN.length);
      const isDead = isRead && (mark & DISCARDED) === 0 && this.#isDead();
      if (row >= 0) this.#addLink(row, source, size, isDead);
      if (!isDead || !sums) continue;
      sums.sources[source * SOURCE_COLUMNS + SourceColumn.deadRecords]!++;
      sums.sources[source * SOURCE_COLUMNS + SourceColumn.deadBytes]! += size;
    }
  }

  #countStream(ordinal: number): void {
    const { columns, names } = this.#digest;
    const { byStream, streamStarts, nameEnds, flags, types } = columns;
    const { sums, categories, rules } = this.#parts;
    const [nameStart, nameEnd] = [this.#digest.nameStart(ordinal), nameEnds[ordinal]!];
    const isState = isProjectionState(names, nameStart, nameEnd);
    let source = -1;
    let isJudged = false;
    let verdict: ReturnType<DigestStreams['verdictOf']> | undefined;
    let row = -1;
    let isLookedUp = false;
    for (let i = streamStarts[ordinal]!, end = streamStarts[ordinal + 1]!; i < end; i++) {
      const place = byStream[i]!;
      const size = this.#sizeOf(place);
      const isEvent = (flags[place]! & EVENT) !== 0;
      const linkType = this.#linkTypes[types[place]!]!;
      if (linkType === 0 || isState) {
        const into = sums ? (isState ? sums.sources : sums.own) : this.#unwanted;
        this.#addRecord(into, isState && sums ? STATE_SOURCE * SOURCE_COLUMNS : 0, place, size, isEvent);
        if (isState) continue;
        if (!isLookedUp) {
          isLookedUp = true;
          row = this.#categoryRow(names, nameStart, nameEnd);
        }
        if (row < 0) continue;
        const { values, columnCount } = categories;
        values[row * columnCount + CategoryColumn.records]!++;
        values[row * columnCount + CategoryColumn.bytes]! += size;
        if (isEvent) values[row * columnCount + CategoryColumn.events]!++;
        continue;
      }
      if (source < 0) {
        source = linkSourceOf(names, nameStart, nameEnd);
        verdict = this.#streams.verdictOf(ordinal, rules.verdicts);
        isJudged = this.#isBeforePoint && verdict.isKnown;
      }
      if (sums) this.#addRecord(sums.sources, source * SOURCE_COLUMNS, place, size, isEvent);
      const isDiscarded = isJudged && shouldDiscardRecord(this.#factsOf(place), verdict!, false);
      if (linkType === 1) this.#marks[place] = (source + 1) | (isDiscarded ? DISCARDED : 0);
      else {
        const unknown = numberOfName(categories, UNKNOWN, 0, UNKNOWN.length);
        if (unknown >= 0) this.#addLink(unknown, source, size, false);
      }
    }
  }

  #addRecord(into: Float64Array, row: number, place: number, size: number, isEvent: boolean): void {
    into[row + SourceColumn.records]!++;
    into[row + SourceColumn.bytes]! += size;
    if (isEvent) into[row + SourceColumn.events]!++;
    const { timeHigh, timeLow } = this.#digest.columns;
    if ((timeHigh[place]! * 4294967296 + timeLow[place]!) / 10_000 < this.#parts.recentFromMs) return;
    into[row + SourceColumn.recentBytes]! += size;
    if (isEvent) into[row + SourceColumn.recentEvents]!++;
  }

  #addLink(row: number, source: number, size: number, isDead: boolean): void {
    const { values, columnCount } = this.#parts.categories;
    const at = row * columnCount + linksFrom(source);
    values[at + LinkColumn.events]!++;
    values[at + LinkColumn.bytes]! += size;
    if (!isDead) return;
    values[at + LinkColumn.deadRecords]!++;
    values[at + LinkColumn.deadBytes]! += size;
  }

  /** As `usage` has categories: a metastream is in one with a name of its own. -1: in another part. */
  #categoryRow(names: Buffer, start: number, end: number): number {
    const { categories } = this.#parts;
    const dash = dashIn(names, start, end);
    if (dash < 0) return numberOfName(categories, NONE, 0, NONE.length);
    return numberOfName(categories, names, start, dash);
  }

  /** The event that the link points to is gone, or free to go. */
  #isDead(): boolean {
    const target = this.#target;
    const { high, low } = target.hash;
    const verdict = this.#parts.rules.verdicts.ofStream(high, low, target.isMetastream, target);
    if (!verdict.isKnown) return false;
    const firstLeft = verdict.isTombstoned ? DELETED_STREAM_EVENT_NUMBER : verdict.discardPoint;
    return target.eventNumber < firstLeft;
  }

  #factsOf(place: number): { flags: number; eventNumber: number; timeHigh: number; timeLow: number } {
    const { flags, numbers, timeHigh, timeLow } = this.#digest.columns;
    const facts = this.#facts;
    facts.flags = flags[place]!;
    facts.eventNumber = numbers[place]!;
    facts.timeHigh = timeHigh[place]!;
    facts.timeLow = timeLow[place]!;
    return facts;
  }

  #sizeOf(place: number): number {
    const { offsets } = this.#digest.columns;
    const { recordCount, dataSize } = this.#digest;
    return (place + 1 < recordCount ? offsets[place + 1]! : dataSize) - offsets[place]!;
  }
}

function linkTypesOf({ columns, typeCount }: ChunkDigest): Uint8Array {
  const { typeEnds, typeNames } = columns;
  const found = new Uint8Array(typeCount);
  for (let type = 0, start = 0; type < typeCount; type++) {
    const end = typeEnds[type]!;
    if (end - start === 2 && typeNames[start] === 0x24) {
      if (typeNames[start + 1] === 0x3e) found[type] = 1;
      else if (typeNames[start + 1] === 0x40) found[type] = 2;
    }
    start = end;
  }
  return found;
}
