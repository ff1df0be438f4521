/** What lies in the folder of kept files: in which order, what of it goes, and what other processes and other owners do to it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { expireKept, forgetKept, forgettable } from '../../../src-core/replaced/forget-kept.ts';
import {
  indexWithin,
  listKept,
  lockKept,
  makeKeptDirectory,
  readableKept,
  requireKept,
  sweepKept
} from '../../../src-core/replaced/kept-folders.ts';
import { copyKept } from '../../../src-core/replaced/copy-kept.ts';
import {
  encodeChecked,
  kindOfName,
  readKeptManifest,
  writeKeptManifest,
  type KeptManifest
} from '../../../src-core/replaced/kept-manifest.ts';
import { keptUse } from '../../../src-core/replaced/kept-space.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import { readWholeFile, type FileFacts } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { UNDO_MARKER } from '../../../src-core/storage/undo-marker.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { writeCrashDatabase } from '../../support/crash-database.ts';
import { storageError, type MemoryFileSystem } from '../../support/memory-file-system.ts';

const DATA = '/db';
const INDEX = `${DATA}/index`;
const KEPT = `${DATA}/winnow-replaced`;
const IDS = ['20251231T235959Z', '20260101T000000Z', '20260101T000000Z-2', '20260101T000000Z-10'];
const LATER = ticksFromIso('2027-01-01T00:00:00Z')!;

let memory: MemoryFileSystem;
beforeEach(async () => {
  memory = await writeCrashDatabase({ dataDirectory: DATA, rounds: 1 });
});

const place = () => ({ fileSystem: memory, dataDirectory: DATA, indexDirectory: INDEX });

function put(path: string, bytes: Uint8Array | string): void {
  memory.remove(path);
  const file = memory.open(path, 'createNew');
  const content = Buffer.from(bytes);
  file.write(content, 0, content.length, 0);
  file.close();
}

/** A generation that keeps one leftover of as many bytes. */
function keep(id: string, bytes: number, change: Partial<KeptManifest> = {}): KeptManifest {
  memory.makeDirectory(`${KEPT}/${id}/data`);
  put(`${KEPT}/${id}/data/a.scavenge.tmp`, Buffer.alloc(bytes));
  const manifest: KeptManifest = {
    id,
    keptAt: '2026-01-01T00:00:00Z',
    expiresAt: '2026-01-08T00:00:00Z',
    keepMs: 1000,
    writer: 4096,
    chunkSizeBytes: 4096,
    checkpoints: { writer: null, chaser: null, epoch: null, truncate: null, proposal: null },
    mayAppend: false,
    indexWithin: 'index',
    hadIndex: true,
    hadState: false,
    asideStates: [],
    files: [
      {
        area: 'data',
        name: 'a.scavenge.tmp',
        kind: 'leftover',
        bytes,
        mode: 0o644,
        hash: null,
        start: null,
        end: null
      }
    ],
    existence: [],
    point: null,
    completed: [],
    finishedAt: null,
    ...change
  };
  writeKeptManifest(memory, `${KEPT}/${id}`, manifest);
  return manifest;
}

