/**
 * Whether a rule explains that one side no longer has a record: the scavenger's own decision, asked about what held for
 * the stream at the scavenge points which that side is known to have worked to. Where no point decides, metadata that
 * was replaced since may, or a scavenge that left no point: the first explains, the second is not known.
 *
 * Looks up a few entries of the indexes for each stream; never reads the log in order.
 */
import { type MissingVerdict } from '../../units/difference-terms.ts';
import { PrepareFlag, type LogRecord } from '../../records/log-record.ts';
import { REMOVAL_RULES, type RemovalRule } from '../../units/scavenge-terms.ts';
import { ticksToIso } from '../../units/ticks.ts';
import { factsOf, type RecordFacts } from '../explain/record-ruling.ts';
import type { Reason } from '../explain/discard-reason.ts';
import { reasonAtEnd, type StreamAtEnd } from '../explain/stream-at-end.ts';
import { ruleOf } from '../explain/wording.ts';
import {
  limitsOf,
  StreamHistory,
  type Depth,
  type MetadataVersions,
  type StreamHistoryParts
} from './stream-history.ts';

/** A point that a side's scavenge is known to have worked to. */
export interface RemovalPoint {
  /** Exclusive end of what it could remove. */
  position: number;
  /** Ticks: the time at which it judged ages. */
  effectiveNow: bigint;
  /**
   * `state`: of the side's own scavenge state. `history`: of a recorded run. `backup`: kept in the
   * manifest of a backup that was scavenged. `log`: the newest point in the log. `end`: none is
   * known; the end of the log, with the time of its last record.
   */
  from: 'state' | 'history' | 'backup' | 'log' | 'end';
}

export interface Ruling {
  verdict: MissingVerdict;
  /** null unless it is explained. */
  rule: RemovalRule | null;
  because: string;
}

export interface RemovalJudgeParts extends StreamHistoryParts {
  /** Of the side that lacks the records. */
  points: readonly RemovalPoint[];
  /** Ticks. */
  now: bigint;
}

interface KnownStream {
  /** One for each point. */
  atPoints: StreamAtEnd[];
  depth: Depth;
  atEnd: StreamAtEnd | undefined;
  versions: MetadataVersions | undefined;
}

/** Streams about which is remembered what was found. */
const REMEMBERED_STREAMS = 50_000;

export class RemovalJudge {
  readonly #history: StreamHistory;
  readonly #points: readonly RemovalPoint[];
  /** How each of them is said, and what it explains; records are many, points and reasons few. */
  readonly #pointTexts: readonly string[];
  readonly #explainedAt: readonly Map<Reason, Ruling>[];
  readonly #now: bigint;
  readonly #streams = new Map<string, KnownStream>();

  constructor({ points, now, ...indexes }: RemovalJudgeParts) {
    this.#history = new StreamHistory(indexes);
    this.#points = [...points].sort((a, b) => b.position - a.position);
    this.#pointTexts = this.#points.map(pointText);
    this.#explainedAt = this.#points.map(() => new Map<Reason, Ruling>());
    this.#now = now;
  }

