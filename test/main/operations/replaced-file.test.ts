/** Reading while somebody else scavenges: a file that was listed is replaced before it is read. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

afterEach(removeUnpacked);

/** Switches a chunk to its next version after its header was read, `times` times. */
class ReplacingFileSystem extends NodeFileSystem {
  replacements = 0;
  readonly #times: number;
  readonly #opened = new Map<string, number>();

  constructor(times: number) {
    super();
    this.#times = times;
  }

  override open(file: string, mode: OpenMode): OpenFile {
    const match = /^(.*chunk-000007)\.(\d{6})$/.exec(file);
    // First for the header when the directory is read, then for a record.
    const opened = (this.#opened.get(file) ?? 0) + 1;
    this.#opened.set(file, opened);
    if (match && opened === 2 && this.replacements < this.#times) {
      this.replacements++;
      fs.renameSync(file, `${match[1]}.${String(Number(match[2]) + 1).padStart(6, '0')}`);
    }
    return super.open(file, mode);
  }
}

function inspect(fileSystem: NodeFileSystem, dataDirectory: string) {
  const context = testingContext('inspectDatabase', { dataDirectory, fileSystem });
  return runReportOperation('inspectDatabase', requests.inspectDatabase.parse({ dataDirectory }), context);
}

it('reads the directory again, and tells the same as without the replacement', async () => {
  const dataDirectory = unpackDatabase({ name: 'current-a', folder: 'before' });
  const wanted = await inspect(new NodeFileSystem(), dataDirectory);
  const fileSystem = new ReplacingFileSystem(2);
  const found = await inspect(fileSystem, dataDirectory);
  expect(fileSystem.replacements).toBe(2);
  expect(found.epochs).toEqual(wanted.epochs);
  expect(found.warnings).toEqual(wanted.warnings);
});

it('gives up with a clear error when a file goes again and again', async () => {
  const dataDirectory = unpackDatabase({ name: 'current-a', folder: 'before' });
  const error: unknown = await inspect(new ReplacingFileSystem(Infinity), dataDirectory).catch(
    (caught: unknown) => caught
  );
  expect(error).toMatchObject({ details: { osCode: 'ENOENT' } });
  expect(path.basename(String((error as { details: { file: string } }).details.file))).toMatch(
    /^chunk-000007/
  );
});
