/** A change of the files of a database, with the checksum of what it changed made to fit. */
import type { Prng } from '../../support/prng.ts';
import type { DatabaseImage, FileRole, Files } from '../database-image.ts';
import { NUMBERS } from '../mutations.ts';
import type { FieldPlace } from './record-places.ts';
import { sealed } from './repair-checksums.ts';

/** What was done, in words; undefined: the base has nothing of the kind. */
export type Change = (files: Files, prng: Prng, image: DatabaseImage) => string | undefined;

function fileOf(roles: readonly FileRole[], image: DatabaseImage, prng: Prng): string | undefined {
  const names = [...image.roles].filter(([, role]) => roles.includes(role)).map(([name]) => name);
  return names.length === 0 ? undefined : prng.pick(names);
}

/** Changes a copy of a file's bytes in place or gives others, and seals what has a hash. */
export function changeOf(
  roles: readonly FileRole[],
  change: (bytes: Buffer, prng: Prng) => { step: string; bytes?: Uint8Array } | undefined
): Change {
  return (files, prng, image) => {
    const file = fileOf(roles, image, prng);
    if (file === undefined) return undefined;
    const bytes = Buffer.from(files.get(file)!);
    const changed = change(bytes, prng);
    if (!changed) return undefined;
    const role = image.roles.get(file)!;
    const now = new Uint8Array(changed.bytes ?? bytes);
    files.set(file, role === 'completedChunk' || role === 'table' ? sealed(now) : now);
    return `${file}: ${changed.step}`;
  };
}

export function setField(bytes: Buffer, { what, at, width }: FieldPlace, prng: Prng): string | undefined {
  if (at < 0 || at + width > bytes.length) return undefined;
  const old = readWhole(bytes, at, width);
  const value = prng.chance(0.5) ? prng.pick(NUMBERS) : old + BigInt(prng.between({ low: -200, high: 200 }));
  writeWhole(bytes, at, width, value);
  return `${what} from ${old} to ${value} at ${at}`;
}

function readWhole(bytes: Buffer, at: number, width: FieldPlace['width']): bigint {
  return width === 8 ? bytes.readBigInt64LE(at) : BigInt(bytes.readIntLE(at, width));
}

function writeWhole(bytes: Buffer, at: number, width: FieldPlace['width'], value: bigint): void {
  const all = Buffer.alloc(8);
  all.writeBigInt64LE(BigInt.asIntN(64, value));
  all.copy(bytes, at, 0, width);
}
