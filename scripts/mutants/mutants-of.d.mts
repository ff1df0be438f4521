export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly was: string;
  readonly replacement: string;
  /** The innermost function with a block around the change, by its place in the file; none for the file itself. */
  readonly body: number | undefined;
}

export function mutantsOf(file: string, text: string): Mutant[];
