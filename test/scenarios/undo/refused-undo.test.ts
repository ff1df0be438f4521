/**
 * What is kept no longer belongs to the log, or is not what it was: the undo says which file and why, before anything is
 * changed. Judged by the bytes of all directories.
 */
import fs from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { decodeChecked, encodeChecked, type KeptManifest } from '../../../src-core/replaced/kept-manifest.ts';
import { planUndo } from '../../../src-core/replaced/plan-undo.ts';
import { undoScavenge } from '../../../src-core/replaced/run-undo.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { documentWorlds, type DocumentWorld } from '../../fuzz/structures/document-worlds.ts';
import { STATE_BELOW, stateRoot, withRealState } from '../../fuzz/structures/structured-bases.ts';
import { copyOf } from '../../support/cut-enumeration.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { treeOf } from '../../support/restore-fixture.ts';
import { StateBeside } from '../../support/state-beside.ts';

let root: string;
let world: DocumentWorld;
beforeAll(async () => {
  root = stateRoot();
  world = (await documentWorlds(root)).find(({ kind }) => kind === 'kept manifest')!;
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const HEADER_BYTES = 128;
const MD5_BYTES = 16;

/** A copy of the directory after a scavenge that kept what it replaced, to be spoilt. */
class Kept {
  readonly memory: MemoryFileSystem;
  readonly data: string;
  readonly folder: string;
  readonly manifest: KeptManifest;

  constructor({ memory, dataDirectory, file, state }: DocumentWorld) {
    this.memory = copyOf(memory);
    this.data = dataDirectory;
    this.folder = file!.replace('/manifest.json', '');
    this.manifest = decodeChecked(readWholeFile(memory, file!)!) as unknown as KeptManifest;
    new StateBeside([`${dataDirectory}/${STATE_BELOW}`]).restore(state!);
  }

  pathOf(kind: KeptManifest['files'][number]['kind'], nth = 0): string {
    const { area, name } = this.manifest.files.filter((file) => file.kind === kind).at(nth)!;
    return `${this.folder}/${area}/${name}`;
  }

  /** Other bytes at a place; counted from the end where it is negative. */
  change(path: string, at: number, count = 1): void {
    const file = this.memory.open(path, 'readWrite');
    const place = at < 0 ? file.size() + at : at;
    const bytes = new Uint8Array(count);
    file.read(bytes, 0, count, place);
    file.write(
      bytes.map((byte) => byte ^ 0xff),
      0,
      count,
      place
    );
    file.close();
  }

  write(path: string, bytes: Uint8Array): void {
    const file = this.memory.open(path, this.memory.describe(path) ? 'readWrite' : 'createNew');
    file.truncate(0);
    file.write(bytes, 0, bytes.length, 0);
    file.close();
  }

  shorten(path: string, by: number): void {
    const file = this.memory.open(path, 'readWrite');
    file.truncate(file.size() - by);
    file.close();
  }

  checkpoint(name: string, position: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(position));
    this.write(`${this.data}/${name}.chk`, bytes);
  }

  rewriteManifest(change: Partial<KeptManifest> & { formatVersion?: number }): void {
    this.write(`${this.folder}/manifest.json`, encodeChecked({ ...this.manifest, ...change }));
  }
}

interface Refusal {
  what: string;
  spoil: (kept: Kept) => void;
  ask?: (kept: Kept) => { id?: string; indexDirectory?: string };
  code: string;
  message: RegExp;
}

const REFUSALS: Refusal[] = [
  {
    what: 'a truncation of the log is asked for',
    spoil: (kept) => kept.checkpoint('truncate', 4096),
    code: 'InvalidRequest',
    message: /truncate\.chk requests a truncation of the log at position 4096; that must come first/
  },
  {
    what: 'another generation is asked for',
    spoil: () => undefined,
    ask: () => ({ id: '20200101T000000Z' }),
    code: 'InvalidRequest',
    message: /No replaced files of 20200101T000000Z are kept in .*; there are those of \d{8}T\d{6}Z/
  },
  {
    what: 'nothing is kept',
    spoil: ({ memory, data }) => memory.removeDirectory(`${data}/winnow-replaced`),
    code: 'InvalidRequest',
    message: /Nothing that a scavenge replaced is kept in/
  },
  {
    what: 'the index directory is another one',
    spoil: ({ memory, data }) => {
      memory.makeDirectory(`${data}/other`);
    },
    ask: ({ data }) => ({ indexDirectory: `${data}/other` }),
    code: 'InvalidRequest',
    message: /other is not the one of that scavenge \(index\)/
  },
  {
    what: 'it was kept of an index on another volume',
    spoil: (kept) => kept.rewriteManifest({ indexWithin: null }),
    code: 'InvalidRequest',
    message: /is not the one of that scavenge \(elsewhere, on another volume\)/
  },
  {
    what: 'an old chunk is missing',
    spoil: (kept) => kept.memory.remove(kept.pathOf('chunk')),
    code: 'LogCorrupt',
    message: /chunk-0+\.0+: it is missing/
  },
  {
    what: 'an old table is shorter',
    spoil: (kept) => kept.shorten(kept.pathOf('table'), 1),
    code: 'LogCorrupt',
    message: /index\/[0-9a-f-]{36}: it has \d+ bytes instead of \d+/
  },
  {
    what: 'the hash of an old chunk is another one',
    spoil: (kept) => kept.change(kept.pathOf('chunk'), -MD5_BYTES, MD5_BYTES),
    code: 'LogCorrupt',
    message: /its header or footer is not the one it had/
  },
  {
    what: 'the header of an old chunk is none',
    spoil: (kept) => kept.change(kept.pathOf('chunk'), 0, HEADER_BYTES),
    code: 'LogCorrupt',
    message: /chunk-0+\.0+: /
  },
  {
    what: 'the first record of an old chunk is another one',
    spoil: (kept) => kept.change(kept.pathOf('chunk'), HEADER_BYTES + 60),
    code: 'LogCorrupt',
    message: /is no longer that of the files which were set aside: the record at position 0 is not in them/
  },
  {
    what: 'a byte in the middle of an old chunk has changed',
    spoil: (kept) => kept.change(kept.pathOf('chunk'), 3000),
    code: 'LogCorrupt',
    message: /chunk-000000\.000000.*[0-9a-f]{32}/
  },
  {
    what: 'the header of the old open chunk is none',
    spoil: (kept) => kept.change(kept.pathOf('open'), 0, HEADER_BYTES),
    code: 'LogCorrupt',
    message: /chunk-/
  },
  {
    what: 'the old open chunk is that of another number',
    // The lowest byte of its first chunk number.
    spoil: (kept) => kept.change(kept.pathOf('open'), 6),
    code: 'LogCorrupt',
    message: /chunk-/
  },
  {
    what: 'the checksum of an old table is another one',
    spoil: (kept) => kept.change(kept.pathOf('table'), -1),
    code: 'LogCorrupt',
    message: /its checksum is not the one it had/
  },
  {
    what: 'the old index map has changed',
    spoil: (kept) => kept.change(kept.pathOf('map'), 3),
    code: 'LogCorrupt',
    message: /indexmap: its SHA-256 is [0-9a-f]{64} instead of [0-9a-f]{64}/
  },
  {
    what: 'the log ends before the one that was kept',
    spoil: (kept) => {
      const { writer, chunkSizeBytes } = kept.manifest;
      const end = Math.floor(writer / chunkSizeBytes) * chunkSizeBytes;
      for (const name of ['writer', 'chaser']) kept.checkpoint(name, end);
      kept.checkpoint('epoch', -1);
    },
    code: 'LogCorrupt',
    message: /it ends at \d+, and reached \d+ when they were kept: it was truncated or restored since/
  },
  {
    what: 'the chunks of the log have another size',
    spoil: (kept) => kept.rewriteManifest({ chunkSizeBytes: kept.manifest.chunkSizeBytes * 2 }),
    code: 'LogCorrupt',
    message: /its chunks have another size/
  },
  {
    what: 'the manifest is that of a later version',
    spoil: (kept) => kept.rewriteManifest({ formatVersion: 2 }),
    code: 'UnsupportedFormat',
    message: /manifest\.json has the format version 2/
  },
  {
    what: 'the manifest has sizes that are none',
    spoil: (kept) => kept.rewriteManifest({ formatVersion: 1, chunkSizeBytes: 0 }),
    code: 'LogCorrupt',
    message: /cannot be used: its sizes are no numbers/
  },
  {
    what: 'the manifest has another writer checkpoint than its log had',
    spoil: (kept) => {
      const { checkpoints } = kept.manifest;
      kept.rewriteManifest({
        checkpoints: { ...checkpoints, writer: `${checkpoints.writer!.slice(0, 14)}a0` }
      });
    },
    code: 'LogCorrupt',
    message: /its writer\.chk does not end the log where it says that the log ended/
  },
  {
    what: 'the manifest does not fit its hash',
    spoil: (kept) => kept.change(`${kept.folder}/manifest.json`, 100),
    code: 'LogCorrupt',
    message: /manifest\.json cannot be used/
  }
];

it.each(REFUSALS)('an undo is refused where $what', async ({ spoil, ask, code, message }) => {
  const kept = new Kept(world);
  spoil(kept);
  const before = treeOf(kept.memory, '/');
  const place = {
    fileSystem: withRealState(kept.memory, kept.data),
    dataDirectory: kept.data,
    indexDirectory: `${kept.data}/index`,
    ...ask?.(kept)
  };
  const going = undoScavenge(place, { control: uncontrolled(), assumeStopped: false });
  await expect(going).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
    remedy: expect.stringMatching(/\.$/) as string
  });
  expect(withoutLock(treeOf(kept.memory, '/'))).toEqual(withoutLock(before));
});

