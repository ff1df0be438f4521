/** The options of a verification: those of the command line. */
export interface VerifyForm {
  isQuick: boolean;
  /** null: one. */
  threads: number | null;
  /** null: as fast as it goes. */
  mebibytesPerSecond: number | null;
  /** Minutes to read for, what was verified longest ago first; null: everything. */
  budgetMinutes: number | null;
  /** Days that are asked about; null: those that the window always tells of. */
  withinDays: number | null;
}

export interface VerifyRequest {
  quick: boolean;
  threads?: number;
  bytesPerSecond?: number;
  budgetMs?: number;
  withinMs?: number;
}

const MEBIBYTE = 1024 * 1024;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const VERIFY_DEFAULTS: VerifyForm = {
  isQuick: false,
  threads: null,
  mebibytesPerSecond: null,
  budgetMinutes: null,
  withinDays: null
};

/** What is read in turns is read whole. */
export function verifyRequestOf(form: VerifyForm): VerifyRequest {
  const { isQuick, threads, mebibytesPerSecond, budgetMinutes, withinDays } = form;
  return {
    quick: isQuick && budgetMinutes === null,
    ...(threads === null ? {} : { threads }),
    ...(mebibytesPerSecond === null ? {} : { bytesPerSecond: mebibytesPerSecond * MEBIBYTE }),
    ...(budgetMinutes === null ? {} : { budgetMs: budgetMinutes * MINUTE_MS }),
    ...(withinDays === null ? {} : { withinMs: withinDays * DAY_MS })
  };
}
