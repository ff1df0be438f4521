/**
 * The golden databases of test/fixtures/golden: unpacks them to fresh temporary directories, composes the damaged
 * ones from their bases, and reads what the server said of them. See the README there.
 * Tests that unpack call removeUnpacked at the end, in afterEach or afterAll.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { parseExactJson, type ExpectedDamage, type ExpectedDatabase } from './golden-expectations.ts';

const ARCHIVES = fileURLToPath(new URL('../fixtures/golden/', import.meta.url));
const EXTENSION = '.tar.zst';
const BLOCK = 512;

interface ArchivedFile {
  mode: number;
  bytes: Uint8Array;
}
/** Files of one story by path, `before/index/indexmap` for example. */
type Story = ReadonlyMap<string, ArchivedFile>;

const unpacked = new Set<string>();
/** Tests ask for many files of one story in a row. */
let latest: { name: string; story: Story } | undefined;

/** Names of all stories. */
export function goldenNames(): string[] {
  return fs
    .readdirSync(ARCHIVES)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

/** Names of the folders of a story that hold databases (or, of a damaged one, the files that differ). */
export function goldenFolders(name: string): string[] {
  const folders = [...readStory(name).keys()]
    .filter((file) => file.includes('/'))
    .map((file) => file.split('/')[0]!);
  return [...new Set(folders)];
}

/** Unpacks a story, or only some of its folders, to a new directory and returns that. */
export function unpackGolden(name: string, options: { folders?: readonly string[] } = {}): string {
  const directory = makeTemporaryDirectory();
  for (const [file, { mode, bytes }] of readStory(name)) {
    if (options.folders && !options.folders.includes(file.split('/')[0]!)) continue;
    writeFile(path.join(directory, file), bytes, mode);
  }
  return directory;
}

/** Unpacks one database, `{ name: 'rules', folder: 'before' }`, and returns its data directory. */
export function unpackDatabase({ name, folder }: { name: string; folder: string }): string {
  return path.join(unpackGolden(name, { folders: [folder] }), folder);
}

/** Composes the database of a story `damaged-…`: its base, with the damage done. Returns its data directory. */
export function unpackDamaged(name: string): string {
  const { base, damage } = damageOf(name);
  const directory = unpackDatabase(base);
  for (const [file, { bytes }] of readStory(name)) {
    if (!file.startsWith('before/')) continue;
    const target = path.join(directory, file.slice('before/'.length));
    const mode = fs.statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644;
    fs.rmSync(target, { force: true });
    writeFile(target, bytes, mode & 0o777);
  }
  for (const step of damage) if (typeof step === 'string') applyDamage(directory, step);
  return directory;
}

/** Composes the database of a story `truncate-…` before the server's start: its base, with truncate.chk set. */
export function unpackTruncated(name: string): string {
  const outcome = goldenJson(name, 'outcome.json') as { base: string; truncatePosition: number };
  const directory = unpackDatabase(splitBase(outcome.base));
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(outcome.truncatePosition));
  fs.writeFileSync(path.join(directory, 'truncate.chk'), bytes);
  return directory;
}

/** What a damaged story says: its base, the damage, and how the server's start went. */
export function damageOf(name: string): ExpectedDamage & { base: { name: string; folder: string } } {
  const expected = goldenJson(name, 'expected.json') as ExpectedDamage & { base: string };
  return { ...expected, base: splitBase(expected.base) };
}

/** What the server said of a database. `folder` may be left out where the story has one. */
export function expectedOf(name: string, folder?: string): ExpectedDatabase {
  const ofFolder = `expected.${folder}.json`;
  const file = folder !== undefined && readStory(name).has(ofFolder) ? ofFolder : 'expected.json';
  return goldenJson(name, file) as ExpectedDatabase;
}

/** Any JSON file of a story, `scavenge.after-t0.json` for example. Whole numbers above 2^53-1 are bigint. */
export function goldenJson(name: string, file: string): unknown {
  return parseExactJson(new TextDecoder().decode(goldenFile(name, file)));
}

/** The bytes of any file of a story. */
export function goldenFile(name: string, file: string): Uint8Array {
  const found = readStory(name).get(file);
  if (!found) throw new Error(`The golden story ${name} has no file ${file}.`);
  return found.bytes;
}

/** Removes every directory that was unpacked or made since the last call. */
export function removeUnpacked(): void {
  for (const directory of unpacked) fs.rmSync(directory, { recursive: true, force: true });
  unpacked.clear();
}

function makeTemporaryDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-golden-'));
  unpacked.add(directory);
  return directory;
}

function splitBase(base: string): { name: string; folder: string } {
  const [name, folder] = base.split('/');
  return { name: name!, folder: folder! };
}

/** `rm NAMES`, `chmod 444 PATTERN` and one in words. Every other step is done by the files of the story. */
function applyDamage(directory: string, step: string): void {
  if (step === 'rm bloomfilter of the last table') {
    const lines = fs.readFileSync(path.join(directory, 'index/indexmap'), 'utf8').trim().split('\n');
    fs.rmSync(path.join(directory, 'index', `${lines.at(-1)!.trim().split(',')[2]}.bloomfilter`));
    return;
  }
  const [command, ...words] = step.split(' ');
  if (command === 'rm') {
    const patterns = words.filter((word) => word !== '-r');
    for (const file of patterns.flatMap((pattern) => matching(directory, pattern))) {
      fs.rmSync(path.join(directory, file), { recursive: true });
    }
  } else if (command === 'chmod') {
    const [mode, pattern] = words;
    for (const file of matching(directory, pattern!)) {
      fs.chmodSync(path.join(directory, file), Number.parseInt(mode!, 8));
    }
  }
}

/** Names that `pattern` stands for; its asterisk matches within the data directory only. */
function matching(directory: string, pattern: string): string[] {
  const [start, end] = pattern.split('*');
  if (end === undefined) return [pattern];
  return fs.readdirSync(directory).filter((name) => name.startsWith(start!) && name.endsWith(end));
}

function writeFile(file: string, bytes: Uint8Array, mode: number): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, bytes);
  fs.chmodSync(file, mode);
}

function readStory(name: string): Story {
  if (latest?.name !== name) {
    const archive = zlib.zstdDecompressSync(fs.readFileSync(path.join(ARCHIVES, name + EXTENSION)));
    latest = { name, story: decodeTar(archive) };
  }
  return latest.story;
}

/** Ordinary files of a tar archive as scripts/make-fixtures.mjs writes them. */
function decodeTar(archive: Buffer): Story {
  const story = new Map<string, ArchivedFile>();
  const text = (offset: number, length: number): string =>
    archive.toString('utf8', offset, offset + length).replace(/\0.*$/s, '');
  for (let offset = 0; archive[offset] !== 0;) {
    const size = Number.parseInt(text(offset + 124, 12), 8);
    const bytes = archive.subarray(offset + BLOCK, offset + BLOCK + size);
    story.set(text(offset, 100), { mode: Number.parseInt(text(offset + 100, 8), 8), bytes });
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return story;
}