describe('what is kept', () => {
  test('is listed oldest first, by time and then by number, whatever the order on the disk', () => {
    for (const id of [IDS[3]!, IDS[1]!, IDS[0]!, IDS[2]!]) keep(id, 10);
    memory.makeDirectory(`${KEPT}/letters`);
    memory.makeDirectory(`${KEPT}/20260102T000000Z`);
    expect(listKept(place()).map(({ id }) => id)).toEqual(IDS);
    expect(requireKept(place(), undefined).id).toBe(IDS[3]);
    expect(requireKept(place(), IDS[1]).id).toBe(IDS[1]);
  });

  test('of which a manifest cannot be read is listed, counted and removable, and not put back', () => {
    keep(IDS[0]!, 10);
    keep(IDS[1]!, 100);
    put(`${KEPT}/${IDS[1]!}/manifest.json`, 'letters');
    expect(readableKept(place()).map(({ id }) => id)).toEqual([IDS[0]]);
    const { bytes, kept } = keptUse(place());
    expect(bytes).toBe(110);
    expect(kept.map((one) => [one.id, one.bytes, one.replacedFiles, one.problem])).toEqual([
      [IDS[0], 10, 1, null],
      [IDS[1], 100, 1, expect.stringContaining('it is not a JSON document')]
    ]);
    expect(() => requireKept(place(), undefined)).toThrow(/it is not a JSON document/);
    expect(expireKept({ ...place(), assumeStopped: false, now: LATER })!.forgotten).toEqual([IDS[0]]);
    expect(forgetKept({ ...place(), assumeStopped: false })).toEqual({
      forgotten: [IDS[1]],
      freedBytes: 100
    });
    expect(memory.describe(KEPT)).toBeUndefined();
  });

  test.each([
    [2, 1],
    [1, null],
    [null, 1],
    [-1, 1],
    [1.5, 2]
  ])('is not read where a chunk of it begins at number %j and ends at %j', (start, end) => {
    const facts = { area: 'data', bytes: 10, mode: 0o644, hash: null } as const;
    const chunk = { ...facts, name: 'chunk-000001.000000' };
    for (const kind of ['chunk', 'open'] as const) {
      keep(IDS[0]!, 10, { files: [{ ...chunk, kind, start: 1, end: 1 }] });
      expect(readableKept(place())).toHaveLength(1);
      keep(IDS[0]!, 10, { files: [{ ...chunk, kind, start, end }] });
      expect(readableKept(place())).toEqual([]);
    }
    keep(IDS[0]!, 10, { files: [{ ...chunk, kind: 'leftover', start, end }] });
    expect(readableKept(place())).toHaveLength(1);
  });

  test('of a chunk that was completed takes its bytes once the run has replaced it, and none before', () => {
    const name = 'chunk-000001.000000';
    const { size } = memory.describe(`${DATA}/${name}`)!;
    memory.makeDirectory(`${KEPT}/${IDS[0]!}/completed`);
    memory.link(`${DATA}/${name}`, `${KEPT}/${IDS[0]!}/completed/${name}`);
    const facts = { area: 'data', name, kind: 'chunk', bytes: size, mode: 0o644, hash: null } as const;
    keep(IDS[0]!, 10, { completed: [{ ...facts, start: 1, end: 1 }] });
    const use = () => keptUse(place()).kept.map(({ bytes, replacedFiles }) => [bytes, replacedFiles]);
    expect(use()).toEqual([[10, 1]]);
    memory.remove(`${DATA}/${name}`);
    expect(use()).toEqual([[10 + size, 2]]);
    put(`${KEPT}/${IDS[0]!}/manifest.json`, 'letters');
    expect(use()).toEqual([[10 + size, 2]]);
  });

  test.each([undefined, IDS[1]])('is removed, all of it or one: %s', (id) => {
    IDS.slice(0, 3).forEach((one, i) => keep(one, 10 ** i));
    const expected = id === undefined ? [IDS.slice(0, 3), 111] : [[id], 10];
    const foreseen = forgettable({ ...place(), id });
    expect([foreseen.forgotten, foreseen.freedBytes]).toEqual(expected);
    expect(forgetKept({ ...place(), id, assumeStopped: false })).toEqual(foreseen);
    expect(listKept(place()).map((one) => one.id)).toEqual(
      id === undefined ? [] : IDS.slice(0, 3).filter((one) => one !== id)
    );
  });

  test.each([
    [{ number: 0, position: 8, placement: 'new' }, 0],
    [{ number: 7, position: 8, placement: 'new' }, 7],
    [null, null]
  ])('tells of the scavenge point %j: %s', (point, expected) => {
    keep(IDS[0]!, 10, { point });
    expect(keptUse(place()).kept.map(({ scavengePoint }) => scavengePoint)).toEqual([expected]);
  });

  test('stays where an undo is unfinished, however old it is', () => {
    keep(IDS[0]!, 10);
    put(`${DATA}/${UNDO_MARKER}`, '{}');
    expect(expireKept({ ...place(), assumeStopped: false, now: LATER })).toBeNull();
    expect(() => forgetKept({ ...place(), assumeStopped: false })).toThrow(/Undoing a scavenge/);
    expect(listKept(place())).toHaveLength(1);
  });

  test('stays where the log is not whole without it', () => {
    keep(IDS[0]!, 10);
    memory.remove(`${DATA}/chunk-000001.000000`);
    expect(expireKept({ ...place(), assumeStopped: false, now: LATER })).toBeNull();
    expect(() => forgetKept({ ...place(), assumeStopped: false })).toThrow(/Chunk 1 is missing/);
    expect(listKept(place())).toHaveLength(1);
  });

  test('is swept but for what has a manifest, and what is just being made', () => {
    keep(IDS[0]!, 10);
    for (const id of [IDS[1]!, IDS[2]!]) memory.makeDirectory(`${KEPT}/${id}`);
    sweepKept(place(), IDS[2]);
    expect(namesIn(memory, KEPT).sort()).toEqual([IDS[0], IDS[2]]);
    sweepKept(place());
    expect(namesIn(memory, KEPT)).toEqual([IDS[0]]);
  });
});

