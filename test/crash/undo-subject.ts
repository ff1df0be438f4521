/**
 * A scavenge that keeps what it replaces, and its undo, to be cut: the small database with every feature in memory, SQLite's
 * state beside it. However it is cut, the way back leads to the directory as it was, to the byte.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src-core/database/database.ts';
import { EventAppender } from '../../src-core/database/event-appender.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { LogWriter } from '../../src-core/log/log-writer.ts';
import { BLOCKED_CHASER, readCheckpoints } from '../../src-core/log/checkpoint-file.ts';
import { expireKept, forgetKept } from '../../src-core/replaced/forget-kept.ts';
import { readableKept } from '../../src-core/replaced/kept-folders.ts';
import { readUndoJournal } from '../../src-core/replaced/undo-journal.ts';
import { undoScavenge } from '../../src-core/replaced/run-undo.ts';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../src-core/scavenge/scavenge-request.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { isUndoUnfinished } from '../../src-core/storage/undo-marker.ts';
import { ticksFromIso } from '../../src-core/units/ticks.ts';
import { CRASH_TIME, guidsFrom, writeCrashDatabase, type CrashDatabase } from '../support/crash-database.ts';
import { enumerateCuts, type CutSubject } from '../support/cut-enumeration.ts';
import { FaultyFileSystem } from '../support/faulty-file-system.ts';
import type { MemoryFileSystem } from '../support/memory-file-system.ts';
import { recordCuts, sampledCalls } from '../support/proof-record.ts';
import { treeOf } from '../support/restore-fixture.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { StateBeside } from '../support/state-beside.ts';

export type Tree = Record<string, string>;
const DAY_MS = 86_400_000;
export const AFTER_A_WEEK = ticksFromIso('2026-01-08T00:00:01Z')!;
const MEMORY_DISK = '/dev/shm';

export interface UndoVariant {
  name: string;
  database: Omit<CrashDatabase, 'dataDirectory' | 'hasher'>;
  request: Partial<ScavengeRequest>;
  hostName?: string;
}

export const UNDO_VARIANTS = {
  existing: {
    name: 'existing point, merging',
    database: { point: { threshold: 0 } },
    request: { scavengePoint: 'existing' }
  },
  history: {
    name: 'new point, history in the log',
    database: {},
    request: { scavengePoint: 'new', singleNode: true },
    hostName: 'node-a'
  }
} as const satisfies Record<string, UndoVariant>;

export class UndoBench {
  readonly #root = mkdtempSync(join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), 'winnow-undo-'));
  readonly dataDirectory = join(this.#root, 'db');
  readonly beside = new StateBeside([join(this.dataDirectory, 'index', 'scavenging')]);
  readonly #variant: UndoVariant;
  #runs = 0;

  constructor(variant: UndoVariant) {
    this.#variant = variant;
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  prepare(): Promise<MemoryFileSystem> {
    this.beside.restore({ name: 'nothing', files: new Map() });
    return writeCrashDatabase({ ...this.#variant.database, dataDirectory: this.dataDirectory });
  }

  place(fileSystem: FileSystem) {
    return {
      fileSystem,
      dataDirectory: this.dataDirectory,
      indexDirectory: join(this.dataDirectory, 'index')
    };
  }

  scavenge(fileSystem: FileSystem, change: Partial<ScavengeRequest> = {}, mark?: (what: string) => void) {
    const { hostName, request } = this.#variant;
    return runScavenge(
      scavengeRequest(this.dataDirectory, {
        now: CRASH_TIME,
        pageSize: 512,
        keepReplacedMs: 7 * DAY_MS,
        ...request,
        ...change
      }),
      scavengeEnvironment({
        ...(hostName === undefined ? {} : { hostName }),
        fileSystem,
        newGuid: guidsFrom(1000 + this.#runs++),
        calculationBatchSize: 5,
        trace: { checkpointing: ({ stage }) => mark?.(stage) }
      })
    );
  }

  undo(fileSystem: FileSystem) {
    return undoScavenge(this.place(fileSystem), { control: uncontrolled(), assumeStopped: false });
  }

  /** What a server does: an epoch, events, some of them in streams that it had before. */
  append(fileSystem: FileSystem, count: number): void {
    const newGuid = guidsFrom(77);
    const database = openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
    const writer = LogWriter.open({ fileSystem, directory: this.dataDirectory, newGuid }, database.chunkSet);
    const ticks = ticksFromIso('2026-01-02T00:00:00Z')!;
    const appender = new EventAppender({ writer, newGuid, now: () => ticks, lastEventNumber: () => -1 });
    appender.writeEpoch({ number: 7, epochId: newGuid(), leaderInstanceId: newGuid() });
    for (let i = 0; i < count; i++)
      appender.append(`later-${i % 3}`, [{ eventType: 'happened', data: Buffer.from(`later ${i}`) }]);
    writer.close();
    database.close();
  }

  forget(fileSystem: FileSystem) {
    return forgetKept({ ...this.place(fileSystem), assumeStopped: false });
  }

  expire(fileSystem: FileSystem) {
    return expireKept({ ...this.place(fileSystem), assumeStopped: false, now: AFTER_A_WEEK });
  }

  /** All of the directory but SQLite's shared memory. */
  tree(fileSystem: FileSystem): Tree {
    const tree = treeOf(fileSystem, this.dataDirectory);
    return Object.fromEntries(Object.entries(tree).filter(([name]) => !name.endsWith('-shm')));
  }

  /** Whatever was cut, back to the directory of before. */
  async back(fileSystem: FileSystem): Promise<void> {
    const isBegun = isUndoUnfinished(fileSystem, this.dataDirectory);
    if (isBegun) readUndoJournal(fileSystem, this.dataDirectory);
    if (isBegun || readableKept(this.place(fileSystem)).length > 0) await this.undo(fileSystem);
    this.expire(fileSystem);
  }

  /** As `back`, but the run that was cut is finished first. */
  async onAndBack(fileSystem: FileSystem, before: Tree): Promise<void> {
    const isBegun = isUndoUnfinished(fileSystem, this.dataDirectory);
    const isBefore = JSON.stringify(this.#withoutOurs(this.tree(fileSystem))) === JSON.stringify(before);
    // The rest of a run belongs to its first part, whether it is said again or not.
    if (!isBegun && !isBefore && readableKept(this.place(fileSystem)).length > 0) {
      const rest = { scavengePoint: 'existing', keepReplacedMs: undefined } as const;
      const { kept } = await this.scavenge(fileSystem, rest);
      if (kept && readableKept(this.place(fileSystem)).length !== 1) throw new Error('kept twice');
    }
    await this.back(fileSystem);
  }

  #withoutOurs(tree: Tree): Tree {
    return Object.fromEntries(Object.entries(tree).filter(([name]) => !name.startsWith('winnow-replaced')));
  }

  /** A server that starts finds a whole log, or refuses. Never less is readable than the scavenge leaves. */
  requireSafeStart(fileSystem: FileSystem, leastRecords: number): void {
    const { chaser, writer } = readCheckpoints(fileSystem, this.dataDirectory);
    if (chaser === BLOCKED_CHASER) return;
    if ((chaser ?? 0) > (writer ?? 0)) throw new Error('chaser.chk is ahead of writer.chk');
    const database = openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
    try {
      const damage = database.problems.find(({ severity }) => severity === 'damage');
      if (damage) throw new Error(damage.message);
      let records = 0;
      for (const cursor = database.log.cursor(); cursor.next();) records++;
      if (records < leastRecords) throw new Error(`${records} records are left of ${leastRecords}`);
    } finally {
      database.close();
    }
  }

  countRecords(fileSystem: FileSystem): number {
    const database = openDatabase({ fileSystem, dataDirectory: this.dataDirectory });
    let records = 0;
    for (const cursor = database.log.cursor(); cursor.next();) records++;
    database.close();
    return records;
  }

  /** A scavenge and its undo, cut anywhere; `way`: what is done after the cut. */
  async thereAndBack(way: 'back' | 'onAndBack'): Promise<CutSubject<Tree>> {
    const before = this.tree(await this.prepare());
    const least = await this.#leastRecords();
    return {
      beside: this.beside,
      prepare: () => this.prepare(),
      act: async (fileSystem, mark) => {
        await this.scavenge(fileSystem, {}, mark);
        await this.undo(fileSystem);
      },
      resume: (fileSystem) => (way === 'back' ? this.back(fileSystem) : this.onAndBack(fileSystem, before)),
      contentOf: (fileSystem) => this.tree(fileSystem),
      look: (fileSystem) => this.requireSafeStart(fileSystem, least)
    };
  }

  async #leastRecords(): Promise<number> {
    const disk = new FaultyFileSystem(await this.prepare(), { beside: this.beside });
    await this.scavenge(disk);
    return this.countRecords(disk) - 20;
  }
}

export async function withBench(
  variant: UndoVariant,
  work: (bench: UndoBench) => Promise<void>
): Promise<void> {
  const bench = new UndoBench(variant);
  try {
    await work(bench);
  } finally {
    bench.remove();
  }
}

/** W of a scavenge with its undo: see LEAST_CALLS of scavenge-subject.ts. */
export const LEAST_UNDO_CALLS = {
  existing: { calls: 335, flushes: 76 },
  history: { calls: 459, flushes: 135 }
} as const;

/** Cuts a scavenge and its undo, records it, and throws where something was lost or W fell. */
export async function cutThereAndBack(
  name: keyof typeof UNDO_VARIANTS,
  way: 'back' | 'onAndBack'
): Promise<void> {
  await withBench(UNDO_VARIANTS[name], async (bench) => {
    const report = await enumerateCuts(await bench.thereAndBack(way), sampledCalls());
    recordCuts(`scavenge and its undo, ${UNDO_VARIANTS[name].name}, ${way}`, 'scavenge undo', report);
    const least = LEAST_UNDO_CALLS[name];
    if (report.calls < least.calls || report.flushes < least.flushes)
      throw new Error(`W fell to ${report.calls} calls of which ${report.flushes} flush.`);
  });
}
