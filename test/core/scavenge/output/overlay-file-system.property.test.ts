/** A plan's file system shows what the same calls would have made of a copy, and leaves the files below as they are. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { EngineError } from '../../../../src-core/errors.ts';
import { OverlayFileSystem } from '../../../../src-core/scavenge/output/overlay-file-system.ts';
import type { FileSystem } from '../../../../src-core/storage/file-system.ts';
import { copyOf } from '../../../support/cut-enumeration.ts';
import { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { Prng } from '../../../support/prng.ts';
import { treeOf } from '../../../support/restore-fixture.ts';
import { seedCount } from '../../../support/seeds.ts';

const SEEDS = seedCount(60);
const STEPS = 80;
const NAMES = ['a', 'b', 'c', 'd', 'e'];
/** Pages of the overlay have 64 KiB. */
const SIZES = [0, 1, 100, 65_535, 65_536, 65_537, 140_000];

function bytesOf(random: Prng, length: number): Uint8Array {
  const first = random.below(200);
  return Uint8Array.from({ length }, (_, i) => (first + i) % 251);
}

/** What a call gives, or the code with which it is refused. */
function resultOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof EngineError) return error.details.osCode ?? error.code;
    throw error;
  }
}

function contentOf(fileSystem: FileSystem): unknown {
  const names = (fileSystem.list('/db') ?? []).map(({ name }) => name).sort();
  return names.map((name) => {
    const path = `/db/${name}`;
    // Whose a new file is, a plan does not ask.
    const { size, mode } = fileSystem.describe(path)!;
    const file = fileSystem.open(path, 'read');
    const bytes = new Uint8Array(size + 1);
    const count = file.read(bytes, 0, bytes.length, 0);
    const within = new Uint8Array(3);
    const near = file.read(within, 0, 3, Math.max(0, size - 2));
    file.close();
    const text = createHash('sha256').update(bytes.subarray(0, count)).digest('hex');
    return { name, size, mode, count, near, within: [...within], text };
  });
}

/** One random call, with the same arguments for both. */
function randomStep(random: Prng): (fileSystem: FileSystem) => unknown {
  const path = `/db/${random.pick(NAMES)}`;
  const other = `/db/${random.pick(NAMES)}`;
  const at = random.pick(SIZES);
  const bytes = bytesOf(random, random.pick([1, 10, 70_000]));
  const owner = random.below(9);
  switch (random.below(7)) {
    case 0:
      return (fileSystem) =>
        resultOf(() => {
          const file = fileSystem.open(path, 'createNew');
          file.write(bytes, 0, bytes.length, 0);
          file.close();
        });
    case 1:
      return (fileSystem) => resultOf(() => fileSystem.rename(path, other));
    case 2:
      return (fileSystem) => resultOf(() => fileSystem.remove(path));
    case 3:
      return (fileSystem) => resultOf(() => fileSystem.changeMode(path, 0o600 + owner));
    case 4:
      return (fileSystem) =>
        resultOf(() => {
          fileSystem.changeOwner(path, owner, owner + 1);
          const { uid, gid } = fileSystem.describe(path)!;
          return [uid, gid];
        });
    default:
      return (fileSystem) =>
        resultOf(() => {
          const file = fileSystem.open(path, 'readWrite');
          if (bytes.length === 10) file.truncate(at);
          else file.write(bytes, 0, bytes.length, at);
          file.sync();
          const size = file.size();
          file.close();
          return size;
        });
  }
}

it('shows what calls have changed, and changes nothing', () => {
  let refused = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Prng(seed);
    const below = new MemoryFileSystem();
    below.makeDirectory('/db');
    for (const name of NAMES.slice(0, 3)) {
      const file = below.open(`/db/${name}`, 'createNew');
      const bytes = bytesOf(random, random.pick(SIZES));
      file.write(bytes, 0, bytes.length, 0);
      file.close();
    }
    const copy = copyOf(below);
    const before = treeOf(below, '/');
    const overlay = new OverlayFileSystem(below);
    for (let step = 0; step < STEPS; step++) {
      const call = randomStep(random);
      const wanted = call(copy);
      expect(call(overlay), `seed ${seed}, step ${step}`).toEqual(wanted);
      if (typeof wanted === 'string') refused++;
      if (step % 8 === 7) expect(contentOf(overlay), `seed ${seed}, step ${step}`).toEqual(contentOf(copy));
    }
    expect(treeOf(below, '/')).toEqual(before);
  }
  expect(refused).toBeGreaterThan(SEEDS);
});
