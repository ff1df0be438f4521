/** The options of a verification: those of the command line. */
export interface VerifyForm {
  isQuick: boolean;
  /** null: one. */
  threads: number | null;
  /** null: as fast as it goes. */
  mebibytesPerSecond: number | null;
}

export interface VerifyRequest {
  quick: boolean;
  threads?: number;
  bytesPerSecond?: number;
}

const MEBIBYTE = 1024 * 1024;

export const VERIFY_DEFAULTS: VerifyForm = { isQuick: false, threads: null, mebibytesPerSecond: null };

export function verifyRequestOf({ isQuick, threads, mebibytesPerSecond }: VerifyForm): VerifyRequest {
  return {
    quick: isQuick,
    ...(threads === null ? {} : { threads }),
    ...(mebibytesPerSecond === null ? {} : { bytesPerSecond: mebibytesPerSecond * MEBIBYTE })
  };
}
