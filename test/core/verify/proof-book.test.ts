/** The book of proofs: two processes write it, and whatever is wrong with it means that nothing is known. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeColumns } from '../../../src-core/codec/column-file.ts';
import { coverageOf, inTurn } from '../../../src-core/proof/coverage.ts';
import { ProofBook } from '../../../src-core/proof/proof-book.ts';
import { ProofNotes } from '../../../src-core/proof/proof-notes.ts';
import type { ProvableFile } from '../../../src-core/proof/provable-file.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { temporaryDirectory } from '../../support/scavenge-environment.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-03-01T00:00:00Z');
let home: string;
let data: string;
let path: string;
beforeEach(() => {
  home = temporaryDirectory();
  data = join(home, 'db');
  mkdirSync(data);
  path = join(home, 'proofs', 'db');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function book(directories: readonly string[] = [data]): ProofBook {
  const place = { directory: join(home, 'proofs'), name: 'db' };
  return new ProofBook({ fileSystem: new NodeFileSystem(), place, directories, newGuid: guidsFrom(5) });
}

/** A chunk of this name, on the disk too. */
function chunk(number: number, change: Partial<ProvableFile> = {}): ProvableFile {
  const name = `chunk-00000${number}.000000`;
  writeFileSync(join(data, name), '');
  return { kind: 'chunk', name, bytes: 100, identity: String(number).repeat(40), ...change };
}

const sound = (atMs: number) => ({ atMs, isSound: true });

describe('the book of proofs', () => {
  it('holds what both of two processes noted, of one file the newer', () => {
    const [a, b] = [book(), book()];
    const [first, second, third] = [chunk(1), chunk(2), chunk(3)];
    a.note(first, sound(NOW));
    a.note(second, sound(NOW + 5));
    b.note(second, { atMs: NOW + 2, isSound: false });
    b.note(third, sound(NOW + 1));
    expect([a.save(), b.save()]).toEqual([undefined, undefined]);
    const read = book();
    expect([first, second, third].map((file) => read.of(file)?.atMs)).toEqual([NOW, NOW + 5, NOW + 1]);
    expect(read.of(second)?.isSound).toBe(true);
    expect(readdirSync(join(home, 'proofs'))).toEqual(['db']);
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('forgets files that are gone, and says nothing of one that is another by now', () => {
    const one = book();
    const [gone, changed] = [chunk(1), chunk(2)];
    one.note(gone, sound(NOW));
    one.note(changed, sound(NOW));
    rmSync(join(data, gone.name));
    one.save();
    const read = book();
    expect(read.lastLook(gone.name)).toBeUndefined();
    expect(read.of({ ...changed, identity: 'f'.repeat(40) })).toBeUndefined();
    expect(read.of(changed)).toBeDefined();
  });

  it('is none when it is cut, changed, of another form, of other directories, or holds what it cannot hold', () => {
    const file = chunk(1);
    const one = book();
    one.note(file, sound(NOW));
    one.save();
    const whole = readFileSync(path);
    const isKnown = (content: Uint8Array) => {
      writeFileSync(path, content);
      return book().of(file) !== undefined;
    };
    expect(isKnown(whole)).toBe(true);
    // What lies behind the description only fills up the last eight bytes.
    const end = 16 + whole.readUInt32LE(8);
    for (let length = 0; length < end; length += 7) expect(isKnown(whole.subarray(0, length))).toBe(false);
    for (let at = 0; at < end; at += 3) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x10;
      expect(isKnown(changed)).toBe(false);
    }
    const identity = JSON.stringify([data]);
    const row = [file.name, file.identity, NOW, 1];
    const form = 'WNWPRF01';
    const withRows = (rows: unknown) => encodeColumns({ form, identity, facts: { rows } }, []);
    expect(isKnown(withRows([row]))).toBe(true);
    for (const rows of [
      null,
      'rows',
      [row, null],
      [[...row, 1]],
      [[file.name, 'short', NOW, 1]],
      [[file.name, file.identity, 'now', 1]],
      [[file.name, file.identity, NOW, 2]],
      [['n'.repeat(300), file.identity, NOW, 1], row]
    ])
      expect(isKnown(withRows(rows))).toBe(false);
    for (const facts of [null, 1, [], 'x'])
      expect(isKnown(encodeColumns({ form, identity, facts }, []))).toBe(false);
    expect(isKnown(encodeColumns({ form: 'WNWPRF00', identity, facts: { rows: [row] } }, []))).toBe(false);
    writeFileSync(path, whole);
    expect(book([join(home, 'other')]).of(file)).toBeUndefined();
  });

  it('that cannot be kept says why, and the answer stands', () => {
    writeFileSync(join(home, 'proofs'), 'not a directory');
    const one = book();
    const file = chunk(1);
    one.note(file, sound(NOW));
    expect(one.save()?.code).toBe('StorageFailed');
    expect(one.of(file)).toBeDefined();
  });

  it('is written while a long run goes on, and says nothing of a file that changed while it was read', () => {
    let nowMs = NOW;
    const notes = new ProofNotes(book(), () => nowMs);
    const [first, second] = [chunk(1), chunk(2)];
    const [endFirst, endSecond] = notes.begin([first, second]);
    nowMs += 30_000;
    endSecond!({ findings: [] }, { ...second, identity: 'f'.repeat(40) });
    expect(existsSync(path)).toBe(false);
    nowMs += 40_000;
    endFirst!({ findings: [{ severity: 'hint' }] }, first);
    const read = book();
    // Of the time at which the reading began.
    expect(read.of(first)).toMatchObject({ atMs: NOW, isSound: true });
    expect(read.of(second)).toBeUndefined();
  });
});

describe('turns and coverage', () => {
  it('put what was damaged first, then what is not known, then by age; a clock that was ahead proves nothing', () => {
    const one = book();
    const files = [1, 2, 3, 4, 5, 6].map((number) => chunk(number));
    one.note(files[0]!, sound(NOW - 2 * DAY_MS));
    one.note(files[2]!, sound(NOW - 40 * DAY_MS));
    one.note(files[3]!, { atMs: NOW, isSound: false });
    one.note(files[4]!, sound(NOW + 1000));
    one.note(files[5]!, sound(NOW + 3 * DAY_MS));
    const order = inTurn(files, one, { nowMs: NOW }).map((file) => files.indexOf(file) + 1);
    expect(order).toEqual([4, 2, 6, 3, 1, 5]);
    expect(coverageOf(files, (file) => one.of(file), { nowMs: NOW, withinMs: 30 * DAY_MS })).toEqual({
      files: 6,
      bytes: 600,
      verifiedFiles: 2,
      verifiedBytes: 200,
      damagedFiles: 1,
      unknownFiles: 2,
      oldestMs: NOW - 40 * DAY_MS
    });
  });

  it('let the chunk that is being written wait for its turn although it always differs', () => {
    const one = book();
    const [old, growing] = [chunk(1), chunk(2, { kind: 'growing' })];
    one.note(old, sound(NOW - 10));
    one.note(growing, sound(NOW - 5));
    const now = { ...growing, identity: 'e'.repeat(40) };
    expect(inTurn([now, old], one, { nowMs: NOW })).toEqual([old, now]);
    expect(inTurn([now, old], book(), { nowMs: NOW })).toEqual([now, old]);
  });
});
