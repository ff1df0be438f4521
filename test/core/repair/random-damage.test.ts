/**
 * Seeded damage of any file: bits flipped, ranges zeroed, files cut or gone, two at a time. A repair never fails in a
 * way that nobody foresaw; when it says that no damage is left, readers get what they got before; and with a whole
 * backup it always gets there. Only payloads in the chunk being written are beyond it: no hash covers them yet.
 */
import { expect, it } from 'vitest';
import { openDirectoryDonor } from '../../../src-core/repair/directory-donor.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';
import { differenceOf, streamContentOf } from '../../support/stream-content.ts';
import { bytesOf, copyOf, DATABASE, overwrite, repair, sampleInMemory } from './repair-sample.ts';
import { seedCount } from '../../support/seeds.ts';

const SEEDS = seedCount(120);
/** The chunk being written. */
const ACTIVE = 'chunk-000003.000000';

function filesBelow(fileSystem: MemoryFileSystem, directory: string, prefix = ''): string[] {
  return (fileSystem.list(directory) ?? [])
    .flatMap(({ name, isDirectory }) =>
      isDirectory ? filesBelow(fileSystem, `${directory}/${name}`, `${prefix}${name}/`) : [`${prefix}${name}`]
    )
    .sort();
}

/** Says what was done. */
function damage(fileSystem: MemoryFileSystem, prng: Prng): string {
  const files = filesBelow(fileSystem, DATABASE);
  const file = files[prng.below(files.length)]!;
  const bytes = bytesOf(fileSystem, file);
  const at = prng.below(Math.max(1, bytes.length));
  switch (prng.below(5)) {
    case 0:
      fileSystem.remove(`${DATABASE}/${file}`);
      return `${file} removed`;
    case 1:
      overwrite(fileSystem, file, bytes.subarray(0, at));
      return `${file} cut at ${at}`;
    case 2:
      bytes.fill(0, at, Math.min(bytes.length, at + 1 + prng.below(600)));
      overwrite(fileSystem, file, bytes);
      return `${file} zeroed at ${at}`;
    default:
      if (bytes.length > 0) bytes[at]! ^= 1 << prng.below(8);
      overwrite(fileSystem, file, bytes);
      return `${file} flipped at ${at}`;
  }
}

it('a repair tells the truth, and with a backup it succeeds', async () => {
  const whole = await sampleInMemory();
  const content = await streamContentOf(whole, DATABASE);
  const donor = openDirectoryDonor(copyOf(whole), DATABASE);
  let repaired = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const prng = new Prng(seed);
    const damaged = copyOf(whole);
    const what = [damage(damaged, prng)];
    if (prng.chance(0.5)) what.push(damage(damaged, prng));
    const label = `seed ${seed}: ${what.join(', ')}`;
    const isBeyondNotice = what.some((step) => step.startsWith(`${ACTIVE} flipped`));
    // Zeros may lie within one payload: then its event is another one.
    const isOneEvent = what.some((step) => step.startsWith(`${ACTIVE} zeroed`));
    const requireSame = ({ missing, surplus }: { missing: number; surplus: number }): void => {
      const allowed = isOneEvent && missing === 1 ? 1 : 0;
      expect({ missing, surplus }, label).toEqual({ missing: allowed, surplus: allowed });
    };

    const alone = copyOf(damaged);
    const first = await repair(alone);
    if (first.ok) repaired++;
    else expect(first.unrepaired.length, label).toBeGreaterThan(0);
    if (first.ok && !isBeyondNotice)
      requireSame(differenceOf(content, await streamContentOf(alone, DATABASE)));

    const helped = copyOf(damaged);
    const second = await repair(helped, { donor, acceptLoss: true });
    expect(second.ok, label).toBe(true);
    if (!isBeyondNotice) requireSame(differenceOf(content, await streamContentOf(helped, DATABASE)));
  }
  expect(repaired).toBeGreaterThan(SEEDS / 2);
});