it('a plan of the undo says what comes and what goes, and writes nothing', async () => {
  const { memory, data, manifest } = new Kept(world);
  const before = treeOf(memory, '/');
  const fileSystem = withRealState(memory, data);
  const place = { fileSystem, dataDirectory: data, indexDirectory: `${data}/index` };
  const plan = await planUndo({ ...place, control: uncontrolled() });
  expect(plan).toMatchObject({ kind: 'exact', end: manifest.writer, notPutBack: [], indexFrom: null });
  const chunks = manifest.files.filter(({ kind }) => kind === 'chunk').map(({ name }) => name);
  const put = plan.puts.map(({ file }) => file.name);
  const removed = plan.removes.filter(({ area }) => area === 'data').map(({ name }) => name);
  expect(removed.length).toBeGreaterThan(0);
  for (const name of removed) expect(chunks).not.toContain(name);
  // Old chunks that are no longer there come back; the others need not.
  const gone = chunks.filter((name) => memory.describe(`${data}/${name}`) === undefined);
  expect(gone.length).toBeGreaterThan(0);
  expect(put).toEqual(expect.arrayContaining(gone));
  expect(plan.bytesRemoved).toBe(plan.removes.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(treeOf(memory, '/')).toEqual(before);
});

/** The file that two of them would exclude each other on may be made. */
function withoutLock(tree: Record<string, string>): [string, string][] {
  return Object.entries(tree).filter(([name]) => !name.endsWith('/winnow-replaced/lock'));
}
