/**
 * A node's life at random: it writes, is scavenged and backed up in every mode, some backups are stopped and others
 * removed. Whatever order that takes, each backup that is left proves whole, and a restore of it has the records of the moment it
 * was taken.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { BackupRequest } from '../../../src-core/backup/backup-request.ts';
import { readManifest } from '../../../src-core/backup/catalogue.ts';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import { runPrune } from '../../../src-core/backup/prune-backups.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, ticksToIso, type Ticks } from '../../../src-core/units/ticks.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { control, testBackups, type TestBackups } from '../../core/backup/backup-environment.ts';
import { contentOf } from '../../support/database-content.ts';
import { Prng } from '../../support/prng.ts';
import { restore, sourceOf } from '../../support/restore-fixture.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { seedList } from '../../support/seeds.ts';

const STEPS = 14;
const DAY_TICKS = 864_000_000_000n;
const fileSystem = new NodeFileSystem();
const root = temporaryDirectory();
afterAll(() => rmSync(root, { recursive: true, force: true }));

class NodeLife {
  /** Records of the database when each backup was taken, by its id. */
  readonly taken = new Map<string, string[]>();
  readonly #random: Prng;
  readonly #log: RandomLog;
  readonly #backups: TestBackups;
  readonly #directory: string;
  readonly #target: string;

  constructor(seed: number) {
    this.#random = new Prng(seed);
    this.#directory = join(root, String(seed));
    this.#target = join(this.#directory, 'backups');
    const dataDirectory = join(this.#directory, 'node');
    mkdirSync(dataDirectory, { recursive: true });
    this.#log = new RandomLog({ dataDirectory, random: this.#random, hasher: hashStream });
    let days = 0n;
    this.#backups = testBackups(fileSystem, {
      dataDirectory,
      directory: this.#target,
      threads: this.#random.pick([1, 2]),
      environment: { now: () => ticksFromIso('2026-01-31T05:00:00Z')! + days++ * (DAY_TICKS / 2n) }
    });
  }

  async step(): Promise<void> {
    const kind = this.#random.below(8);
    if (kind < 3) this.#log.grow({ steps: 1 + this.#random.below(120) });
    else if (kind === 3) await this.#log.growIndex();
    else if (kind === 4) await this.#scavenge();
    else if (kind === 5 && this.taken.size > 2) await this.#prune();
    else await this.#backUp();
  }

  async #scavenge(): Promise<void> {
    const { dataDirectory, now, hasher } = this.#log;
    const request = {
      scavengePoint: 'new',
      now: ticksToIso(now),
      threshold: this.#random.pick([0, -1, 5])
    } as const;
    await runScavenge(
      scavengeRequest(dataDirectory, { ...request, merge: this.#random.chance(0.5) }),
      scavengeEnvironment({ hasher, now: () => now as Ticks })
    );
    this.#log.learn();
  }

  async #backUp(): Promise<void> {
    const { request, environment, target } = this.#backups;
    const mode = this.#random.pick<BackupRequest['mode']>([
      'auto',
      'auto',
      'full',
      'differential',
      'snapshot'
    ]);
    if (mode === 'differential' && this.taken.size === 0) return;
    const stop = new AbortController();
    // Some are stopped; the next one goes by what is there.
    let left = this.#random.chance(0.3) ? this.#random.below(6) : Infinity;
    const copyFile = target.copyFile.bind(target);
    target.copyFile = (order, callbacks) => {
      if (--left < 0) stop.abort();
      return copyFile(order, callbacks);
    };
    try {
      const { id } = await runBackup(
        { ...request, mode },
        { ...environment, operation: control(stop.signal) }
      );
      this.taken.set(id, (await contentOf(this.#log.dataDirectory)).records);
    } catch (error) {
      if (!(error instanceof OperationStopped)) throw error;
    } finally {
      target.copyFile = copyFile;
    }
  }

  async #prune(): Promise<void> {
    const retention = {
      last: 1 + this.#random.below(2),
      daily: this.#random.below(3),
      weekly: 0,
      monthly: 0
    };
    const { removed } = await runPrune(
      this.#backups.target,
      { retention, includeUnfinished: this.#random.chance(0.3), now: '2026-12-31T00:00:00.0000000Z' },
      { control: control() }
    );
    for (const { id } of removed) this.taken.delete(id);
  }

  async expectAllWhole(): Promise<void> {
    const { target } = this.#backups;
    for (const [id, records] of this.taken) {
      const manifest = (await readManifest(target, id)) as Manifest;
      const { findings } = await verifyBackup({ manifest, target, control: control() });
      expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
      const dataDirectory = join(this.#directory, `restored-${id}`);
      const source = sourceOf(fileSystem, this.#target, manifest);
      await restore({ fileSystem, source, dataDirectory, appliesTruncation: this.#random.chance(0.5) });
      expect((await contentOf(dataDirectory)).records).toEqual(records);
      rmSync(dataDirectory, { recursive: true });
    }
  }

  end(): void {
    rmSync(this.#directory, { recursive: true });
  }
}

it.each(seedList(5))(
  'what is left of the backups is whole, and has what the node had, seed %d',
  async (seed) => {
    const life = new NodeLife(seed);
    for (let step = 0; step < STEPS; step++) await life.step();
    await life.expectAllWhole();
    life.end();
  }
);
