/**
 * Reads a chunk and decides on each of its records. What a rewrite and a plan both begin with.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import { ChunkReader } from '../../chunks/chunk-reader.ts';
import type { DigestBuilder } from '../../digest/digest-builder.ts';
import type { HeadSource } from '../../log/log-reader.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';
import type { RecordHead } from '../../records/record-head.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import type { DiscardTally } from './discard-tally.ts';
import type { KeptJudgements } from './kept-judgements.ts';
import { KeptRecords } from './kept-records.ts';
import { KnownDiscards } from './known-discards.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { shouldDiscardRecord, type Cutoff } from './should-discard.ts';
import { StreamVerdictColumns } from './stream-verdict-columns.ts';
import type { StreamVerdicts } from './stream-verdicts.ts';

const TICKS_PER_MS = 10_000;

export interface Judging {
  fileSystem: FileSystem;
  verdicts: StreamVerdicts;
  control: RunControl;
  /** Position of the scavenge point: records at or behind it stay. */
  pointPosition: number;
  ignoreHardDeletes: boolean;
  /** Of a plan: chunks that are known need not be read. */
  heads?: HeadSource | undefined;
  /** Of a plan: what earlier ones found of chunks that were judged by the same. */
  judged?: KeptJudgements | undefined;
  /** The records of known chunks that are discarded are asked for too. */
  wantsDiscards?: boolean;
  /** Of a plan: hears of those that go with their chunk. */
  tally?: DiscardTally | undefined;
  trace?: ScavengeTrace | undefined;
}

/** Of the work on a chunk; the rest is the writing of the new one. For progress only. */
export const JUDGING_PART = 0.5;

export async function judgeRecords(judging: Judging, chunk: Chunk): Promise<KeptRecords> {
  if (judging.heads && !judging.trace) return judgeKnown(judging.heads, chunk, judging);
  const reader = new ChunkReader(judging.fileSystem, chunk);
  try {
    return await judgeRecordsOf(reader, judging);
  } finally {
    reader.close();
  }
}

/** Only what is known: the counts, not the places. A stream is asked about once; its records are judged like all. */
async function judgeKnown(heads: HeadSource, chunk: Chunk, judging: Judging): Promise<KeptRecords> {
  const { verdicts, control, pointPosition, ignoreHardDeletes, judged, wantsDiscards } = judging;
  const kept = new KeptRecords(0);
  let untilExpiryMs = Infinity;
  kept.keepAll(heads.countOf(chunk), chunk.dataSize);
  const sweep = heads.sweepOf(chunk);
  const streams = new StreamVerdictColumns(sweep.streamCount);
  for (let ordinal = 0; ordinal < sweep.streamCount; ordinal++) {
    sweep.nameStream(ordinal);
    streams.put(ordinal, verdicts.ofRecord(sweep.record));
    if (control.isDue()) await control.breathe();
  }
  const discards = wantsDiscards ? new KnownDiscards(sweep, streams) : undefined;
  while (sweep.next(streams.limits)) {
    const { record } = sweep;
    if (record.position >= pointPosition) break; // so do those that follow
    const verdict = streams.get(sweep.stream);
    if (shouldDiscardRecord(record, verdict, ignoreHardDeletes)) {
      discards?.add();
      kept.takeBack(record.length + FRAME_LENGTH);
      if (verdict.isTombstoned) kept.hardDeletedCount++;
    } else if (verdict.cutoff.isSet) {
      untilExpiryMs = Math.min(untilExpiryMs, msUntilExpiry(record, verdict.cutoff));
    }
    if (control.isDue()) await control.breathe();
  }
  judged?.add(chunk, kept.counts, untilExpiryMs);
  kept.discards = discards;
  return kept;
}

/**
 * For how many milliseconds at least the cut-off does not pass a record that stays. One that it has passed already stays for
 * another reason than its age.
 */
function msUntilExpiry({ timeHigh, timeLow }: RecordHead, { high, low }: Cutoff): number {
  const ticks = (timeHigh - high) * 2 ** 32 + (timeLow - low);
  return ticks < 0 ? Infinity : Math.max(0, Math.floor(ticks / TICKS_PER_MS) - 1);
}

/** The same of a chunk that the caller has opened, and closes. `digest` is shown what stays, and where it will lie. */
export async function judgeRecordsOf(
  reader: ChunkReader,
  judging: Judging,
  digest?: DigestBuilder
): Promise<KeptRecords> {
  const { chunk } = reader;
  const cursor = reader.cursor();
  const { verdicts, control, pointPosition, ignoreHardDeletes, trace } = judging;
  const kept = new KeptRecords(chunk.dataSize);
  while (cursor.next()) {
    const { record } = cursor;
    const framedLength = record.length + FRAME_LENGTH;
    let isDiscarded = false;
    if (record.kind === 'prepare' && record.position < pointPosition) {
      if (trace?.executingRecordOf) {
        trace.executingRecordOf(record.stream);
        control.throwIfStopped();
      }
      const verdict = verdicts.ofRecord(record);
      isDiscarded = shouldDiscardRecord(record, verdict, ignoreHardDeletes);
      if (isDiscarded && verdict.isTombstoned) kept.hardDeletedCount++;
    }
    if (isDiscarded) kept.discard(framedLength);
    else {
      digest?.add(record, kept.keptBytes);
      kept.keep(record.position - chunk.startPosition, cursor.physicalOffset, framedLength);
    }
    if (control.isDue()) {
      control.within(JUDGING_PART * (cursor.physicalOffset / chunk.dataSize));
      await control.breathe();
    }
  }
  return kept;
}