describe('a name in the directories of a database', () => {
  const GUID = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';

  test.each([
    ['data', 'chunk-000001.000002', 'chunk'],
    ['data', 'a.scavenge.tmp', 'leftover'],
    ['data', 'writer.chk', undefined],
    ['data', GUID, undefined],
    ['index', 'indexmap', 'map'],
    ['index', GUID, 'table'],
    ['index', `${GUID}.bloomfilter`, 'filter'],
    ['index', `${GUID}.run.tmp`, 'leftover'],
    ['index', 'indexmap.17.tmp', 'leftover'],
    ['index', 'scavenging/scavenging.db', 'state'],
    ['index', 'chunk-000001.000002', undefined],
    ['index', 'notes.txt', undefined],
    ['index', 'scavenging/.', undefined],
    ['index', 'scavenging/..', undefined],
    ['index', 'scavenging/../../x', undefined],
    ['index', '../scavenging/x', undefined]
  ] as const)('is to a scavenge what the server makes under it: %s/%s', (area, name, kind) => {
    expect(kindOfName(area, name)).toBe(kind);
  });
});

describe('the folder of kept files', () => {
  test('has owner and rights of the directory that it is made in', () => {
    memory.changeOwner(DATA, 7, 8);
    memory.changeMode(DATA, 0o750);
    expect(memory.describe(makeKeptDirectory(place(), DATA))).toMatchObject({ uid: 7, gid: 8, mode: 0o750 });
  });

  test.each(['700', '750', '755', '777'])('has the rights %s of that directory, no more', (rights) => {
    const mode = Number.parseInt(rights, 8);
    for (const made of [0o700, 0o777]) {
      class Masked extends PassThroughFileSystem {
        override makeDirectory(path: string): void {
          super.makeDirectory(path);
          super.changeMode(path, made);
        }
      }
      memory.changeMode(DATA, mode);
      const directory = makeKeptDirectory({ fileSystem: new Masked(memory) }, DATA);
      expect(memory.describe(directory)!.mode).toBe(mode);
      memory.removeDirectory(directory);
    }
  });

  test('is made where nothing can be changed of owner and rights, and nothing has to be', () => {
    class Fixed extends PassThroughFileSystem {
      override changeOwner(path: string): void {
        throw storageError('EPERM', path);
      }
      override changeMode(path: string): void {
        throw storageError('EPERM', path);
      }
    }
    expect(() => makeKeptDirectory({ fileSystem: new Fixed(memory) }, DATA)).not.toThrow();
  });

  test('is refused by name while another process works there', () => {
    const release = lockKept(place(), false);
    expect(() => lockKept(place(), false)).toThrow(
      expect.objectContaining({
        code: 'DatabaseInUse',
        message: `Another process is working on the replaced files in ${KEPT}.`
      })
    );
    release();
    lockKept(place(), false)();
  });

  test('is refused for another reason where the volume has no locks', () => {
    class WithoutLocks extends PassThroughFileSystem {
      override tryLock(path: string): never {
        const { message, remedy, details } = storageError('ENOLCK', path);
        throw Object.assign(storageError('ENOLCK', path), {
          message,
          remedy,
          details: { ...details, reason: 'locksUnseen' }
        });
      }
    }
    const fileSystem = new WithoutLocks(memory);
    expect(() => lockKept({ ...place(), fileSystem }, false)).toThrow(
      expect.objectContaining({
        code: 'StorageFailed',
        message: expect.stringContaining('ENOLCK') as string,
        details: expect.objectContaining({ reason: 'locksUnseen' }) as unknown
      })
    );
  });

  test.each([
    ['inside, on the same volume', INDEX, 1, 'index'],
    ['inside, on another volume', INDEX, 2, null],
    ['inside, and not there yet', `${DATA}/later`, 1, 'later'],
    ['deeper inside', `${DATA}/a/b`, 1, null],
    ['beside it', '/fast/index', 1, null],
    ['the same directory', DATA, 1, null],
    ['beside it, with a name that begins alike', `${DATA}-index`, 1, null]
  ])('of an index %s', (_what, indexDirectory, device, expected) => {
    class Volumes extends PassThroughFileSystem {
      override describe(path: string): FileFacts | undefined {
        const facts = super.describe(path);
        return facts && path === indexDirectory && path !== DATA ? { ...facts, device } : facts;
      }
    }
    expect(indexWithin({ fileSystem: new Volumes(memory), dataDirectory: DATA, indexDirectory })).toBe(
      expected
    );
  });
});

