/**
 * Whether two logs hold the same records, whatever was scavenged or merged on either side. Only reads. Each file is read
 * once, in order; files of one range whose stored hashes are equal are not read. Memory does not depend on the size of
 * the log: two windows, one row for each run of ranges that are alike, and the first places that differ.
 */
import { RANGE_VERDICTS, type RangeVerdict, type SideName } from '../../units/difference-terms.ts';
import { invalidRequest } from '../../errors.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import type { LogRecord } from '../../records/log-record.ts';
import { alignedRanges, sameByHash, type AlignedRange } from './aligned-ranges.ts';
import { compareRange } from './compare-range.ts';
import {
  addOnlyHere,
  count,
  noAmount,
  nothingHere,
  type Difference,
  type DifferenceRange,
  type LogDifference
} from './difference.ts';
import type { DifferenceSide, SideChunk } from './difference-side.ts';
import { FrameWalk } from './frame-walk.ts';
import { PendingRecords } from './pending-records.ts';
import { RangeCounts, type DescribeRecord } from './range-counts.ts';
import type { Ruling } from './removal-judge.ts';

export interface DifferenceQuestion<Row> {
  one: DifferenceSide;
  other: DifferenceSide;
  /** Read files whose stored hashes are equal, too. */
  readsAll: boolean;
  /**
   * About a record that a side lacks although it has read its place in a scavenged chunk. Asked for each such record, so it
   * remembers what it can.
   */
  judge: (lackedBy: SideName, record: LogRecord) => Ruling;
  /** Records of these streams are going to be judged next. */
  prepare?: (lackedBy: SideName, streams: ReadonlySet<string>) => void;
  describe: DescribeRecord<Row>;
  /** So many places that are not all right are described. */
  mostDifferences: number;
  control: OperationControl;
}

/** Throws InvalidRequest if the chunks of the two differ in size. */
export async function compareLogs<Row>(question: DifferenceQuestion<Row>): Promise<LogDifference<Row>> {
  const { one, other } = question;
  if (one.chunkSizeBytes !== other.chunkSizeBytes) {
    throw invalidRequest(
      `${one.description} has chunks of ${one.chunkSizeBytes} bytes, ${other.description} of ${other.chunkSizeBytes}.`,
      'DB',
      'Compare nodes of one cluster, or a node with its own backup.'
    );
  }
  return new Comparison(question).run();
}

class Comparison<Row> {
  readonly #question: DifferenceQuestion<Row>;
  readonly #comparedTo: number;
  readonly #ranges: DifferenceRange[] = [];
  readonly #differences: Difference<Row>[] = [];
  readonly #pending = new PendingRecords();
  #differenceCount = 0;
  #firstExplained: Difference<Row> | null = null;
  #bytesRead = 0;
  #bytesTrusted = 0;
  #bytesToRead = 0;
  #trustedFiles = 0;

  constructor(question: DifferenceQuestion<Row>) {
    this.#question = question;
    this.#comparedTo = Math.min(question.one.end, question.other.end);
  }

