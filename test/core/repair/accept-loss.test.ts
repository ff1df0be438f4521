/**
 * With `acceptLoss` a repair ends as its plan said. Where the plan leaves nothing unrepaired, no damage is found
 * afterwards and a server starts; where something stays, the plan said so before the first write. A log whose damage
 * lies in the chunk being written, or in the checkpoints, is always brought to a start.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { examineStart } from '../../../src-core/insight/doctor/examine-start.ts';
import { openDirectoryDonor } from '../../../src-core/repair/directory-donor.ts';
import type { RepairOutcome } from '../../../src-core/repair/run-repair.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';
import { differenceOf, streamContentOf } from '../../support/stream-content.ts';
import {
  bytesOf,
  checkpointOf,
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  flip,
  int64,
  namesIn,
  overwrite,
  repair,
  sampleInMemory
} from './repair-sample.ts';
import { seedCount } from '../../support/seeds.ts';

/** The chunk being written. */
const ACTIVE = 'chunk-000003.000000';
const SEEDS = seedCount(60);
const FILES = [
  'chunk-000000.000000',
  'chunk-000002.000000',
  ...Array.from({ length: 4 }, () => ACTIVE),
  'writer.chk',
  'chaser.chk',
  'epoch.chk',
  'truncate.chk',
  'index/indexmap'
];
const HEADER_BYTES = 128;

let whole: MemoryFileSystem;
let writer: number;
beforeAll(async () => {
  whole = await sampleInMemory();
  writer = checkpointOf(whole, 'writer');
});

async function repairAsPlanned(damaged: MemoryFileSystem, label: string): Promise<RepairOutcome> {
  const plan = await repair(copyOf(damaged), { acceptLoss: true, dryRun: true });
  const outcome = await repair(damaged, { acceptLoss: true });
  const stays = outcome.unrepaired.map(({ code, file, why }) => `${code} ${file}: ${why}`);
  expect(outcome.ok, `${label}: ${stays.join('; ')}`).toBe(plan.unrepaired.length === 0);
  expect(stays.length === 0, label).toBe(outcome.ok);
  const again = await repair(damaged, { acceptLoss: true });
  expect({ actions: again.actions, ok: again.ok }, label).toEqual({ actions: [], ok: outcome.ok });
  if (outcome.ok) {
    const place = { fileSystem: damaged, dataDirectory: DATABASE };
    const { prediction } = await examineStart({ place, isThorough: true, control: uncontrolled() });
    expect(prediction, label).toMatchObject({ starts: true });
  }
  return outcome;
}