describe('a manifest', () => {
  test.each<{ what: string; change: object; message: RegExp }>([
    {
      what: 'states without names',
      change: { asideStates: [7] },
      message: /names states that have no names/
    },
    {
      what: 'states elsewhere',
      change: { asideStates: ['../x'] },
      message: /names states that have no names/
    },
    {
      what: 'a file that no scavenge replaces',
      change: { files: [{ area: 'data', name: 'letter', bytes: 1, mode: 1, hash: null }] },
      message: /names files that no scavenge replaces/
    },
    { what: 'no file', change: { files: [null] }, message: /names files that no scavenge replaces/ },
    { what: 'no size', change: { writer: -1 }, message: /its sizes are no numbers/ },
    {
      what: 'an existence filter that is none',
      change: { existence: {} },
      message: /does not tell of the existence filter/
    },
    ...[null, { hash: null }, { name: 7, hash: null }, { name: 'a' }, { name: 'a', hash: 'letters' }].map(
      (one) => ({
        what: `${JSON.stringify(one)} as a file of the existence filter`,
        change: { existence: [{ name: 'streamExistenceFilter.dat', hash: 'ab' }, one] },
        message: /does not tell of the existence filter/
      })
    )
  ])('with $what is refused', ({ change, message }) => {
    const manifest = keep(IDS[0]!, 10);
    put(`${KEPT}/${IDS[0]!}/manifest.json`, encodeChecked({ formatVersion: 1, ...manifest, ...change }));
    expect(() => readKeptManifest(memory, `${KEPT}/${IDS[0]!}`)).toThrow(message);
  });

  test.each(['null', '7', '{}', '{"content":null}'])('that is %s has no content', (text) => {
    keep(IDS[0]!, 10);
    put(`${KEPT}/${IDS[0]!}/manifest.json`, text);
    expect(() => readKeptManifest(memory, `${KEPT}/${IDS[0]!}`)).toThrow(/it has no content/);
  });
});

test.each([0, 10, 1024 * 1024, 3 * 1024 * 1024 + 5])(
  'a copy of %d zeros is as long as they are',
  async (size) => {
    put('/db/zeros', Buffer.alloc(size));
    memory.changeOwner('/db/zeros', 7, 8);
    memory.changeMode('/db/zeros', 0o640);
    const hash = await copyKept({
      fileSystem: memory,
      from: '/db/zeros',
      to: '/db/copy',
      breathe: () => Promise.resolve()
    });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(memory.describe('/db/copy')).toMatchObject({ size, uid: 7, gid: 8, mode: 0o640 });
    expect(Buffer.from(readWholeFile(memory, '/db/copy')!).equals(Buffer.alloc(size))).toBe(true);
  }
);
