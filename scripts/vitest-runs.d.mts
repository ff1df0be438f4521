export interface VitestRun {
  hasEndedWell: boolean;
  passed: number;
  failed: number;
  skipped: number;
  /** How many files were run once more, when that is what they passed in. */
  secondAttempts?: number;
  /** What failed, in words. */
  notes: string[];
}

export function runVitest(
  words: readonly string[],
  reports: string,
  run: (words: readonly string[], env: Record<string, string>) => boolean
): VitestRun | undefined;