describe('a chunk being written whose header cannot be read', () => {
  it.each([0, 1, 2, 3, 6, 10])(
    'gets a new one where its records read, without a loss: byte %i changed',
    async (offset) => {
      const damaged = copyOf(whole);
      flip(damaged, ACTIVE, offset);
      const { ok, actions, unrepaired } = await repair(damaged);
      expect({ ok, unrepaired }).toEqual({ ok: true, unrepaired: [] });
      expect(actions[0]).toMatchObject({ code: 'chunkHeaderInvalid', file: ACTIVE, done: true });
      expect(bytesOf(damaged, ACTIVE)).toEqual(bytesOf(whole, ACTIVE));
      expect(checkpointOf(damaged, 'writer')).toBe(writer);
    }
  );

  it('gets a new one where it is taken for a scavenged chunk, which has a footer', async () => {
    const damaged = copyOf(whole);
    flip(damaged, ACTIVE, 16);
    const { ok, unrepaired } = await repair(damaged);
    expect({ ok, unrepaired }).toEqual({ ok: true, unrepaired: [] });
    expect(bytesOf(damaged, ACTIVE)).toEqual(bytesOf(whole, ACTIVE));
    expect(checkpointOf(damaged, 'writer')).toBe(writer);
  });

  it('gets a new one where all of it is overwritten', async () => {
    const damaged = copyOf(whole);
    overwrite(damaged, ACTIVE, bytesOf(damaged, ACTIVE).fill(7, 0, HEADER_BYTES));
    expect((await repair(damaged)).ok).toBe(true);
    const content = await streamContentOf(whole, DATABASE);
    expect(differenceOf(content, await streamContentOf(damaged, DATABASE))).toEqual({
      missing: 0,
      surplus: 0
    });
  });

  it('gets a new one and keeps the records before the damage behind it', async () => {
    const damaged = copyOf(whole);
    const bytes = bytesOf(damaged, ACTIVE).fill(7, 0, HEADER_BYTES);
    overwrite(damaged, ACTIVE, bytes.fill(0, 20_000, 20_100));
    expect((await repair(copyOf(damaged))).ok).toBe(false);
    expect((await repairAsPlanned(damaged, 'header and records')).ok).toBe(true);
    expect(checkpointOf(damaged, 'writer')).toBeGreaterThan(3 * CHUNK_SIZE);
  });

  it.each([0, 1, 100, 127])(
    'is moved aside where nothing reads, and the checkpoints end before it: %i bytes of it are left',
    async (count) => {
      const damaged = copyOf(whole);
      overwrite(damaged, ACTIVE, bytesOf(damaged, ACTIVE).subarray(0, count));
      const alone = await repair(copyOf(damaged));
      expect({ ok: alone.ok, actions: alone.actions }).toEqual({ ok: false, actions: [] });
      expect((await repairAsPlanned(damaged, `${count} bytes`)).ok).toBe(true);
      expect(namesIn(damaged, DATABASE)).not.toContain(ACTIVE);
      expect(checkpointOf(damaged, 'writer')).toBe(3 * CHUNK_SIZE);
      expect(checkpointOf(damaged, 'chaser')).toBe(3 * CHUNK_SIZE);
    }
  );

  it('and checkpoints that are missing or lie too far come right together', async () => {
    for (const change of [
      (fileSystem: MemoryFileSystem) => fileSystem.remove(`${DATABASE}/writer.chk`),
      (fileSystem: MemoryFileSystem) => overwrite(fileSystem, 'writer.chk', int64(writer + 100)),
      (fileSystem: MemoryFileSystem) => overwrite(fileSystem, 'writer.chk', int64(0))
    ]) {
      const damaged = copyOf(whole);
      flip(damaged, ACTIVE, 0);
      change(damaged);
      expect((await repairAsPlanned(damaged, change.toString())).ok).toBe(true);
      expect(checkpointOf(damaged, 'writer')).toBe(writer);
    }
  });
});

it('a hole in the log is named by the plan although the end of the log moves', async () => {
  const damaged = copyOf(whole);
  damaged.remove(`${DATABASE}/chunk-000002.000000`);
  flip(damaged, ACTIVE, 374);
  const { ok, unrepaired } = await repair(damaged, { acceptLoss: true, dryRun: true });
  expect(ok).toBe(false);
  expect(unrepaired).toMatchObject([{ code: 'chunkMissing', file: 'chunk-000002.000000' }]);
});

