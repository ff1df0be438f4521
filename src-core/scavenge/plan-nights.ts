/**
 * A scavenge in a maintenance window: which part of its work is done in which night, and when it is through. Pure: it
 * is given the nights, the pieces of work in the order of a run, and how fast they are done.
 *
 * The rule is what a run does that is stopped at a time and resumed: a piece (one chunk read, one chunk rewritten)
 * that is not done when the time comes is begun again the next night; everything before it stays done.
 */

/** One night of a window. Ends are exclusive. */
export interface Night {
  fromMs: number;
  toMs: number;
}

/** Work that is kept once it is done, and lost if it is cut. */
export interface NightPiece {
  /** `read`: a chunk is read for what it tells. `rewrite`: a chunk, or several together, is replaced. `index`: what is left. */
  kind: 'read' | 'rewrite' | 'index';
  /** Bytes that are read and written. */
  bytes: number;
  /** Freed when it is done; below 0 when a file grows. */
  bytesFreed: number;
}

export interface PlannedNight extends Night {
  /** When the work of this night ends: when the window does, or when all is done. */
  endsMs: number;
  /** Chunks that are read, and those that are replaced. */
  chunksRead: number;
  chunks: number;
  bytesFreed: number;
  /** Of the piece that the end of the window cuts, and that the next night begins again. */
  lostMs: number;
}

/** How fast a run works. */
export interface Speed {
  /** Of the log that is read, which one thread does. */
  readPerMs: number;
  /** Of chunks that are replaced, all threads together. */
  workPerMs: number;
  /** Chunks that are replaced at once. */
  threads: number;
}

export interface PlanNights {
  /** In order; as many of them as are looked at. */
  nights: readonly Night[];
  /** All that is read comes first. */
  pieces: readonly NightPiece[];
  speed: Speed;
  /** What a run takes before its first piece: opening, choosing the point, reading the state. */
  beginningMs: number;
  /** The same of a run that resumes what another left: it compares the state with the log. Not given: as long. */
  resumingMs?: number;
  /** Nights that are planned; more of them is no plan. */
  mostNights: number;
}

export interface NightPlan {
  nights: PlannedNight[];
  /** null: not within so many nights, or a piece takes longer than a whole night. */
  throughMs: number | null;
  /** Bytes of the piece that no night has room for; null when all fit. */
  tooLongBytes: number | null;
}

export function planNights({
  nights,
  pieces,
  speed,
  beginningMs,
  resumingMs = beginningMs,
  mostNights
}: PlanNights): NightPlan {
  const planned: PlannedNight[] = [];
  let left = pieces;
  for (const { fromMs, toMs } of nights) {
    if (left.length === 0 || planned.length === mostNights) break;
    const night = { fromMs, toMs, endsMs: toMs, chunksRead: 0, chunks: 0, bytesFreed: 0, lostMs: 0 };
    planned.push(night);
    const isFirst = planned.length === 1;
    left = workNight(night, left, { speed, beginningMs: isFirst ? beginningMs : resumingMs });
  }
  const last = planned.at(-1);
  const longestMs = Math.max(0, ...planned.map(({ fromMs, toMs }) => toMs - fromMs - resumingMs));
  const tooLong = left.find((piece) => takes(piece, speed) > longestMs);
  return {
    nights: planned,
    throughMs: left.length === 0 ? (last?.endsMs ?? null) : null,
    tooLongBytes: tooLong && planned.length > 0 ? tooLong.bytes : null
  };
}

/** Milliseconds of one piece in one thread. */
function takes({ kind, bytes }: NightPiece, { readPerMs, workPerMs, threads }: Speed): number {
  return kind === 'read' ? bytes / readPerMs : (bytes * threads) / workPerMs;
}

/**
 * Does in one night what it has room for, and returns the rest in order. Each thread takes the next piece that nobody
 * has taken; one whose piece is cut by the end takes no other.
 */
function workNight(
  night: PlannedNight,
  pieces: readonly NightPiece[],
  { speed, beginningMs }: Pick<PlanNights, 'speed' | 'beginningMs'>
): NightPiece[] {
  const readers = new Threads(1, night.fromMs + beginningMs);
  const reads = pieces.filter(({ kind }) => kind === 'read');
  const rewrites = pieces.filter(({ kind }) => kind !== 'read');
  const unread = doPieces(night, reads, { speed, threads: readers });
  if (unread.length > 0) return [...unread, ...rewrites];
  const writers = new Threads(speed.threads, readers.lastMs);
  const left = doPieces(night, rewrites, { speed, threads: writers });
  if (left.length === 0) night.endsMs = Math.ceil(writers.lastMs);
  return left;
}

function doPieces(
  night: PlannedNight,
  pieces: readonly NightPiece[],
  { speed, threads }: { speed: Speed; threads: Threads }
): NightPiece[] {
  return pieces.filter((piece) => {
    const thread = threads.next();
    if (thread === undefined) return true;
    const startMs = threads.freeAt(thread);
    const doneMs = startMs + takes(piece, speed);
    if (doneMs > night.toMs) {
      night.lostMs = Math.max(night.lostMs, night.toMs - startMs);
      threads.cut(thread);
      return true;
    }
    threads.take(thread, doneMs);
    if (piece.kind === 'read') night.chunksRead++;
    else if (piece.kind === 'rewrite') night.chunks++;
    night.bytesFreed += piece.bytesFreed;
    return false;
  });
}

/** Which thread is free when. */
class Threads {
  readonly #freeMs: number[];
  lastMs: number;

  constructor(count: number, fromMs: number) {
    this.#freeMs = new Array<number>(count).fill(fromMs);
    this.lastMs = fromMs;
  }

  /** The one that is free first; undefined: the night is over for all of them. */
  next(): number | undefined {
    const first = Math.min(...this.#freeMs);
    return first === Infinity ? undefined : this.#freeMs.indexOf(first);
  }

  freeAt(thread: number): number {
    return this.#freeMs[thread]!;
  }

  take(thread: number, untilMs: number): void {
    this.#freeMs[thread] = untilMs;
    this.lastMs = Math.max(this.lastMs, untilMs);
  }

  cut(thread: number): void {
    this.#freeMs[thread] = Infinity;
  }
}

export interface MemberNight extends PlannedNight {
  /** From 1 on, in the order in which they are scavenged. */
  member: number;
}

/**
 * The same for the members of a cluster, whose logs are taken to be alike: one after the other, the next one in the
 * night after the last one was through, so that never more than one of them is stopped.
 */
export function planMembers({
  members,
  ...plan
}: PlanNights & { members: number }): Omit<NightPlan, 'nights'> & { nights: MemberNight[] } {
  const all: MemberNight[] = [];
  let last: NightPlan = { nights: [], throughMs: null, tooLongBytes: null };
  for (let member = 1; member <= members; member++) {
    const nights = plan.nights.slice(all.length);
    last = planNights({ ...plan, nights, mostNights: plan.mostNights - all.length });
    all.push(...last.nights.map((night) => ({ ...night, member })));
    if (last.throughMs === null) break;
  }
  return { ...last, nights: all };
}
