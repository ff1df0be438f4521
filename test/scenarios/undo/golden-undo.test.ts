/**
 * Databases of real servers are scavenged with what is replaced kept, and the scavenge undone: the directory is what it was,
 * to the byte. It verifies, and the next scavenge gives what the first one gave.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { keptUse } from '../../../src-core/replaced/kept-space.ts';
import { undoScavenge } from '../../../src-core/replaced/run-undo.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { contentOf, withDatabase } from '../../support/database-content.ts';
import { directoryTree } from '../../support/directory-tree.ts';
import { goldenFolders, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';

const fileSystem = new NodeFileSystem();
const WEEK_MS = 7 * 86_400_000;
afterEach(removeUnpacked);

const placeOf = (dataDirectory: string) => ({
  fileSystem,
  dataDirectory,
  indexDirectory: `${dataDirectory}/index`
});
const undo = (dataDirectory: string) =>
  undoScavenge(placeOf(dataDirectory), { control: uncontrolled(), assumeStopped: false });

async function damagesOf(dataDirectory: string): Promise<string[]> {
  return withDatabase(dataDirectory, async (database) => {
    const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
    return findings.filter(({ severity }) => severity === 'damage').map(({ message }) => message);
  });
}

const scavenge = (dataDirectory: string, change: Partial<ScavengeRequest>, hostName?: string) =>
  runScavenge(
    scavengeRequest(dataDirectory, { keepReplacedMs: WEEK_MS, alwaysKeepScavenged: false, ...change }),
    scavengeEnvironment(hostName === undefined ? {} : { hostName })
  );

const CASES = [
  { name: 'current-a', folder: 'before' },
  { name: 'rules', folder: 'before' },
  { name: 'rules', folder: 'after-t0' },
  { name: 'tables', folder: 'before' },
  { name: 'killed-scavenge', folder: 'at-kill' },
  { name: 'transactions', folder: undefined },
  { name: 'epochs', folder: undefined }
];

describe.each(CASES)('a scavenge of $name/$folder that is undone', ({ name, folder }) => {
  const unpack = () => unpackDatabase({ name, folder: folder ?? goldenFolders(name)[0]! });

  it.each([
    { way: 'existing point', request: { scavengePoint: 'existing' } },
    { way: 'new point, history', request: { scavengePoint: 'new', singleNode: true }, hostName: 'node-a' },
    { way: 'new point, afresh', request: { scavengePoint: 'new', singleNode: true, startAfresh: true } },
    {
      way: 'threshold -1, unmerged',
      request: { scavengePoint: 'new', singleNode: true, threshold: -1, merge: false }
    }
  ] as { way: string; request: Partial<ScavengeRequest>; hostName?: string }[])(
    'with $way gives the directory back',
    async ({ request, hostName }) => {
      const dataDirectory = unpack();
      const before = directoryTree(dataDirectory);
      const damagesBefore = await damagesOf(dataDirectory);
      const first = await scavenge(dataDirectory, request, hostName);
      const scavenged = await contentOf(dataDirectory);
      if (first.kept) {
        const use = keptUse(placeOf(dataDirectory));
        expect(use.kept.map(({ id }) => id)).toEqual([first.kept.id]);
        const outcome = await undo(dataDirectory);
        expect(outcome).toMatchObject({ kind: 'exact', isResumed: false });
      }
      expect(directoryTree(dataDirectory)).toEqual(before);
      expect(await damagesOf(dataDirectory)).toEqual(damagesBefore);
      const second = await scavenge(dataDirectory, request, hostName);
      expect(second.spaceSavedBytes).toBe(first.spaceSavedBytes);
      expect((await contentOf(dataDirectory)).chunks).toEqual(scavenged.chunks);
    }
  );
});
