/** The prediction of a start against what the server did, for every golden database. */
import { afterEach, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { examineStart } from '../../../src-core/insight/doctor/examine-start.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { removeUnpacked } from '../../support/golden.ts';
import { serverStarts } from '../../support/server-starts.ts';

/** The room on this machine's disk says nothing about the databases. */
class RoomyFileSystem extends NodeFileSystem {
  override freeBytes(): number {
    return 1e12;
  }
}

const fileSystem = new RoomyFileSystem();
afterEach(removeUnpacked);

describe('the prediction of a start', () => {
  it.each(serverStarts())('$title: $did', { timeout: 60_000 }, async ({ unpack, options, did, log }) => {
    const dataDirectory = unpack();
    const { prediction, findings } = await examineStart({
      place: { fileSystem, dataDirectory },
      serverArguments: options,
      isThorough: false,
      control: uncontrolled()
    });
    expect(prediction.then).toBe(did);
    expect(prediction.starts).toBe(did !== 'refuses' && did !== 'diesLater');
    const reason = findings.find(({ effect }) => effect !== 'none');
    const words = reason?.serverSays?.replaceAll(dataDirectory, 'DB').split('... ') ?? [];
    if (log !== '') for (const part of words) expect(log).toContain(part);
  });
});
