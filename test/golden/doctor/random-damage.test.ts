/**
 * Whatever is broken, the doctor answers and does not fail; and where verification finds nothing, a server starts. The
 * seed is in the title of the test.
 */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { examineStart } from '../../../src-core/insight/doctor/examine-start.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { Prng } from '../../support/prng.ts';

const BASES = [
  { name: 'killed-clean-tables', folder: 'after-recovery' },
  { name: 'rules', folder: 'after-t0' },
  { name: 'current-a', folder: 'after' }
];
const fileSystem = new NodeFileSystem();
const control = uncontrolled();
afterEach(removeUnpacked);

it.each([1, 2, 3, 4, 5])('answers over random damage, seed %i', { timeout: 120_000 }, async (seed) => {
  const random = new Prng(seed);
  for (const base of BASES) {
    const dataDirectory = unpackDatabase(base);
    const done = [breakSomething(dataDirectory, random), breakSomething(dataDirectory, random)];
    const { prediction, ok } = await examineStart({
      place: { fileSystem, dataDirectory },
      isThorough: true,
      control
    });
    const database = openDatabase({ fileSystem, dataDirectory });
    const verified = await verifyDatabase({ database, quick: false, control }).finally(() =>
      database.close()
    );
    const what = `${base.name}: ${done.join(', ')}`;
    if (verified.ok) expect(prediction.starts, what).toBe(true);
    if (!prediction.starts) expect(ok, what).toBe(false);
  }
});

/** Removes, cuts, sets or changes one file, checkpoints as often as all others. */
function breakSomething(directory: string, random: Prng): string {
  const files = fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('scavenging'))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort();
  const checkpoints = files.filter((file) => path.dirname(file) === directory && file.endsWith('.chk'));
  const among = random.below(2) === 0 && checkpoints.length > 0 ? checkpoints : files;
  const file = among[random.below(among.length)]!;
  const name = path.relative(directory, file);
  fs.chmodSync(file, 0o644);
  const bytes = fs.readFileSync(file);
  const kind = random.below(5);
  if (kind === 0) {
    fs.rmSync(file);
    return `${name} removed`;
  }
  if (kind === 1) {
    const length = random.below(bytes.length + 1);
    fs.truncateSync(file, length);
    return `${name} cut to ${length}`;
  }
  if (kind === 2 && bytes.length === 8) {
    const value = random.below(1_200_000) - 2;
    bytes.writeBigInt64LE(BigInt(value));
    fs.writeFileSync(file, bytes);
    return `${name} set to ${value}`;
  }
  if (bytes.length === 0) return `${name} left`;
  const offset = random.below(random.below(3) === 0 ? Math.min(128, bytes.length) : bytes.length);
  bytes[offset] = random.below(256);
  fs.writeFileSync(file, bytes);
  return `${name} changed at ${offset}`;
}
