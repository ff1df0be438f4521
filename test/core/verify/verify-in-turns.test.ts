/** A verification with a budget while files go, change or cannot be read in their turn, with threads and when it is stopped. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MD5_LENGTH } from '../../../src-core/chunks/chunk-footer.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError, OperationStopped } from '../../../src-core/errors.ts';
import { ProofBook } from '../../../src-core/proof/proof-book.ts';
import { ProofNotes } from '../../../src-core/proof/proof-notes.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { verifyInTurns, type VerifiedInTurns } from '../../../src-core/verify/verify-in-turns.ts';
import { verifyInThisThread, type StartVerifyWorkers } from '../../../src-core/verify/verify-workers.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { copyTree } from '../../support/copy-tree.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  bytesOf,
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  flip,
  namesIn,
  overwrite,
  sampleInMemory
} from '../repair/repair-sample.ts';

const FIRST = 'chunk-000000.000000';
const SECOND = 'chunk-000001.000000';
const THIRD = 'chunk-000002.000000';
const ACTIVE = 'chunk-000003.000000';
const MINUTE = 60_000;

let whole: MemoryFileSystem;
beforeAll(async () => {
  whole = await sampleInMemory();
});

let fileSystem: MemoryFileSystem;
let tables: string[];
/** Files whose turn it is. */
let turn: ReadonlySet<string>;
/** Those that had it together, one after the other. */
let groups: string[][];
/** Called for each read of a file in its turn. */
let onRead: (name: string) => void;
let elapsedMs: number;
let count: number;
beforeEach(() => {
  fileSystem = copyOf(whole);
  tables = namesIn(fileSystem, `${DATABASE}/index`).filter((name) => /^[0-9a-f-]{36}$/.test(name));
  turn = new Set();
  groups = [];
  onRead = () => undefined;
  elapsedMs = 0;
  count = 0;
});

function watched(): FileSystem {
  return new Proxy<FileSystem>(fileSystem, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'open') return member.bind(target) as unknown;
      return (...parameters: Parameters<FileSystem['open']>) => {
        const file = target.open(...parameters);
        const read = file.read.bind(file);
        file.read = (...where) => {
          const name = parameters[0].slice(parameters[0].lastIndexOf('/') + 1);
          if (turn.has(name)) onRead(name);
          return read(...where);
        };
        return file;
      };
    }
  });
}

function book(): ProofBook {
  return new ProofBook({
    fileSystem,
    place: { directory: '/home/proofs', name: 'db' },
    directories: [DATABASE, `${DATABASE}/index`],
    newGuid: () => `guid-${++count}`
  });
}

interface Ask {
  budgetMs?: number;
  signal?: AbortSignal;
  threads?: number;
  startWorkers?: StartVerifyWorkers;
}

async function verify({ budgetMs = MINUTE, signal, ...threads }: Ask = {}): Promise<VerifiedInTurns> {
  const control = new OperationControl({
    signal,
    elapsedMs: () => elapsedMs,
    yieldTurn: () => Promise.resolve()
  });
  const database = openDatabase({ fileSystem: watched(), dataDirectory: DATABASE });
  const proofs = new ProofNotes(book(), () => elapsedMs);
  const begin = proofs.begin.bind(proofs);
  proofs.begin = (files) => {
    groups.push(files.map(({ name }) => name));
    turn = new Set(groups.at(-1));
    return begin(files);
  };
  try {
    return await verifyInTurns({ database, proofs, control, budgetMs, nowMs: elapsedMs, ...threads });
  } finally {
    proofs.book.save();
    database.close();
  }
}

const isSound = (name: string) => book().lastLook(name)?.isSound;
function unreadable(name: string, osCode: string): EngineError {
  const message = `${name} cannot be read.`;
  return new EngineError({
    code: 'StorageFailed',
    message,
    remedy: 'Look at the disk.',
    details: { osCode }
  });
}

/** In the turn of this file. */
function during(name: string, happens: () => void): void {
  onRead = (read) => {
    if (read === name) happens();
  };
}

