import type { Mutant } from './mutants-of.mjs';

type Bodies = Record<string, number[]>;

/** What a test file called when it was measured. */
interface Measured {
  readonly digest: string;
  readonly hasFailed?: boolean;
  readonly sources: Record<string, string>;
  readonly outside: Bodies;
  readonly tests: Record<string, { ms: number; cpuMs: number; reached: Bodies }>;
}

export interface Reaching {
  readonly test: string;
  readonly tests: readonly { readonly name: string; readonly ms: number; readonly cpuMs: number }[];
}

export const sources: readonly string[];
export const MARKS: number;
export function digestOf(file: string): string;
export function marked(file: string, text: string): string;
export function bodiesByFile(marks: readonly number[]): Bodies;
export function testsReaching(
  mutant: Pick<Mutant, 'file' | 'body'>,
  kept: { readonly tests: Record<string, Measured> }
): Reaching[];
export function affordable(
  found: readonly Reaching[],
  seconds: number
): {
  batches: { files: { test: string; names: string[] }[]; cpuMs: number; ms: number }[];
  left: number;
};