describe('two faults at once', () => {
  it('the last chunk comes from a backup although writer.chk leads far beyond it', async () => {
    const damaged = copyOf(whole);
    flip(damaged, 'writer.chk', 4);
    damaged.remove(`${DATABASE}/${ACTIVE}`);
    const donor = openDirectoryDonor(copyOf(whole), DATABASE);
    const { ok } = await repair(damaged, { donor, acceptLoss: true });
    expect(ok).toBe(true);
    expect(checkpointOf(damaged, 'writer')).toBe(writer);
    const content = await streamContentOf(whole, DATABASE);
    const difference = differenceOf(content, await streamContentOf(damaged, DATABASE));
    expect(difference).toEqual({ missing: 0, surplus: 0 });
  });

  it('a chunk that is cut and a chaser.chk that leads nowhere are no reason to cut the log unasked', async () => {
    const damaged = copyOf(whole);
    flip(damaged, 'chaser.chk', 6);
    overwrite(damaged, ACTIVE, bytesOf(damaged, ACTIVE).subarray(0, 24_981));
    const { ok, actions } = await repair(copyOf(damaged));
    expect({ ok, actions }).toEqual({ ok: false, actions: [] });
    expect((await repairAsPlanned(damaged, 'chaser and cut')).ok).toBe(true);
  });

  it('the header of the last chunk follows from the others although all of them lie behind writer.chk', async () => {
    const damaged = copyOf(whole);
    flip(damaged, 'writer.chk', 7);
    overwrite(damaged, ACTIVE, bytesOf(damaged, ACTIVE).fill(0xfb, 0, HEADER_BYTES));
    expect((await repairAsPlanned(damaged, 'writer and header')).ok).toBe(true);
    expect(checkpointOf(damaged, 'writer')).toBe(writer);
  });

  it('a chunk before the end that stays damaged is no reason to settle the end again and again', async () => {
    const damaged = copyOf(whole);
    const file = 'chunk-000002.000000';
    damaged.remove(`${DATABASE}/${ACTIVE}`);
    overwrite(damaged, file, bytesOf(damaged, file).fill(7, 0, HEADER_BYTES));
    expect((await repairAsPlanned(damaged, 'two chunks')).ok).toBe(false);
  });

  it('a writer.chk that leads into the chunk before the missing one is no reason to cut the log unasked', async () => {
    const damaged = copyOf(whole);
    overwrite(damaged, 'writer.chk', int64(3 * CHUNK_SIZE - 900));
    damaged.remove(`${DATABASE}/${ACTIVE}`);
    const { ok, actions, unrepaired } = await repair(copyOf(damaged));
    expect({ ok, actions }).toEqual({ ok: false, actions: [] });
    expect(unrepaired[0]).toMatchObject({ lost: { to: checkpointOf(whole, 'chaser') } });
    const donor = openDirectoryDonor(copyOf(whole), DATABASE);
    expect((await repair(copyOf(damaged), { donor })).ok).toBe(true);
    expect((await repairAsPlanned(damaged, 'writer and missing chunk')).ok).toBe(true);
  });

  it('a truncation is looked at again when the log has its end: writer.chk made it too much', async () => {
    const damaged = copyOf(whole);
    flip(damaged, 'writer.chk', 5);
    overwrite(damaged, 'truncate.chk', int64(65_535));
    expect((await repairAsPlanned(damaged, 'writer and truncation')).ok).toBe(true);
    expect(checkpointOf(damaged, 'truncate')).toBe(-1);
  });

  it('chunks that are missing are named although no chunk is reached by writer.chk', async () => {
    const damaged = copyOf(whole);
    damaged.remove(`${DATABASE}/chunk-000000.000000`);
    flip(damaged, 'writer.chk', 7);
    expect((await repairAsPlanned(damaged, 'writer and first chunk')).ok).toBe(false);
  });

  it('a table that is damaged too does not speak against a chunk of the backup', async () => {
    const damaged = copyOf(whole);
    const tables = namesIn(damaged, `${DATABASE}/index`).filter((name) => /^[0-9a-f-]{36}$/.test(name));
    const sizeOf = (table: string) => bytesOf(damaged, `index/${table}`).length;
    const file = `index/${tables.sort((a, b) => sizeOf(a) - sizeOf(b))[0]!}`;
    overwrite(damaged, file, bytesOf(damaged, file).fill(0, 2238, 2526));
    const first = 'chunk-000000.000000';
    overwrite(damaged, first, bytesOf(damaged, first).subarray(0, 16_152));
    const donor = openDirectoryDonor(copyOf(whole), DATABASE);
    expect((await repair(damaged, { donor, acceptLoss: true })).ok).toBe(true);
    const content = await streamContentOf(whole, DATABASE);
    const difference = differenceOf(content, await streamContentOf(damaged, DATABASE));
    expect(difference).toEqual({ missing: 0, surplus: 0 });
  });

  it.each([
    [363, 186, false],
    [314, 186, true],
    [14, 186, false],
    [20_000, 186, true]
  ])(
    'the end lies in or before a chunk cut at %i, behind which one was cut at %i',
    async (own, next, isHeaderGone) => {
      const damaged = copyOf(whole);
      const file = 'chunk-000002.000000';
      const bytes = bytesOf(damaged, file).subarray(0, own);
      overwrite(damaged, ACTIVE, bytesOf(damaged, ACTIVE).subarray(0, next));
      overwrite(damaged, file, isHeaderGone ? bytes.fill(7, 0, HEADER_BYTES) : bytes);
      expect((await repairAsPlanned(damaged, 'two cut chunks')).ok).toBe(true);
    }
  );

  it('a file that was cut between two records is not taken for whole because chaser.chk lies before the cut', async () => {
    const damaged = copyOf(whole);
    overwrite(damaged, ACTIVE, bytesOf(damaged, ACTIVE).subarray(0, 27_051));
    overwrite(damaged, 'chaser.chk', int64(121_961));
    const { ok, actions } = await repair(copyOf(damaged));
    expect({ ok, actions }).toEqual({ ok: false, actions: [] });
    expect((await repairAsPlanned(damaged, 'cut and chaser')).ok).toBe(true);
  });

  it('a writer.chk at the very end of a chunk that is not full comes right, without a loss', async () => {
    const damaged = copyOf(whole);
    overwrite(damaged, 'writer.chk', int64(4 * CHUNK_SIZE));
    const { ok, actions } = await repair(damaged);
    expect({ ok, files: actions.map(({ file }) => file) }).toEqual({ ok: true, files: ['writer.chk'] });
    expect(checkpointOf(damaged, 'writer')).toBe(writer);
  });

  it('an epoch.chk and a truncate.chk that are no positions of this log do not keep it from starting', async () => {
    const damaged = copyOf(whole);
    overwrite(damaged, 'epoch.chk', Buffer.alloc(8, 0x80));
    overwrite(damaged, 'truncate.chk', Buffer.alloc(8, 1));
    expect((await repairAsPlanned(damaged, 'epoch and truncation')).ok).toBe(true);
  });

  it.each([1, 5])('%i chunks behind the end of which nothing reads go with it', async (count) => {
    const damaged = copyOf(whole);
    for (let number = 3; number < 3 + count; number++)
      overwrite(damaged, `chunk-00000${number}.000000`, bytesOf(damaged, ACTIVE).subarray(0, 14));
    overwrite(damaged, 'chunk-000002.000000', bytesOf(damaged, 'chunk-000002.000000').subarray(0, 314));
    expect((await repairAsPlanned(damaged, `${count} files`)).ok).toBe(true);
    expect(namesIn(damaged, DATABASE).filter((name) => /chunk-00000[3-9]/.test(name))).toEqual([]);
  });

  it.each([
    ['chaser.chk', 128],
    ['writer.chk', 2],
    ['writer.chk', -1]
  ])('%s is %i bytes off: no reason to cut what a backup has', async (file, off) => {
    const damaged = copyOf(whole);
    overwrite(damaged, file, int64(writer + off));
    overwrite(damaged, ACTIVE, bytesOf(damaged, ACTIVE).fill(0, 8917, 9400));
    const donor = openDirectoryDonor(copyOf(whole), DATABASE);
    expect((await repair(damaged, { donor, acceptLoss: true })).ok).toBe(true);
    const content = await streamContentOf(whole, DATABASE);
    const difference = differenceOf(content, await streamContentOf(damaged, DATABASE));
    expect(difference).toEqual({ missing: 0, surplus: 0 });
  });

  it.each([1, 0x3a])('a truncation to nowhere goes with the end that is lost: bytes %i', async (byte) => {
    const damaged = copyOf(whole);
    overwrite(damaged, 'truncate.chk', Buffer.alloc(8, byte));
    damaged.remove(`${DATABASE}/${ACTIVE}`);
    expect((await repairAsPlanned(damaged, 'truncation and chunk')).ok).toBe(true);
    expect(checkpointOf(damaged, 'truncate')).toBe(-1);
  });

  it('a truncation into a chunk whose header claims a newer format does not keep verification from an answer', async () => {
    const damaged = copyOf(whole);
    const file = 'chunk-000002.000000';
    overwrite(damaged, file, bytesOf(damaged, file).fill(0xfc, 1, 4));
    overwrite(damaged, 'truncate.chk', int64(2 * CHUNK_SIZE + 1000));
    const { findings } = await repair(copyOf(damaged), { dryRun: true });
    expect(findings.map(({ code }) => code)).toContain('chunkHeaderInvalid');
    expect((await repairAsPlanned(damaged, 'header and truncation')).ok).toBe(true);
  });

  it.each([
    ['within a record', -1],
    ['behind itself', 1]
  ])('a commit that leads %s ends the log before it', async (_where, by) => {
    const damaged = copyOf(whole);
    const bytes = bytesOf(damaged, ACTIVE);
    const offset = offsetOfCommit(bytes);
    const own = 3 * CHUNK_SIZE + offset - HEADER_BYTES;
    overwrite(damaged, ACTIVE, bytes.fill(int64(own + by), offset + 14, offset + 22));
    const { ok, unrepaired } = await repair(copyOf(damaged));
    expect(ok).toBe(false);
    const message: unknown = expect.stringMatching(`^The commit at position ${own} names `);
    const { findings } = await repair(copyOf(damaged), { dryRun: true });
    expect(findings[0]).toMatchObject({
      code: 'recordInvalid',
      file: ACTIVE,
      offset,
      position: own,
      message
    });
    expect(unrepaired).toMatchObject([{ code: 'recordInvalid', lost: { from: own, to: writer } }]);
    const donor = openDirectoryDonor(copyOf(whole), DATABASE);
    const mended = copyOf(damaged);
    expect((await repair(mended, { donor })).ok).toBe(true);
    const content = await streamContentOf(whole, DATABASE);
    const difference = differenceOf(content, await streamContentOf(mended, DATABASE));
    expect(difference).toEqual({ missing: 0, surplus: 0 });
    expect((await repairAsPlanned(damaged, 'commit')).ok).toBe(true);
    expect(checkpointOf(damaged, 'writer')).toBe(own);
  });

  it('a cut chunk whose last bytes look like a footer ends where its records end', async () => {
    const damaged = copyOf(whole);
    flip(damaged, 'writer.chk', 5);
    overwrite(damaged, ACTIVE, bytesOf(damaged, ACTIVE).subarray(0, 10_616));
    expect((await repairAsPlanned(damaged, 'writer and cut')).ok).toBe(true);
  });
});

