export class TimeIsUp extends Error {}

export interface MeasuredRun {
  result: unknown;
  ms: number;
  peakBytes: number;
  processorMs: number;
}

export interface MeasureOptions {
  env?: Readonly<Record<string, string>>;
  isText?: boolean;
  limitMs?: number;
  flags?: readonly string[];
}

export function runMeasured(
  script: string,
  args?: readonly unknown[],
  options?: MeasureOptions
): Promise<MeasuredRun>;
