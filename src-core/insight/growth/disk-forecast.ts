/**
 * When a volume is full if the log goes on growing as it did of late: without scavenges, and with regular ones. Pure.
 *
 * Without: everything that is written stays. With: what could be freed now goes at once; records that nothing limits stay; new
 * ones with a maximum age stay for as long as that says, so that together they level off; those that are there now go on the
 * days of the expiry calendar, and what expires after its end is left out of account, which errs to the early side.
 */
export interface GrowthRates {
  /** Bytes a day of log and index: all that was written. */
  writtenPerDay: number;
  /** Of what is still there: records that nothing limits, and those with a maximum age. */
  lastingPerDay: number;
  expiringPerDay: number;
  /** Mean maximum age of the latter, days. */
  expiringDays: number;
}

export interface ForecastFacts extends GrowthRates {
  freeBytes: number;
  /** By a scavenge now. */
  freedNowBytes: number;
  /** What is released on each day from today on. */
  releases: readonly number[];
}

export interface DiskForecast {
  /** Days until the volume is full; null: not within a hundred years. */
  withoutDays: number | null;
  withDays: number | null;
  /** Bytes that are taken beyond now at the end of each day, from today; may be negative. */
  curve: { without: number; with: number }[];
}

const LONGEST_DAYS = 36_500;

export function forecastDisk(facts: ForecastFacts, curveDays: number): DiskForecast {
  const { freeBytes, writtenPerDay, releases, freedNowBytes } = facts;
  const released: number[] = [];
  let sum = 0;
  for (const bytes of releases) released.push((sum += bytes));
  const withScavenges = (days: number): number =>
    keptOf(facts, days) -
    freedNowBytes -
    (released.length === 0 ? 0 : released[Math.min(released.length, Math.ceil(days)) - 1]!);
  return {
    withoutDays: writtenPerDay <= 0 ? null : withinReach(freeBytes / writtenPerDay),
    withDays: firstFull(withScavenges, freeBytes),
    curve: Array.from({ length: curveDays }, (_, day) => ({
      without: Math.round(writtenPerDay * (day + 1)),
      with: Math.round(withScavenges(day + 1))
    }))
  };
}

/** Of what will be written within so many days, what a scavenge at their end leaves. */
function keptOf({ lastingPerDay, expiringPerDay, expiringDays }: GrowthRates, days: number): number {
  return lastingPerDay * days + expiringPerDay * Math.min(days, expiringDays);
}

/** The day on which `taken` reaches the limit; it may fall in between, but not from one day to a much later one. */
function firstFull(taken: (days: number) => number, limit: number): number | null {
  for (let day = 1; day <= LONGEST_DAYS; day++) {
    if (taken(day) >= limit) return day;
  }
  return null;
}

function withinReach(days: number): number | null {
  return days > LONGEST_DAYS ? null : days;
}
