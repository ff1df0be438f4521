/** A crash database that is bundled, a new one for each test of a file that asks for it. */
import { beforeEach } from 'vitest';
import { runBundle, type BundleRequest, type BundleResult } from '../../../src-core/bundle/run-bundle.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { readIndexMap } from '../../../src-core/index/index-map.ts';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';

export const SOURCE = '/data/node';
export const INDEX = `${SOURCE}/index`;
export const TARGET = '/out/bundle';

export let fileSystem: MemoryFileSystem;

export function writeSourceBeforeEach(): void {
  beforeEach(async () => {
    fileSystem = await writeCrashDatabase({ dataDirectory: SOURCE, rounds: 2 });
    fileSystem.makeDirectory('/out');
  });
}

export function put(path: string, bytes: Uint8Array | string): void {
  fileSystem.remove(path);
  const file = fileSystem.open(path, 'createNew');
  const content = Buffer.from(bytes);
  file.write(content, 0, content.length, 0);
  file.close();
}

/** `at`: from the end of the file where it is negative. */
export function change(path: string, at: number, bytes: Uint8Array): void {
  fileSystem.changeMode(path, 0o644);
  const file = fileSystem.open(path, 'readWrite');
  file.write(bytes, 0, bytes.length, at < 0 ? file.size() + at : at);
  file.close();
}

export const bytesOf = (path: string): Buffer => Buffer.from(readWholeFile(fileSystem, path)!);
/** Of the source's map. */
export const tables = (): string[] => readIndexMap(fileSystem, INDEX)!.tables.map(({ file }) => file);

export async function bundle(
  change: Partial<BundleRequest> = {},
  over: FileSystem = fileSystem
): Promise<BundleResult> {
  const database = openDatabase({ fileSystem: over, dataDirectory: SOURCE });
  try {
    return await runBundle({
      database,
      target: TARGET,
      headersOnly: false,
      key: Buffer.alloc(32, 5),
      madeAt: '2026-01-01T00:00:00.0000000Z',
      newGuid: guidsFrom(3),
      makeScratch: () => '/scratch',
      control: uncontrolled(),
      ...change
    });
  } finally {
    database.close();
  }
}
