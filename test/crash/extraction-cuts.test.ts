/**
 * An extraction, cut and refused at every call of the file system: under the name that was asked for there is nothing or the whole file,
 * what was there before stays until then, and the run that follows ends as one that was never cut.
 */
import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { FileSystem } from '../../src-core/index.ts';
import { readWholeFile } from '../../src-core/storage/file-system.ts';
import { writeCrashDatabase } from '../support/crash-database.ts';
import { extract } from '../support/extraction.ts';
import { storageError } from '../support/memory-file-system.ts';
import { testAllFaults } from './all-faults.ts';

const DATABASE = '/db';
const OLD = Buffer.from('what was there before\n');

function bytesOf(fileSystem: FileSystem, file: string): string | undefined {
  if (!fileSystem.describe(file)) return undefined;
  const opened = fileSystem.open(file, 'read');
  const bytes = Buffer.alloc(opened.size());
  opened.read(bytes, 0, bytes.length, 0);
  opened.close();
  return `${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('hex')}`;
}

function filesIn(fileSystem: FileSystem, directory: string): Record<string, string | undefined> {
  const names = (fileSystem.list(directory) ?? []).filter(({ isDirectory }) => !isDirectory);
  return Object.fromEntries(
    names
      .map(({ name }) => [name, bytesOf(fileSystem, fileSystem.join(directory, name))] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  );
}

describe.each(['jsonl', 'csv', 'parquet'] as const)('an extraction as %s', (format) => {
  describe.each([false, true])('to a file (replaces one: %s)', (overwrite) => {
    const to = `/out/events.${format}`;
    const run = (fileSystem: FileSystem) =>
      extract(
        {
          dataDirectory: DATABASE,
          to,
          format,
          overwrite,
          systemStreams: true,
          checkpointBytes: 12_000,
          groupRows: 20
        },
        { fileSystem }
      );
    testAllFaults({
      name: `extraction to a file (${format}, replaces one: ${overwrite})`,
      operation: 'extract',
      leastCalls: 8,
      readEvery: 20,
      subject: () => ({
        prepare: async () => {
          const memory = await writeCrashDatabase({ dataDirectory: DATABASE });
          memory.makeDirectory('/out');
          if (overwrite) {
            const file = memory.open(to, 'createNew');
            file.write(OLD, 0, OLD.length, 0);
            file.close();
          }
          return memory;
        },
        act: run,
        resume: async (fileSystem) => {
          // The name may have been given already: then the file is whole, and nothing is left to do.
          const isDone =
            bytesOf(fileSystem, to) !== undefined && !fileSystem.describe(`${to}.winnow-extract.json`);
          if (!isDone || overwrite) await run(fileSystem);
        },
        contentOf: (fileSystem) => filesIn(fileSystem, '/out'),
        look: (fileSystem, { before, after }) => {
          const name = `events.${format}`;
          const found = bytesOf(fileSystem, to);
          expect([before[name], after[name]]).toContain(found);
        }
      })
    });
  });

  describe('to parts in a directory', () => {
    const run = async (fileSystem: FileSystem) => {
      const { unreadableCount } = await extract(
        {
          dataDirectory: DATABASE,
          to: '/out/',
          format,
          partBytes: 9000,
          checkpointBytes: 4000,
          groupRows: 8
        },
        { fileSystem }
      );
      // It ends by itself, without what a disk refused for ever; the command says so and exits with 1.
      if (unreadableCount > 0) throw storageError('EIO', DATABASE);
    };
    /** What is there says of itself that it is not all. */
    const hasGaps = (fileSystem: FileSystem): boolean => {
      const bytes = readWholeFile(fileSystem, '/out/manifest.json');
      if (!bytes) return false;
      return (JSON.parse(Buffer.from(bytes).toString()) as { unreadableCount: number }).unreadableCount > 0;
    };
    testAllFaults({
      name: `extraction to parts (${format})`,
      operation: 'extract',
      leastCalls: 20,
      refuseEvery: 3,
      againEvery: 10,
      readEvery: 60,
      subject: () => ({
        prepare: async () => {
          const memory = await writeCrashDatabase({ dataDirectory: DATABASE });
          memory.makeDirectory('/out');
          return memory;
        },
        act: run,
        resume: async (fileSystem) => {
          const isDone =
            fileSystem.describe('/out/manifest.json') !== undefined &&
            !fileSystem.describe('/out/.winnow-extract.json');
          // As a person does who has another disk by then: a directory is not written over.
          const isPartial = hasGaps(fileSystem);
          if (isPartial)
            for (const name of Object.keys(filesIn(fileSystem, '/out'))) fileSystem.remove(`/out/${name}`);
          if (!isDone || isPartial) await run(fileSystem);
        },
        contentOf: (fileSystem) => filesIn(fileSystem, '/out'),
        look: (fileSystem, { after }) => {
          if (hasGaps(fileSystem)) return;
          for (const [name, bytes] of Object.entries(filesIn(fileSystem, '/out'))) {
            if (name.endsWith(`.${format}`) || name === 'manifest.json') expect(bytes).toBe(after[name]);
          }
        }
      })
    });
  });
});
