/**
 * Verification with memory against a naive model, over random histories: whole verifications and ones with a budget,
 * scavenges, bytes that rot with and without a trace, files that are touched, days that pass. The model knows what a person
 * with a list would: which file was read whole when, and as what.
 */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { coverageOf } from '../../../src-core/proof/coverage.ts';
import { ProofBook } from '../../../src-core/proof/proof-book.ts';
import { ProofNotes } from '../../../src-core/proof/proof-notes.ts';
import { provableChunks } from '../../../src-core/proof/provable-file.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { verifyInTurns } from '../../../src-core/verify/verify-in-turns.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';
import { seedList } from '../../support/seeds.ts';

const SEEDS = seedList(6);
const STEPS = 24;
const DAY_MS = 24 * 60 * 60 * 1000;
const WITHIN_MS = 30 * DAY_MS;
/** So many bytes take a millisecond. */
const BYTES_PER_MS = 64;
const SAMPLE_SECONDS = Date.parse(SAMPLE_TIME) / 1000;
/** How often a byte changed and nothing else did. */
let rottedSilently = 0;
const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());
const real = new NodeFileSystem();

/** What a person would have on a list: of each file what it was, when it was read, and whether it was fine. */
interface Known {
  stamp: string;
  atMs: number;
  isSound: boolean;
}

class History {
  readonly random: Prng;
  readonly dataDirectory: string;
  readonly home: string;
  /** Milliseconds since 1970, and those that only rise: only reading takes time. */
  nowMs = Date.parse('2026-03-01T00:00:00Z');
  elapsedMs = 0;
  readonly model = new Map<string, Known>();
  /** Chunks with a wrong byte. */
  readonly rotten = new Set<string>();
  #touches = 0;
  readonly #newGuid: () => string;

  constructor(random: Prng, dataDirectory: string, home: string) {
    this.random = random;
    this.dataDirectory = dataDirectory;
    this.home = home;
    this.#newGuid = guidsFrom(random.seed);
    // Whole seconds can be set again exactly, which a byte that rots without a trace needs.
    for (const { name } of this.chunks())
      utimesSync(join(dataDirectory, name), SAMPLE_SECONDS, SAMPLE_SECONDS);
  }

  get clock(): () => number {
    return () => this.nowMs + this.elapsedMs;
  }

  /** As another process would have it. */
  book(): ProofBook {
    return new ProofBook({
      fileSystem: real,
      place: { directory: join(this.home, 'proofs'), name: 'db' },
      directories: [this.dataDirectory, join(this.dataDirectory, 'index')],
      newGuid: this.#newGuid
    });
  }