  async run(): Promise<LogDifference<Row>> {
    this.#bytesToRead = this.#countBytesToRead();
    for (const range of this.#aligned()) {
      this.#question.control.throwIfStopped();
      if (this.#isTrusted(range)) this.#trust(range);
      else await this.#read(range);
    }
    const { one, other } = this.#question;
    const ahead = Math.max(one.end, other.end);
    const lag = ahead - this.#comparedTo;
    if (lag > 0) this.#add({ ...emptyRange(this.#comparedTo, ahead), verdict: 'behind', how: 'none' });
    this.#progress(true);
    return {
      verdict: worstOf(this.#ranges),
      comparedTo: this.#comparedTo,
      behind: lag > 0 ? { side: one.end < other.end ? 'one' : 'other', bytes: lag } : null,
      ranges: this.#ranges,
      total: totalOf(this.#ranges),
      differences: this.#differences.sort((a, b) => a.position - b.position),
      firstExplained: this.#firstExplained,
      differenceCount: this.#differenceCount,
      trustedFiles: this.#trustedFiles,
      bytesRead: this.#bytesRead,
      bytesTrusted: this.#bytesTrusted
    };
  }

  #aligned(): Iterable<AlignedRange> {
    const { one, other } = this.#question;
    return alignedRanges(one.chunks, other.chunks, Math.ceil(this.#comparedTo / one.chunkSizeBytes));
  }

  #isTrusted(range: AlignedRange): boolean {
    return !this.#question.readsAll && sameByHash(range);
  }

  #countBytesToRead(): number {
    let bytes = 0;
    for (const range of this.#aligned()) {
      if (!this.#isTrusted(range)) bytes += sizeOf(range.one) + sizeOf(range.other);
    }
    return bytes;
  }

  #trust(range: AlignedRange): void {
    const bytes = sizeOf(range.one);
    this.#trustedFiles++;
    this.#bytesTrusted += 2 * bytes;
    this.#add({ ...this.#placeOf(range), ...emptyCounts(), verdict: 'equal', how: 'hash' });
  }

  async #read(range: AlignedRange): Promise<void> {
    const { judge, describe, control, mostDifferences, one, other } = this.#question;
    const counts = new RangeCounts<Row>({
      judge: (lackedBy, record) => this.#rule(range, lackedBy, record, judge),
      prepare: (lackedBy, streams) => this.#prepare(range, lackedBy, streams),
      pending: this.#pending,
      describe,
      wantsMore: () => this.#differences.length < mostDifferences,
      wantsExplained: () => this.#firstExplained === null,
      onExplained: (difference) => (this.#firstExplained = difference),
      onDifference: (difference) => {
        this.#differenceCount++;
        if (this.#differences.length < mostDifferences) this.#differences.push(difference);
      }
    });
    const place = this.#placeOf(range);
    if (range.one.length + range.other.length === 0) {
      counts.neitherHas(place);
      this.#add({ ...counts.range({ ...place, how: 'none' }), verdict: 'notKnown' });
      return;
    }
    const walk = (side: DifferenceSide, name: SideName): FrameWalk =>
      new FrameWalk({
        side,
        control,
        chunks: range[name],
        from: place.from,
        to: place.to,
        onHole: (hole) => counts.hole(name, hole),
        onBytes: (read) => {
          this.#bytesRead += read;
          this.#progress(false);
        }
      });
    const first = walk(one, 'one');
    const second = walk(other, 'other');
    try {
      await compareRange(first, second, counts, control);
      counts.flush();
    } finally {
      first.close();
      second.close();
    }
    const isRaw = [...range.one, ...range.other].every(({ isScavenged }) => !isScavenged);
    this.#add(counts.range({ ...place, how: isRaw ? 'bytes' : 'records' }));
  }

  /** Where nothing may be missing no rule is asked. */
  #prepare(range: AlignedRange, lackedBy: SideName, streams: ReadonlySet<string>): void {
    const mayLack = range[lackedBy].some(({ isScavenged }) => isScavenged);
    if (mayLack && streams.size > 0) this.#question.prepare?.(lackedBy, streams);
  }

  /** Rules explain only what a scavenge could have removed: what is missing in a file that one wrote. */
  #rule(
    range: AlignedRange,
    lackedBy: SideName,
    record: LogRecord,
    judge: DifferenceQuestion<Row>['judge']
  ): Ruling {
    const number = Math.floor(record.position / this.#question.one.chunkSizeBytes);
    const chunk = range[lackedBy].find(
      ({ startNumber, endNumber }) => startNumber <= number && endNumber >= number
    );
    if (chunk?.isScavenged) return judge(lackedBy, record);
    const file = chunk?.fileName ?? `chunk ${number}`;
    return {
      verdict: 'unexplained',
      rule: null,
      because: `${file} was never scavenged, so nothing may be missing in it.`
    };
  }

  #placeOf({ startNumber, endNumber }: AlignedRange): { from: number; to: number } {
    const { chunkSizeBytes } = this.#question.one;
    const to = Math.min((endNumber + 1) * chunkSizeBytes, this.#comparedTo);
    return { from: startNumber * chunkSizeBytes, to };
  }

  /** Joins neighbours that a reader would not tell apart. */
  #add(range: DifferenceRange): void {
    const last = this.#ranges.at(-1);
    if (last?.verdict !== range.verdict || last.how !== range.how) {
      this.#ranges.push(range);
      return;
    }
    last.to = range.to;
    addCounts(last, range);
  }

  #progress(isEnd: boolean): void {
    const total = this.#bytesToRead;
    const done = isEnd ? total : Math.min(this.#bytesRead, total);
    this.#question.control.report({ phase: 'comparing', done, total, unit: 'bytes' }, isEnd);
  }
}

function sizeOf(chunks: readonly SideChunk[]): number {
  return chunks.reduce((sum, { fileSize }) => sum + fileSize, 0);
}

type Counts = LogDifference<unknown>['total'];

function emptyCounts(): Counts {
  return { equal: noAmount(), differing: 0, one: nothingHere(), other: nothingHere(), holes: 0 };
}

function emptyRange(from: number, to: number): { from: number; to: number } & Counts {
  return { from, to, ...emptyCounts() };
}

function addCounts(sum: Counts, more: Counts): void {
  count(sum.equal, more.equal.records, more.equal.bytes);
  sum.differing += more.differing;
  addOnlyHere(sum.one, more.one);
  addOnlyHere(sum.other, more.other);
  sum.holes += more.holes;
}

function totalOf(ranges: readonly DifferenceRange[]): Counts {
  const total = emptyCounts();
  for (const range of ranges) addCounts(total, range);
  return total;
}

/** What is said of the whole: that one is behind only where nothing is wrong before. */
function worstOf(ranges: readonly DifferenceRange[]): RangeVerdict {
  const worst = ranges.reduce((most, { verdict }) => Math.max(most, RANGE_VERDICTS.indexOf(verdict)), 0);
  return RANGE_VERDICTS[worst]!;
}
