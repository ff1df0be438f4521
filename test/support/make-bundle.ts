/** A bundle in the file system of its source, the same each time. */
import { runBundle } from '../../src-core/bundle/run-bundle.ts';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { guidsFrom } from './crash-database.ts';

export async function makeBundle(
  fileSystem: FileSystem,
  { source, target, headersOnly }: { source: string; target: string; headersOnly: boolean }
): Promise<void> {
  const database = openDatabase({ fileSystem, dataDirectory: source });
  try {
    await runBundle({
      database,
      target,
      headersOnly,
      key: Buffer.alloc(32, 5),
      madeAt: '2026-01-01T00:00:00.0000000Z',
      newGuid: guidsFrom(3),
      makeScratch: () => '',
      control: uncontrolled()
    });
  } finally {
    database.close();
  }
}
