/**
 * Another process at work in the same directories: just before one call of the file system a file is removed, cut,
 * enlarged, changed, replaced by another one or by a directory. What the operation under test makes of it is up to it.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Prng } from './prng.ts';

const WAYS: [words: string, change: (file: string, prng: Prng, other: string) => void][] = [
  ['removed', (file) => fs.rmSync(file)],
  ['cut', (file, prng) => fs.truncateSync(file, prng.below(Math.max(1, fs.statSync(file).size)))],
  ['emptied', (file) => fs.truncateSync(file, 0)],
  ['enlarged', (file, prng) => fs.truncateSync(file, fs.statSync(file).size + 1 + prng.below(70_000))],
  ['changed in one byte', (file, prng) => overwrite(file, prng, 1)],
  ['overwritten in part', (file, prng) => overwrite(file, prng, 1 + prng.below(4096))],
  [
    'replaced by another file',
    (file, _, other) => {
      fs.rmSync(file);
      if (fs.existsSync(other)) fs.copyFileSync(other, file);
    }
  ],
  [
    'replaced by a directory',
    (file) => {
      fs.rmSync(file);
      fs.mkdirSync(file);
    }
  ]
];

/** What a checkpoint may hold that nobody meant: nothing, the beginning, numbers of other units, and ends of the range. */
const NUMBERS = [-1n, 0n, 1n, 255n, 65_536n, 2n ** 31n, 2n ** 40n, 2n ** 53n, 2n ** 62n, -(2n ** 63n)];

function setCheckpoint(file: string, prng: Prng): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(NUMBERS[prng.below(NUMBERS.length)]!);
  fs.writeFileSync(file, bytes);
}

/** By what they are: each kind is as likely, however many files there are of it. */
function kindOf(file: string): string {
  return /[.](?:chk|db|json|tmp)$|chunk-|indexmap/.exec(path.basename(file))?.[0] ?? 'other';
}

function chosen(files: readonly string[], prng: Prng): string | undefined {
  const kinds = [...new Set(files.map(kindOf))].sort();
  const kind = kinds[prng.below(kinds.length)];
  const ofKind = files.filter((file) => kindOf(file) === kind);
  return ofKind[prng.below(ofKind.length)];
}

function overwrite(file: string, prng: Prng, count: number): void {
  const { size } = fs.statSync(file);
  if (size === 0) return;
  const bytes = fs.readFileSync(file);
  const at = prng.below(size);
  for (let i = at; i < Math.min(size, at + count); i++) bytes[i] = prng.below(256);
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, bytes, at, Math.min(count, size - at), at);
  fs.closeSync(descriptor);
}

export interface Meddling {
  /** Relative to the directory. */
  file: string;
  words: string;
}

/** Does something to a file below `directory`. `onChosen` is called before. */
export function meddle(directory: string, prng: Prng, onChosen: (path: string) => void): Meddling {
  const files = fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    // SQLite maps this one into memory: cut, it ends the process, which the campaigns of killed processes are about.
    .filter((file) => !file.endsWith('-shm'))
    .sort();
  const file = chosen(files, prng);
  const other = files[prng.below(files.length)];
  let [words, change] = WAYS[prng.below(WAYS.length)]!;
  if (file?.endsWith('.chk') && prng.chance(0.5)) [words, change] = ['set to another number', setCheckpoint];
  if (file === undefined || other === undefined) return { file: directory, words: 'nothing is in it' };
  onChosen(file);
  fs.chmodSync(file, 0o644); // a complete chunk is not for writing
  change(file, prng, other);
  return { file: path.relative(directory, file), words };
}
