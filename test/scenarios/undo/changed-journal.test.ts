/**
 * Journals that contradict what they stand for, each with a hash that fits: an undo that would leave a gap or another end of the
 * log, a restore that names a file of no backup. Refused with every file where it was.
 */
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { decodeChecked, encodeChecked, type KeptManifest } from '../../../src-core/replaced/kept-manifest.ts';
import { undoScavenge } from '../../../src-core/replaced/run-undo.ts';
import type { UndoJournal } from '../../../src-core/replaced/undo-journal.ts';
import { continueRestore } from '../../../src-core/restore/run-restore.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { documentWorlds, BACKUPS, type DocumentWorld } from '../../fuzz/structures/document-worlds.ts';
import { STATE_BELOW, stateRoot, withRealState } from '../../fuzz/structures/structured-bases.ts';
import { copyOf } from '../../support/cut-enumeration.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { restoreEnvironment, sourceOf, treeOf } from '../../support/restore-fixture.ts';
import { StateBeside } from '../../support/state-beside.ts';

let root: string;
let worlds: DocumentWorld[];
beforeAll(async () => {
  root = stateRoot();
  worlds = await documentWorlds(root);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

function write(memory: MemoryFileSystem, path: string, bytes: Uint8Array): void {
  const file = memory.open(path, 'readWrite');
  file.truncate(0);
  file.write(bytes, 0, bytes.length, 0);
  file.close();
}

describe('an undo that was cut', () => {
  it.each<{ what: string; change: (journal: UndoJournal) => Partial<UndoJournal> }>([
    {
      what: 'has lost a chunk that it was to put back',
      change: ({ puts }) => ({ puts: puts.filter(({ name }) => !name.startsWith('chunk-000005')) })
    },
    {
      what: 'removes a chunk that it has put back',
      change: ({ puts, removes }) => ({
        removes: [...removes, ...puts.filter(({ area }) => area === 'data')]
      })
    },
    {
      what: 'ends the log earlier',
      change: ({ checkpoints }) => ({ checkpoints: { ...checkpoints, writer: '0010000000000000' } })
    }
  ])('is not carried on where its journal $what', async ({ change }) => {
    const { memory: made, dataDirectory, file, state } = worlds.find(({ kind }) => kind === 'undo journal')!;
    const memory = copyOf(made);
    new StateBeside([`${dataDirectory}/${STATE_BELOW}`]).restore(state!);
    const journal = decodeChecked(readWholeFile(memory, file!)!) as unknown as UndoJournal;
    expect(journal.phase).toBe('putting');
    write(memory, file!, encodeChecked({ ...journal, ...change(journal) }));
    const before = treeOf(memory, '/');
    const fileSystem = withRealState(memory, dataDirectory);
    const place = { fileSystem, dataDirectory, indexDirectory: `${dataDirectory}/index` };
    await expect(
      undoScavenge(place, { control: uncontrolled(), assumeStopped: false })
    ).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { reason: 'keptChanged' }
    });
    expect(treeOf(memory, '/')).toEqual(before);
  });
});

/** The file that two of them would exclude each other on may be made. */
const withoutLock = (tree: Record<string, string>): [string, string][] =>
  Object.entries(tree).filter(([name]) => !name.endsWith('/winnow-replaced/lock'));

it('an undo does not begin where the list of what was kept has lost a chunk', async () => {
  const { memory: made, dataDirectory, file, state } = worlds.find(({ kind }) => kind === 'kept manifest')!;
  const manifest = decodeChecked(readWholeFile(made, file!)!) as unknown as KeptManifest;
  const lost = manifest.files.filter(({ area, kind }) => area === 'data' && kind === 'chunk');
  let refused = 0;
  for (const { name } of lost) {
    const memory = copyOf(made);
    new StateBeside([`${dataDirectory}/${STATE_BELOW}`]).restore(state!);
    const files = manifest.files.filter((one) => one.name !== name);
    write(memory, file!, encodeChecked({ ...manifest, files }));
    const before = treeOf(memory, '/');
    const fileSystem = withRealState(memory, dataDirectory);
    const place = { fileSystem, dataDirectory, indexDirectory: `${dataDirectory}/index` };
    const error = await undoScavenge(place, { control: uncontrolled(), assumeStopped: false }).then(
      () => undefined,
      (thrown: unknown) => thrown
    );
    expect(error, name).toMatchObject({ code: 'LogCorrupt' });
    expect(withoutLock(treeOf(memory, '/')), name).toEqual(withoutLock(before));
    refused++;
  }
  expect(refused).toBeGreaterThan(2);
});

describe('a restore that was cut', () => {
  it('is not carried on where its journal names a file that the backup does not contain', async () => {
    const {
      memory: made,
      dataDirectory,
      file,
      manifest
    } = worlds.find(({ kind }) => kind === 'restore journal')!;
    const memory = copyOf(made);
    const journal = new TextDecoder().decode(readWholeFile(memory, file!));
    const table = /"index","name":"([0-9a-f]{8})-/.exec(journal)![1]!;
    write(
      memory,
      file!,
      new TextEncoder().encode(
        journal.replace(
          table,
          table.replace(/.$/, (x) => (x === '0' ? '1' : '0'))
        )
      )
    );
    const source = sourceOf(memory, BACKUPS, manifest!);
    const going = continueRestore(
      { dataDirectory, withSource: (_, work) => work(source) },
      restoreEnvironment(memory)
    );
    await expect(going).rejects.toMatchObject({
      code: 'LogCorrupt',
      message: expect.stringContaining('does not contain index/') as string
    });
  });
});
