/** A database of so many small chunks, for what grows with the number of files. */
export function writeManyChunks(database: { dataDirectory: string; chunks: number }): Promise<object>;
