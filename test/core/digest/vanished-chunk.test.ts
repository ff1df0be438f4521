/** A server replaces chunks while their digests are read: one that is gone fails alone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { partsOf } from '../../../src-core/chunks/chunk.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { readDigests } from '../../../src-core/digest/read-digest.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';

const MIB = 1024 * 1024;

// The hashes of chunks are computed side by side, each waiting for the others to have a quarter of a mebibyte.
it('one that cannot be opened keeps no other waiting', async () => {
  const directory = temporaryDirectory();
  const fileSystem = new NodeFileSystem();
  const newGuid = guidsFrom(7);
  const writer = LogWriter.create({ fileSystem, directory, chunkSizeBytes: MIB, newGuid });
  const now = () => ticksFromIso('2026-01-01T00:00:00Z')!;
  const appender = new EventAppender({ writer, newGuid, now, lastEventNumber: () => -1 });
  for (let i = 0; i < 40; i++) {
    appender.append(`stream-${i}`, [{ eventType: 'happened', data: Buffer.alloc(100_000, 'x') }]);
  }
  writer.close();
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  try {
    const chunks = database.log.chunks.filter(({ footer }) => footer);
    expect(chunks.length).toBeGreaterThanOrEqual(3);
    rmSync(join(directory, chunks[1]!.fileName));
    const settled = await readDigests(
      chunks.slice(0, 3).map((chunk) => ({ chunk: partsOf(chunk) })),
      {
        fileSystem,
        breathe: () => Promise.resolve(),
        onBytes: () => undefined
      }
    );
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  } finally {
    database.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
