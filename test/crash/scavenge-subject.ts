/**
 * Scavenges to be cut: a small database with every feature, and the ways to run over it. The log and its index lie
 * in memory, SQLite's state beside it in a temporary directory. Every store of a checkpoint is a moment to cut at
 * too, so that the phases which only change the state are cut in all of their steps.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../src-core/scavenge/scavenge-request.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../src-core/units/ticks.ts';
import {
  collidingHasher,
  CRASH_TIME,
  guidsFrom,
  writeCrashDatabase,
  type CrashDatabase
} from '../support/crash-database.ts';
import type { CutSubject } from '../support/cut-enumeration.ts';
import { rewritingInTurns } from '../support/rewriting-in-turns.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { requireOldOrNew, scavengedContent, type ScavengedContent } from '../support/scavenge-content.ts';
import { filesOf } from '../support/files-of.ts';
import { requireSeen, seenEvents, type SeenEvents } from '../support/independent/seen-events.ts';
import { StateBeside } from '../support/state-beside.ts';

export interface ScavengeVariant {
  name: string;
  database: Omit<CrashDatabase, 'dataDirectory' | 'hasher'>;
  request: Partial<ScavengeRequest>;
  hasCollisions: boolean;
  /** Writes its history into the log. */
  hostName?: string;
  /** Chunks are prepared by several workers: rewriting-in-turns.ts. */
  hasWorkers?: boolean;
}

/** The first four are cut at every call on every run of the tests, the others at some; all of them at every call by
 * `npm run crash -- --all`. */
export const SCAVENGE_VARIANTS = {
  merging: {
    name: 'existing point, merging',
    database: { point: { threshold: 0 } },
    request: { scavengePoint: 'existing' },
    hasCollisions: false
  },
  unmerged: {
    name: 'existing point with a threshold, no merging, colliding hashes',
    database: { point: { threshold: 20 } },
    request: { scavengePoint: 'existing', merge: false, alwaysKeepScavenged: false },
    hasCollisions: true
  },
  newPoint: {
    name: 'new point',
    database: {},
    request: { scavengePoint: 'new', singleNode: true },
    hasCollisions: false
  },
  detached: {
    name: 'detached point, colliding hashes',
    database: { point: { threshold: 0 } },
    request: { scavengePoint: 'detached' },
    hasCollisions: true
  },
  history: {
    name: 'new point, history in the log',
    database: {},
    request: { scavengePoint: 'new', singleNode: true },
    hasCollisions: false,
    hostName: 'node-a'
  },
  hardDeletes: {
    name: 'hard deletes ignored, colliding hashes',
    database: { point: { threshold: 0 } },
    request: { scavengePoint: 'existing', unsafeIgnoreHardDeletes: true },
    hasCollisions: true
  },
  twoThreads: {
    name: 'existing point, merging, two threads',
    database: { point: { threshold: 0 } },
    request: { scavengePoint: 'existing', threads: 2 },
    hasCollisions: false,
    hasWorkers: true
  },
  rescueDetached: {
    name: 'rescue with a detached point, colliding hashes',
    database: { point: { threshold: 0 } },
    request: { scavengePoint: 'detached', merge: false, rescue: { reserveBytes: 0 } },
    hasCollisions: true
  },
  rescueExisting: {
    name: 'rescue with a point of the log',
    database: { point: { threshold: 0 } },
    request: { scavengePoint: 'existing', merge: false, rescue: { reserveBytes: 0 } },
    hasCollisions: false
  }
} as const satisfies Record<string, ScavengeVariant>;
export type VariantName = keyof typeof SCAVENGE_VARIANTS;

/**
 * W of each variant: calls that change or flush something, moments of the state included, and those that flush. A
 * run that makes fewer has lost one that something depended on: say which and why before this is lowered.
 */
export const LEAST_CALLS: Record<VariantName, { calls: number; flushes: number }> = {
  merging: { calls: 183, flushes: 37 },
  unmerged: { calls: 143, flushes: 29 },
  newPoint: { calls: 197, flushes: 43 },
  detached: { calls: 184, flushes: 38 },
  history: { calls: 302, flushes: 93 },
  hardDeletes: { calls: 184, flushes: 37 },
  twoThreads: { calls: 183, flushes: 37 },
  rescueDetached: { calls: 162, flushes: 34 },
  rescueExisting: { calls: 161, flushes: 33 }
};

const NOW = ticksFromIso(CRASH_TIME)!;

/** Where SQLite's flushes cost nothing: what survives is decided here, not by a disk. */
const MEMORY_DISK = '/dev/shm';

/** Directories of a test's own; `remove` at its end. */
export class ScavengeBench {
  readonly #root = mkdtempSync(join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), 'winnow-crash-'));
  readonly dataDirectory = join(this.#root, 'db');
  readonly #home = join(this.#root, 'home');

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  subjectOf(variant: ScavengeVariant): CutSubject<ScavengedContent> {
    const { dataDirectory } = this;
    const hasher = variant.hasCollisions ? { hasher: collidingHasher } : {};
    const beside = new StateBeside([
      join(dataDirectory, 'index', 'scavenging'),
      join(this.#home, 'detached-scavenges')
    ]);
    const content = { ...hasher, dataDirectory, isWithoutHistory: variant.hostName !== undefined };
    let runs = 0;
    let seen: SeenEvents | undefined;
    const change = {
      mayGrow: (stream: string) => /^(\$\$)?\$scavenge/.test(stream),
      forgetsDeletes: variant.request.unsafeIgnoreHardDeletes === true
    };
    const run =
      (request: Partial<ScavengeRequest>) => (fileSystem: FileSystem, mark: (what: string) => void) =>
        runScavenge(
          scavengeRequest(dataDirectory, {
            winnowHome: this.#home,
            now: CRASH_TIME,
            pageSize: 512,
            ...request
          }),
          scavengeEnvironment({
            ...hasher,
            ...(variant.hostName === undefined ? {} : { hostName: variant.hostName }),
            fileSystem,
            ...(variant.hasWorkers
              ? { workers: { start: rewritingInTurns(fileSystem), processorCount: 3 } }
              : {}),
            newGuid: guidsFrom(1000 + runs++),
            calculationBatchSize: 5,
            trace: { checkpointing: ({ stage }) => mark(stage) }
          })
        );
    const act = run(variant.request);
    const existing = run({ ...variant.request, scavengePoint: 'existing' });
    const goOn = async (fileSystem: FileSystem) => {
      if (variant.request.scavengePoint !== 'new') return act(fileSystem, () => undefined);
      // A new point is asked for once only: where it was written the next run uses it, or has nothing to do.
      const { records } = await scavengedContent({ ...content, fileSystem });
      const isThere = records.flat().some((line) => line.includes(' $scavengePoint '));
      return (isThere ? existing : act)(fileSystem, () => undefined);
    };
    return {
      beside,
      prepare: async () => {
        const memory = await writeCrashDatabase({ ...variant.database, ...hasher, dataDirectory });
        memory.makeDirectory(this.#home);
        seen = seenEvents(filesOf(memory, dataDirectory), NOW);
        return memory;
      },
      act,
      resume: goOn,
      contentOf: (fileSystem) => scavengedContent({ ...content, fileSystem }),
      look: async (fileSystem, ends) => {
        await requireOldOrNew({ ...content, fileSystem }, ends);
        // As something sees it that shares no line with the engine.
        if (seen) requireSeen(seen, seenEvents(filesOf(fileSystem, dataDirectory), NOW), change);
      }
    };
  }
}
