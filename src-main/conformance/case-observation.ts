/**
 * Reads back what a scavenge left of a case's database: records, physical chunks, index entries, scavenge state.
 */
import { openDatabase, openStreamIndex, ScavengeState, StateStore, TableScan } from '../../src-core/index.ts';
import type { CasePlace } from './case-database.ts';

export interface ObservedEntry {
  low: number;
  number: number;
  position: number;
}

export interface Observation {
  /** Payloads by position. */
  records: Map<number, Buffer>;
  physicalChunks: [number, number][];
  entries: ObservedEntry[];
  /** Position in the index for an event; undefined if there is none. */
  lookUp: (stream: string, number: number) => number | undefined;
  close: () => void;
}

export async function observe({ fileSystem, dataDirectory, hasher }: CasePlace): Promise<Observation> {
  const database = openDatabase({ fileSystem, dataDirectory });
  const { log, indexDirectory } = database;
  const records = new Map<number, Buffer>();
  for (const cursor = log.cursor(); cursor.next();) {
    records.set(cursor.record.position, Buffer.from(cursor.record.payload));
  }
  const index = await openStreamIndex({ fileSystem, directory: indexDirectory, log, hasher });
  const entries: ObservedEntry[] = [];
  for (const table of index.tables) {
    for (const scan = new TableScan(table); scan.next();) {
      const { block } = scan;
      for (let i = 0; i < block.count; i++) {
        entries.push({ low: block.hashLow[i]!, number: block.number[i]!, position: block.position[i]! });
      }
    }
  }
  return {
    records,
    physicalChunks: log.chunks.map((chunk) => [chunk.startNumber, chunk.endNumber]),
    entries,
    lookUp: (stream, number) => index.firstWritten(stream, number),
    close: () => {
      index.close();
      database.close();
    }
  };
}

export function stateFileOf({ fileSystem, dataDirectory }: CasePlace): string {
  return fileSystem.join(dataDirectory, 'index', 'scavenging', 'scavenging.db');
}

/** The stored state; undefined if there is none. */
export function openCaseState(place: CasePlace, options: { create: boolean }): ScavengeState | undefined {
  const { fileSystem, dataDirectory, hasher } = place;
  const path = stateFileOf(place);
  if (!options.create && !fileSystem.describe(path)) return undefined;
  fileSystem.makeDirectory(fileSystem.join(dataDirectory, 'index', 'scavenging'));
  return new ScavengeState({ store: StateStore.open({ path }), hasher });
}