  /** A disk on which reading takes its time. */
  get fileSystem(): FileSystem {
    const takeTime = (bytes: number) => void (this.elapsedMs += bytes / BYTES_PER_MS);
    return new Proxy(real, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (name !== 'open') return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        return (...parameters: Parameters<FileSystem['open']>) => {
          const file = target.open(...parameters);
          const read = file.read.bind(file);
          file.read = (...where) => {
            const count = read(...where);
            takeTime(count);
            return count;
          };
          return file;
        };
      }
    });
  }

  get control(): OperationControl {
    return new OperationControl({
      elapsedMs: () => this.elapsedMs,
      yieldTurn: () => Promise.resolve()
    });
  }

  open(fileSystem: FileSystem = real): Database {
    return openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
  }

  /** Completed chunks in the order of the log: names and what they are by size, time and content of head and end. */
  chunks(): { name: string; bytes: number; stamp: string }[] {
    const names = readdirSync(this.dataDirectory).filter((name) => /^chunk-\d{6}\.\d{6}$/.test(name));
    const database = this.open();
    const completed = new Set(
      database.chunkSet.chunks.filter((chunk) => chunk.isLasting).map((chunk) => chunk.fileName)
    );
    database.close();
    return names
      .sort()
      .filter((name) => completed.has(name))
      .map((name) => {
        const path = join(this.dataDirectory, name);
        const { size, mtimeMs } = statSync(path);
        const bytes = readFileSync(path);
        const edges = `${bytes.toString('hex', 0, 128)} ${bytes.toString('hex', bytes.length - 128)}`;
        return { name, bytes: size, stamp: `${mtimeMs} ${size} ${edges}` };
      });
  }

  known({ name, stamp }: { name: string; stamp: string }): Known | undefined {
    const known = this.model.get(name);
    return known?.stamp === stamp ? known : undefined;
  }

  /** Names in the order of their turns. */
  turns(): string[] {
    const rank = (chunk: { name: string; stamp: string }) => {
      const known = this.known(chunk);
      return known === undefined ? 1 : known.isSound ? known.atMs : 0;
    };
    const ranked = this.chunks().map((chunk) => ({ name: chunk.name, rank: rank(chunk) }));
    return ranked.sort((a, b) => a.rank - b.rank).map(({ name }) => name);
  }

  /** The engine's book says what the model says. */
  compare(): void {
    const database = this.open();
    const files = provableChunks(database).filter(({ kind }) => kind === 'chunk');
    const book = this.book();
    const told = coverageOf(files, (file) => book.of(file), { nowMs: this.clock(), withinMs: WITHIN_MS });
    database.close();
    const chunks = this.chunks().map((chunk) => ({ ...chunk, known: this.known(chunk) }));
    const sound = chunks.filter(({ known }) => known?.isSound === true);
    const fresh = sound.filter(({ known }) => this.clock() - known!.atMs <= WITHIN_MS);
    const bytesOf = (some: readonly { bytes: number }[]) => some.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(told).toEqual({
      files: chunks.length,
      bytes: bytesOf(chunks),
      verifiedFiles: fresh.length,
      verifiedBytes: bytesOf(fresh),
      damagedFiles: chunks.filter(({ known }) => known?.isSound === false).length,
      unknownFiles: chunks.filter(({ known }) => known === undefined).length,
      oldestMs: sound.length === 0 ? null : Math.min(...sound.map(({ known }) => known!.atMs))
    });
  }

  async verifyWithin(budgetMs: number): Promise<void> {
    const turns = this.turns();
    const before = this.chunks();
    const database = this.open(this.fileSystem);
    const book = this.book();
    const proofs = new ProofNotes(book, this.clock);
    const startedMs = this.elapsedMs;
    const answer = await verifyInTurns({
      database,
      proofs,
      control: this.control,
      budgetMs,
      nowMs: this.clock()
    });
    database.close();
    expect(book.save()).toBeUndefined();
    // What was noted in this run: read back from the disk.
    const noted = before.filter((chunk) => {
      const said = this.book().lastLook(chunk.name);
      return (
        said !== undefined && said.atMs >= this.nowMs + startedMs && said.atMs !== this.known(chunk)?.atMs
      );
    });
    const names = new Set(noted.map(({ name }) => name));
    // Up to four are read side by side, so one behind the others may be through first.
    const reach = Math.max(-1, ...turns.map((name, at) => (names.has(name) ? at : -1)));
    expect(reach).toBeLessThan(names.size + 4);
    for (const chunk of noted) {
      const { atMs } = this.book().lastLook(chunk.name)!;
      this.model.set(chunk.name, { stamp: chunk.stamp, atMs, isSound: !this.rotten.has(chunk.name) });
    }
    const found = answer.findings.filter(
      ({ code }) => code === 'chunkHashMismatch' || code === 'recordInvalid'
    );
    const damaged = new Set(found.map(({ file }) => file));
    expect([...damaged].sort()).toEqual([...names].filter((name) => this.rotten.has(name)).sort());
    // The newest epoch is looked for each time; what rotted may keep it from being found.
    const isEpochGone = answer.findings.some(({ code }) => code === 'epochCheckpointInvalid');
    expect(isEpochGone && this.rotten.size === 0).toBe(false);
    expect(answer.ok).toBe(damaged.size === 0 && !isEpochGone);
    if (answer.waitingFiles === 0) expect(names.size).toBe(before.length);
    // It stops within what one block takes, and a table's.
    else expect(this.elapsedMs - startedMs).toBeLessThan(budgetMs + (8 * 1024 * 1024) / BYTES_PER_MS);
  }

  async verifyWhole(): Promise<void> {
    const before = this.chunks();
    const database = this.open(this.fileSystem);
    const book = this.book();
    const proofs = new ProofNotes(book, this.clock);
    const { ok } = await verifyDatabase({ database, quick: false, control: this.control, proofs });
    database.close();
    expect(book.save()).toBeUndefined();
    expect(ok).toBe(this.rotten.size === 0);
    for (const { name, stamp } of before) {
      const { atMs } = this.book().lastLook(name)!;
      expect(atMs).toBeGreaterThanOrEqual(this.nowMs);
      this.model.set(name, { stamp, atMs, isSound: !this.rotten.has(name) });
    }
  }

  /** One byte of a record becomes another one. `isSilent`: the file looks as it did. */
  rot({ isSilent }: { isSilent: boolean }): void {
    const chunks = this.chunks().filter(({ name }) => !this.rotten.has(name));
    if (chunks.length === 0) return;
    const { name } = chunks[this.random.below(chunks.length)]!;
    const path = join(this.dataDirectory, name);
    const { atimeMs, mtimeMs, mode } = statSync(path);
    const bytes = readFileSync(path);
    bytes[200 + this.random.below(bytes.length - 400)]! ^= 1 << this.random.below(8);
    real.changeMode(path, mode | 0o200);
    writeFileSync(path, bytes);
    real.changeMode(path, mode);
    const next = isSilent ? mtimeMs : mtimeMs + ++this.#touches * 1000;
    utimesSync(path, atimeMs / 1000, next / 1000);
    if (isSilent && statSync(path).mtimeMs === mtimeMs) rottedSilently++;
    this.rotten.add(name);
  }

  touch(): void {
    const chunks = this.chunks();
    const { name } = chunks[this.random.below(chunks.length)]!;
    const path = join(this.dataDirectory, name);
    const { atimeMs, mtimeMs } = statSync(path);
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000 + ++this.#touches);
  }

  /** A backup brings back what had rotted. */
  mend(backup: string): void {
    for (const name of this.rotten) {
      const path = join(this.dataDirectory, name);
      const { mode } = statSync(path);
      real.changeMode(path, mode | 0o200);
      writeFileSync(path, readFileSync(join(backup, name)));
      real.changeMode(path, mode);
    }
    this.rotten.clear();
  }

  /** What it writes it has hashed, but nobody has read it back: it was never verified. */
  async scavenge(): Promise<void> {
    await runScavenge(
      scavengeRequest(this.dataDirectory, {
        scavengePoint: 'new',
        singleNode: true,
        now: SAMPLE_TIME,
        merge: this.random.chance(0.5)
      }),
      scavengeEnvironment({})
    );
  }
}

