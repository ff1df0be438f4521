export interface BenchMatrix {
  sizes: string[];
  streamCounts: number[];
}

export interface BenchPart {
  name: string;
  seconds: number;
}

export const FULL: BenchMatrix;
export const QUICK: BenchMatrix;
export function partsOf(matrix: BenchMatrix): BenchPart[];
export function selectParts(parts: readonly BenchPart[], names: readonly string[]): BenchPart[];
