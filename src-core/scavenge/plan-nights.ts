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
  /** `read`: a chunk is read for what it tells. `rewrite`: a chunk, or several together, is replaced. */
  kind: 'read' | 'rewrite';
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

export interface PlanNights {
  /** In order; as many of them as are looked at. */
  nights: readonly Night[];
  pieces: readonly NightPiece[];
  bytesPerMs: number;
  /** What a run takes before its first piece: opening, choosing the point, reading the state. */
  beginningMs: number;
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

export function planNights({ nights, pieces, bytesPerMs, beginningMs, mostNights }: PlanNights): NightPlan {
  const planned: PlannedNight[] = [];
  let at = 0;
  for (const { fromMs, toMs } of nights) {
    if (at === pieces.length || planned.length === mostNights) break;
    const night = { fromMs, toMs, endsMs: toMs, chunksRead: 0, chunks: 0, bytesFreed: 0, lostMs: 0 };
    planned.push(night);
    let nowMs = fromMs + beginningMs;
    for (; at < pieces.length; at++) {
      const { kind, bytes, bytesFreed } = pieces[at]!;
      const doneMs = nowMs + bytes / bytesPerMs;
      if (doneMs > toMs) {
        night.lostMs = Math.max(0, toMs - nowMs);
        break;
      }
      nowMs = doneMs;
      if (kind === 'read') night.chunksRead++;
      else night.chunks++;
      night.bytesFreed += bytesFreed;
    }
    if (at === pieces.length) night.endsMs = Math.ceil(nowMs);
  }
  const isThrough = at === pieces.length;
  const last = planned.at(-1);
  const longestMs = Math.max(0, ...planned.map(({ fromMs, toMs }) => toMs - fromMs - beginningMs));
  const left = pieces.slice(at).find(({ bytes }) => bytes / bytesPerMs > longestMs);
  return {
    nights: planned,
    throughMs: isThrough ? (last?.endsMs ?? null) : null,
    tooLongBytes: left && planned.length > 0 ? left.bytes : null
  };
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

/** What a run is slowed to, at the least, and by how much at a time. */
const LEAST_PERCENT = 30;
const STEP_PERCENT = 10;
/** An estimate is not that exact: so much longer may it take, and the nights are still the same. */
const RESERVE = 1.25;

/**
 * The smallest share of the time that needs no more nights than all of it, with a reserve for what the estimate does
 * not know. 100 where even that has no reserve.
 */
export function chooseThrottle(plan: PlanNights): number {
  const nightsAt = (share: number): number => {
    const { nights, throughMs } = planNights({ ...plan, bytesPerMs: plan.bytesPerMs * share });
    return throughMs === null ? Infinity : nights.length;
  };
  const fewest = nightsAt(1);
  if (fewest === Infinity) return 100;
  for (let percent = LEAST_PERCENT; percent < 100; percent += STEP_PERCENT) {
    if (nightsAt(percent / 100 / RESERVE) === fewest) return percent;
  }
  return 100;
}
