import type { Mutant } from './mutants-of.mjs';

interface Reach {
  readonly digests: Record<string, string>;
  readonly tests: Record<string, { ms: number; reached: Record<string, number[]> }>;
}

export const sources: readonly string[];
export const MARKS: number;
export function digestOf(file: string): string;
export function marked(file: string, text: string): string;
export function bodiesByFile(marks: readonly number[]): Record<string, number[]>;
export function testsReaching(
  mutant: Pick<Mutant, 'file' | 'body'>,
  kept: Reach
): { test: string; ms: number }[];
