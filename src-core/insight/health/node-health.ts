/**
 * The health of a database: one answer out of what was checked, when, and whether that still is about these files. The
 * only place that weighs one check against another; every door shows what comes out of here. Pure.
 *
 * - Damage found by any check stays until its files have changed or the same check says otherwise.
 * - What the doctor says of a start wins: it went through that start.
 * - Sound is only what a check proved, of the files that are there now. An inspection proves nothing.
 */
import type { Finding } from '../../verify/finding.ts';

export type HealthState = 'notChecked' | 'sound' | 'findings' | 'willNotStart' | 'unclean';
export type HealthSource = 'inspect' | 'doctor' | 'verify';

/** Damage as it is kept: what to say of it, and what to do. */
export type HealthFinding = Pick<Finding, 'code' | 'file' | 'message' | 'remedy'>;

/** What one look said. */
export interface HealthCheck {
  by: HealthSource;
  /** ISO 8601. */
  checkedAt: string;
  state: Exclude<HealthState, 'notChecked'>;
  /** One sentence. */
  words: string;
  /** The finding that decided; null where nothing was found. */
  code: string | null;
  /** The first of the damage. */
  damage: readonly HealthFinding[];
  damageCount: number;
  /** Not all was read that this kind of check reads. */
  isPartial: boolean;
}

/**
 * What a kept check still is worth: it is about these very files; or they have changed, but a damaged file has not; or
 * it is about files that have changed since.
 */
export type CheckValidity = 'current' | 'damageRemains' | 'outdated';

export interface KeptCheck {
  check: HealthCheck;
  validity: CheckValidity;
}

export interface Health extends Omit<HealthCheck, 'state' | 'checkedAt'> {
  state: HealthState;
  /** null: nothing was checked. */
  checkedAt: string | null;
  /** What was known before the files changed; null where the answer is about these files, or nothing was known. */
  before: Pick<HealthCheck, 'state' | 'checkedAt' | 'by'> | null;
}

export interface HealthQuestion {
  /** What an inspection sees by itself; undefined: nothing that tells. */
  seen: HealthCheck | undefined;
  doctor?: KeptCheck | undefined;
  verify?: KeptCheck | undefined;
}

/** What prevents a start because of the machine, not the files: the next check may find it gone. */
const OF_MACHINE = new Set(['diskFull', 'notWritable']);

const RANK: Record<HealthState, number> = {
  notChecked: 0,
  sound: 1,
  unclean: 2,
  findings: 3,
  willNotStart: 4
};

export function healthOf({ seen, doctor, verify }: HealthQuestion): Health {
  const [started, proved] = [inForce(doctor), inForce(verify)];
  const isStartKnown = doctor?.validity === 'current';
  // An inspection only guesses what keeps a server from starting; the doctor went through the start.
  const guess =
    isStartKnown && seen?.state === 'willNotStart' ? { ...seen, state: 'findings' as const } : seen;
  const asked = [started, proved, isStartKnown && guess?.state === 'unclean' ? undefined : guess];
  const found = asked.filter((check) => check !== undefined);
  const worst = found.reduce((rank, { state }) => Math.max(rank, RANK[state]), 0);
  // Of two that say the same, the doctor tells what a start makes of damage, and a verification proves more.
  const order: HealthSource[] =
    worst === RANK.sound
      ? ['verify', 'doctor']
      : worst === RANK.findings
        ? ['verify', 'doctor', 'inspect']
        : ['doctor', 'verify', 'inspect'];
  const chosen = order
    .map((by) => found.find((check) => check.by === by && RANK[check.state] === worst))
    .find((check) => check !== undefined);
  return chosen ? { ...chosen, before: null } : notChecked([doctor, verify]);
}

/** The check as far as it still tells something: all of it, or only that there is damage. */
function inForce(kept: KeptCheck | undefined): HealthCheck | undefined {
  if (kept === undefined || kept.validity === 'outdated') return undefined;
  const { check, validity } = kept;
  // Whether a server starts on changed files is not known; the damaged one is still among them.
  return validity === 'current' ? check : { ...check, state: 'findings' };
}

function notChecked(kept: readonly (KeptCheck | undefined)[]): Health {
  const [newest] = kept
    .filter((one) => one !== undefined)
    .map(({ check }) => check)
    .sort((a, b) => (a.checkedAt < b.checkedAt ? 1 : -1));
  return {
    state: 'notChecked',
    checkedAt: null,
    by: 'inspect',
    words: newest
      ? 'The directory has changed since it was checked.'
      : 'This directory has not been checked yet.',
    code: null,
    damage: [],
    damageCount: 0,
    isPartial: false,
    before: newest ? { state: newest.state, checkedAt: newest.checkedAt, by: newest.by } : null
  };
}

/** Whether a check takes the place of the last one of its kind. `isSame`: both are of the same files. */
export function replacesCheck(last: HealthCheck, next: HealthCheck, isSame: boolean): boolean {
  if (!isSame || last.isPartial || !next.isPartial) return true;
  // Half a look takes nothing back that a whole one saw.
  return RANK[next.state] > RANK[last.state] || (last.code !== null && OF_MACHINE.has(last.code));
}