describe('verification with memory', () => {
  it.each(SEEDS)(
    'says what a naive list says, after each step of a random history (seed %d)',
    async (seed) => {
      const size = { sizeBytes: 180_000, chunkSizeBytes: 16_384, seed };
      const dataDirectory = await samples.write(size, { withPoint: false });
      const random = new Prng(seed);
      const history = new History(random, dataDirectory, samples.directory());
      history.compare();
      for (let step = 0; step < STEPS; step++) {
        const sound = samples.copy(dataDirectory);
        const roll = random.below(10);
        if (roll < 5) await history.verifyWithin(random.below(6000));
        else if (roll === 5) await history.verifyWhole();
        else if (roll === 6) history.touch();
        else if (roll === 7) {
          history.rot({ isSilent: random.chance(0.7) });
          history.compare();
          // Its turn comes, whatever the budget.
          const isFound = () =>
            [...history.rotten].every((name) => history.model.get(name)?.isSound === false);
          for (let runs = 0; !isFound(); runs++) {
            expect(runs).toBeLessThan(400);
            history.nowMs += 60_000;
            await history.verifyWithin(1200);
            history.compare();
          }
          history.mend(sound);
        } else if (roll === 8) history.nowMs += random.below(40) * DAY_MS;
        else await history.scavenge();
        history.compare();
      }
    }
  );

  it('was tried with bytes that rot without a trace', () => {
    expect(rottedSilently).toBeGreaterThan(3);
  });
});
