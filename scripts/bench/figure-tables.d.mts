/** What `npm run bench -- all` keeps; figures of a part are those of its benches. */
export interface RunFigures {
  version: number;
  isQuick: boolean;
  date: string;
  commit: string;
  machine: {
    processor: string;
    processors: number;
    memoryBytes: number;
    kernel: string;
    node: string;
  };
  parts: Readonly<Record<string, PartFigures>>;
}

export type PartFigures =
  | { status: 'done'; commit: string; load: number; figures: unknown }
  | { status: 'failed'; commit: string; load: number; reason: string };

export function tablesOf(run: RunFigures): Record<string, string | undefined>;
export function shareOfOneThread(oneMs: number, twoMs: number): number;