describe('a verification with a budget', () => {
  it('reads every file where there is time, and says what it does not check', async () => {
    const answer = await verify();
    expect(answer).toMatchObject({ ok: true, waitingFiles: 0, next: null });
    expect(answer.verifiedFiles).toBe(4 + tables.length);
    expect(answer.notChecked.join()).toContain('the entries of the index against the records');
    // Of a chunk all but the hash itself; the chunk that is being written has none.
    const sizes = [FIRST, SECOND, THIRD].map((name) => bytesOf(fileSystem, name).length - MD5_LENGTH);
    sizes.push(...tables.map((name) => bytesOf(fileSystem, `index/${name}`).length));
    expect(answer.checked).toMatchObject({
      files: 4 + tables.length,
      bytes: sizes.reduce((sum, one) => sum + one, 0)
    });
    expect(answer.checked.records).toBeGreaterThan(100);
  });

  const readChunks = () => groups.filter(([name]) => name!.startsWith('chunk-'));

  it('reads chunks side by side once it knows that there is time for all of them', async () => {
    onRead = () => elapsedMs++;
    await verify();
    expect(readChunks()).toEqual([[FIRST], [SECOND, THIRD], [ACTIVE]]);
  });

  it('reads them one by one where there is not, or the clock has not told yet', async () => {
    await verify();
    expect(readChunks()).toEqual([[FIRST], [SECOND], [THIRD], [ACTIVE]]);
    groups = [];
    let reads = 0;
    onRead = (name) => {
      elapsedMs += 10;
      if (name === FIRST) reads++;
    };
    elapsedMs += MINUTE;
    await verify();
    groups = [];
    elapsedMs += MINUTE;
    // Two chunks and a half.
    const { waitingFiles } = await verify({ budgetMs: 25 * reads });
    expect(readChunks().every((group) => group.length === 1)).toBe(true);
    expect(waitingFiles).toBeGreaterThan(0);
  });

  it('reads nothing without time, and names whose turn is next', async () => {
    const answer = await verify({ budgetMs: 0 });
    expect(answer).toMatchObject({ verifiedFiles: 0, waitingFiles: 4 + tables.length, next: FIRST });
  });

  it('says of an encrypted chunk that its records are not checked', async () => {
    const bytes = bytesOf(fileSystem, FIRST);
    bytes[35] = 1;
    overwrite(fileSystem, FIRST, bytes);
    fileSystem.remove(`${DATABASE}/${SECOND}`);
    const { notChecked } = await verify();
    expect(notChecked.filter((text) => text.startsWith('records of'))).toEqual([
      `records of ${FIRST} (encrypted)`
    ]);
  });

  it('names no streams by an index of another node', async () => {
    const other = new MemoryFileSystem();
    other.makeDirectory('/node');
    await writeSampleDatabase({
      fileSystem: other,
      dataDirectory: DATABASE,
      sizeBytes: 130_000,
      chunkSizeBytes: CHUNK_SIZE,
      seed: 4,
      now: ticksFromIso('2026-01-01T00:00:00Z')!,
      control: uncontrolled()
    });
    const path = `${DATABASE}/index`;
    fileSystem.removeDirectory(path);
    copyTree({ fileSystem: other, path }, { fileSystem, path });
    flip(fileSystem, SECOND, 5000);
    const { findings } = await verify();
    expect(findings.map(({ code }) => code)).toContain('indexEntryWithoutRecord');
    const damaged = findings.find(({ file }) => file === SECOND);
    expect(damaged?.message).not.toMatch(/that the index knows/);
  });

  it('finds what is wrong in a table in its turn', async () => {
    flip(fileSystem, `index/${tables[0]!}`, 2200);
    const { ok, findings } = await verify();
    expect(ok).toBe(false);
    expect(findings[0]).toMatchObject({ code: 'tableHashMismatch', file: tables[0] });
    expect(isSound(tables[0]!)).toBe(false);
  });

  it('leaves a chunk that is replaced in its turn to the next time', async () => {
    during(SECOND, () => {
      throw unreadable(SECOND, 'ENOENT');
    });
    const answer = await verify();
    expect(answer).toMatchObject({ ok: true, waitingFiles: 1, next: SECOND });
    expect(isSound(SECOND)).toBeUndefined();
  });

  it.each([
    ['a chunk', () => FIRST],
    ['a table', () => tables[0]!]
  ])('does not note %s that changes in its turn', async (_, nameOf) => {
    const name = nameOf();
    const path = name === FIRST ? `${DATABASE}/${name}` : `${DATABASE}/index/${name}`;
    during(name, () => (fileSystem.find(path)!.modifiedMs = 5));
    const answer = await verify();
    expect(answer).toMatchObject({ ok: true, waitingFiles: 1, next: name });
    expect(isSound(name)).toBeUndefined();
  });

  it.each([
    ['a chunk', () => SECOND],
    ['a table', () => tables[0]!]
  ])(
    'notes %s that the disk does not give as not sound, and reads the others all the same',
    async (_, nameOf) => {
      const name = nameOf();
      await verify();
      expect(isSound(name)).toBe(true);
      elapsedMs += MINUTE;
      during(name, () => {
        throw unreadable(name, 'EIO');
      });
      await expect(verify()).rejects.toMatchObject({ code: 'StorageFailed' });
      expect(isSound(name)).toBe(false);
      expect(book().lastLook(FIRST)!.atMs).toBe(MINUTE);
    }
  );

  it('ends with the time, and with a stop of the one who asked', async () => {
    onRead = () => (elapsedMs += 10);
    const { waitingFiles } = await verify({ budgetMs: 100 });
    expect(waitingFiles).toBeGreaterThan(0);
    const abort = new AbortController();
    during(ACTIVE, () => abort.abort());
    await expect(verify({ signal: abort.signal })).rejects.toBeInstanceOf(OperationStopped);
  });

  it('gives chunks to threads, which hear of the end', async () => {
    const orders: number[] = [];
    const startWorkers: StartVerifyWorkers = ({ signal }) => {
      const control = new OperationControl({
        signal,
        elapsedMs: () => elapsedMs,
        yieldTurn: () => Promise.resolve()
      });
      const pool = verifyInThisThread(fileSystem, control);
      return {
        verify: (some, onBytes) => {
          orders.push(some.length);
          return pool.verify(some, onBytes);
        },
        close: () => pool.close()
      };
    };
    const answer = await verify({ threads: 2, startWorkers });
    expect(answer).toMatchObject({ ok: true, waitingFiles: 0 });
    expect(orders.reduce((sum, one) => sum + one, 0)).toBe(4);
    onRead = () => (elapsedMs += 40);
    const short = await verify({ threads: 2, startWorkers, budgetMs: 100 });
    expect(short.waitingFiles).toBeGreaterThan(0);
  });

  it('says that a damaged chunk is damaged although there is no time to name its streams', async () => {
    overwrite(fileSystem, FIRST, bytesOf(fileSystem, FIRST).fill(0, 9000, 9400));
    during(ACTIVE, () => (elapsedMs += MINUTE));
    const { ok, findings } = await verify();
    expect(ok).toBe(false);
    expect(findings.map(({ file }) => file)).toContain(FIRST);
  });
});
