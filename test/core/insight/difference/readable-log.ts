/** The log in memory of the tests of the index, with reads of many records, and places that fail when they are read. */
import type { IndexedRecord } from '../../../../src-core/index/record-source.ts';
import { openStreamIndex, type StreamIndex } from '../../../../src-core/index/stream-index.ts';
import { fileSystem, scratchDirectory } from '../../index/index-fixture.ts';
import { MemoryLog, nthCharacter } from '../../index/memory-log.ts';

export class ReadableLog extends MemoryLog {
  /** By position. */
  readonly faults = new Map<number, Error>();

  override readAt(position: number): IndexedRecord | undefined {
    const fault = this.faults.get(position);
    if (fault) throw fault;
    return super.readAt(position);
  }

  readMany(
    positions: readonly number[],
    found: (index: number, record: IndexedRecord | undefined) => void,
    failed: (index: number, error: unknown) => void
  ): void {
    for (const [index, position] of positions.entries()) {
      const fault = this.faults.get(position);
      if (fault) failed(index, fault);
      else found(index, super.readAt(position));
    }
  }
}

/** Whose hashes are the second characters of names. The directory goes away with the test. */
export function weakIndexOf(log: ReadableLog): Promise<StreamIndex> {
  return openStreamIndex({ fileSystem, directory: scratchDirectory(), log, hasher: nthCharacter });
}