  /** Looks up streams whose records are judged next, in the order of the index: neighbours cost one read. */
  prepare(streams: ReadonlySet<string>): void {
    const unknown = [...streams].filter((stream) => !this.#streams.has(stream));
    if (this.#streams.size + unknown.length > REMEMBERED_STREAMS) this.#streams.clear();
    const atPoints = this.#points.map(({ position }) => this.#history.manyBefore(unknown, position, 'quick'));
    for (const [i, stream] of unknown.entries()) {
      this.#streams.set(
        stream,
        newlyKnown(
          atPoints.map((states) => states[i]!),
          'quick'
        )
      );
    }
  }

  /** About a record that is gone from a chunk which was scavenged. The record is not kept. */
  judge(record: LogRecord): Ruling {
    if (record.kind === 'system') return unexplained('No scavenge removes records of the system.');
    if (record.kind === 'commit') return notKnown(OLD_SERVERS('commits'));
    if (this.#history.knowsNothing)
      return notKnown('Neither side has an index that says what held for its stream.');
    const known = this.#knownOf(record.stream);
    const isOwn = (record.flags & PrepareFlag.isCommitted) !== 0;
    if (!isOwn) return this.#judgeMember(record, known);
    const facts = factsOf(record);
    const event = { eventNumber: facts.eventNumber, facts };
    const atPoint = this.#reasonAtPoint(event, known) ?? this.#reasonInFull(event, known);
    if (atPoint) return atPoint;
    if (this.#isForgotten(facts.stream, known)) return explained('hardDeleted', IGNORING);
    known.versions ??= this.#history.versions(facts.stream);
    for (const [i, version] of known.versions.versions.entries()) {
      const next = known.versions.versions[i + 1];
      if (!next || facts.position >= next.position) continue;
      // The most that any scavenge could remove while this version held.
      const then = this.#history.before(facts.stream, next.position);
      const state = { ...then, limits: limitsOf(version.metadata) };
      const reason = reasonAtEnd(state, event, next.time);
      if (reason) return explained(reason, `by metadata that was replaced at position ${next.position}`);
    }
    known.atEnd ??= this.#history.before(facts.stream, Infinity);
    if (reasonAtEnd(known.atEnd, event, this.#now)) {
      return notKnown('Only a scavenge that left no scavenge point here could have removed it.');
    }
    if (!known.versions.areAll) {
      return notKnown('Neither side has all the metadata that its stream has had.');
    }
    return unexplained('No rule of its stream removes it.');
  }

  #reasonAtPoint(event: JudgedEvent, known: KnownStream): Ruling | undefined {
    for (let i = 0; i < this.#points.length; i++) {
      const { position, effectiveNow } = this.#points[i]!;
      if (event.facts.position >= position) continue;
      const reason = reasonAtEnd(known.atPoints[i]!, event, effectiveNow);
      if (reason) return this.#explainedBy(reason, i);
    }
    return undefined;
  }

  #explainedBy(reason: Reason, point: number): Ruling {
    const rulings = this.#explainedAt[point]!;
    let ruling = rulings.get(reason);
    if (!ruling) rulings.set(reason, (ruling = explained(reason, this.#pointTexts[point]!)));
    return ruling;
  }

  /** Where what was found quickly explains nothing. */
  #reasonInFull(event: JudgedEvent, known: KnownStream): Ruling | undefined {
    if (known.depth === 'full') return undefined;
    known.atPoints = this.#points.map(({ position }) => this.#history.before(event.facts.stream, position));
    known.depth = 'full';
    return this.#reasonAtPoint(event, known);
  }

  /** A part of an explicit transaction. */
  #judgeMember(record: LogRecord, known: KnownStream): Ruling {
    const staysWithStream = (record.flags & (PrepareFlag.streamDelete | PrepareFlag.transactionBegin)) !== 0;
    if (!staysWithStream) {
      const at = known.atPoints.findIndex(
        ({ isDeleted }, i) => isDeleted && record.position < this.#points[i]!.position
      );
      if (at >= 0) return this.#explainedBy('hardDeleted', at);
    }
    if (this.#isForgotten(record.stream, known)) return explained('hardDeleted', IGNORING);
    return notKnown(OLD_SERVERS('parts of transactions'));
  }

  /** A deleted stream of which even the tombstone is gone from the side that lacks the record. */
  #isForgotten(stream: string, known: KnownStream): boolean {
    known.atEnd ??= this.#history.before(stream, Infinity);
    return known.atEnd.isDeleted && this.#history.isGone(stream);
  }

  #knownOf(stream: string): KnownStream {
    let known = this.#streams.get(stream);
    if (known) return known;
    if (this.#streams.size >= REMEMBERED_STREAMS) this.#streams.clear();
    known = newlyKnown(
      this.#points.map(({ position }) => this.#history.before(stream, position)),
      'full'
    );
    this.#streams.set(stream, known);
    return known;
  }
}

interface JudgedEvent {
  eventNumber: number;
  facts: RecordFacts;
}

function newlyKnown(atPoints: StreamAtEnd[], depth: Depth): KnownStream {
  return { atPoints, depth, atEnd: undefined, versions: undefined };
}

const IGNORING = 'by a scavenge that ignores hard deletes (an unsafe option)';
const OLD_SERVERS = (what: string) => `Only the scavenge of a server before 22.10 removes ${what}.`;

function pointText({ from, position, effectiveNow }: RemovalPoint): string {
  if (from === 'end') return 'by what holds at the end of the log';
  return `by the scavenge to position ${position}, as of ${ticksToIso(effectiveNow)}`;
}

function explained(reason: Reason, how: string): Ruling {
  const rule = REMOVAL_RULES.find((one) => one === ruleOf(reason));
  return { verdict: 'explained', rule: rule ?? null, because: `Removed ${how}.` };
}

function notKnown(because: string): Ruling {
  return { verdict: 'notKnown', rule: null, because };
}

function unexplained(because: string): Ruling {
  return { verdict: 'unexplained', rule: null, because };
}
