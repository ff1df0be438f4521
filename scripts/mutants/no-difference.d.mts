import type { Mutant } from './mutants-of.mjs';

export interface Entry {
  readonly file: string;
  readonly line: string;
  readonly at: number;
  readonly was: string;
  readonly replacement: string;
}

export function entryOf(mutant: Pick<Mutant, 'file' | 'start' | 'was' | 'replacement'>, text: string): Entry;
export function readList(): (Entry & { readonly reason: string })[];
export function withoutListed(
  mutants: readonly Mutant[],
  texts: ReadonlyMap<string, string>,
  list: readonly Entry[]
): Mutant[];