it('whatever is damaged, a repair with acceptLoss ends as its plan said', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const prng = new Prng(seed);
    const damaged = copyOf(whole);
    const what = [damage(damaged, prng)];
    if (prng.chance(0.5)) what.push(damage(damaged, prng));
    const { ok, unrepaired } = await repairAsPlanned(damaged, `seed ${seed}: ${what.join(', ')}`);
    // Nobody can tell which epoch it was, and a server starts with it.
    const isEpochRecord = unrepaired.some(({ code }) => code === 'epochCheckpointInvalid');
    if (what.every((step) => !/chunk-00000[02]/.test(step)) && !isEpochRecord)
      expect(ok, `seed ${seed}: ${what.join()}`).toBe(true);
  }
});

/** Offset of the last commit in a chunk that was never scavenged. */
function offsetOfCommit(bytes: Buffer): number {
  let found = -1;
  for (let at = HEADER_BYTES; bytes.readInt32LE(at) > 0; at += bytes.readInt32LE(at) + 8) {
    if (bytes[at + 4] === 1) found = at;
  }
  expect(found).toBeGreaterThan(0);
  return found;
}

/** Says what was done. */
function damage(fileSystem: MemoryFileSystem, prng: Prng): string {
  const file = FILES[prng.below(FILES.length)]!;
  const bytes = bytesOf(fileSystem, file);
  const reach = prng.chance(0.5) ? bytes.length : Math.min(400, bytes.length);
  const at = prng.below(Math.max(1, reach));
  switch (prng.below(6)) {
    case 0:
      if (fileSystem.describe(`${DATABASE}/${file}`)) fileSystem.remove(`${DATABASE}/${file}`);
      return `${file} removed`;
    case 1:
      if (bytes.length > 0) overwrite(fileSystem, file, bytes.subarray(0, at));
      return `${file} cut at ${at}`;
    case 2:
      if (bytes.length > 0)
        overwrite(fileSystem, file, bytes.fill(0, at, Math.min(bytes.length, at + 1 + prng.below(600))));
      return `${file} zeroed at ${at}`;
    case 3:
      if (bytes.length > 0)
        overwrite(fileSystem, file, bytes.fill(prng.below(256), 0, Math.min(HEADER_BYTES, bytes.length)));
      return `${file} begins with other bytes`;
    default:
      if (bytes.length > 0) flip(fileSystem, file, at);
      return `${file} changed at ${at}`;
  }
}
