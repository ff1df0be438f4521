interface Place {
  readonly start?: { readonly line: number };
}

/** Counts of one file, as an istanbul report has them. */
export interface FileCounts {
  readonly branchMap: Record<string, { type: string; loc: Place; locations: readonly Place[] }>;
  readonly b: Record<string, readonly number[]>;
}

export interface Folder {
  readonly all: number;
  readonly taken: number;
}

export function foldersOf(files: Record<string, FileCounts>, source: string): Map<string, Folder>;
export function tableLines(folders: ReadonlyMap<string, Folder>): string[];
export function belowFloor(folders: ReadonlyMap<string, Folder>): string[];
export function uncoveredLines(files: Record<string, FileCounts>, root: string, folder: string): string[];
