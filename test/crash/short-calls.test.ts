/**
 * Reads and writes that do less than they were asked for, and calls that a signal interrupts, change nothing: what a
 * scavenge, a backup, a restore and a repair leave is what they leave on a machine that does everything at once.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startEngineHere } from '../../src-main/engine/engine-here.ts';
import type { EngineHost } from '../../src-main/engine/engine-host.ts';
import { contentOf } from '../support/database-content.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../support/golden.ts';
import { filesIn } from '../support/independent/read-log.ts';
import { seenEvents } from '../support/independent/seen-events.ts';
import { Prng } from '../support/prng.ts';
import { recordCampaign } from '../support/proof-record.ts';
import { shortenCalls } from '../support/short-calls.ts';

const SEED = 11;
const NOW = '2026-01-01T00:00:00Z';
const root = fs.mkdtempSync(path.join(tmpdir(), 'winnow-short-'));
const engine = startEngineHere();
afterAll(async () => {
  await engine.close();
  fs.rmSync(root, { recursive: true, force: true });
  removeUnpacked();
});

interface Subject {
  /** What it starts from: `db` in a directory of its own. */
  database: () => string;
  run: (host: EngineHost, directory: string) => Promise<unknown>;
  /** The database to look at, below the directory. */
  result: string;
}

const at = (directory: string, name: string): string => path.join(directory, name);
const create = (host: EngineHost, directory: string) =>
  host.call('createBackup', {
    dataDirectory: at(directory, 'db'),
    target: at(directory, 'backups'),
    threads: 1
  });

const SUBJECTS: Record<string, Subject> = {
  scavenge: {
    database: () => unpackDatabase({ name: 'rules', folder: 'before' }),
    run: (host, directory) =>
      host.call('runScavenge', {
        dataDirectory: at(directory, 'db'),
        ...{ scavengePoint: 'detached', now: NOW, threads: 1, winnowHome: at(directory, 'home') }
      }),
    result: 'db'
  },
  'index rebuild': {
    database: () => unpackDatabase({ name: 'tables', folder: 'before' }),
    run: (host, directory) => host.call('rebuildIndex', { dataDirectory: at(directory, 'db') }),
    result: 'db'
  },
  'backup and restore': {
    database: () => unpackDatabase({ name: 'rules', folder: 'before' }),
    run: async (host, directory) => {
      await create(host, directory);
      await host.call('runRestore', {
        ...{ target: at(directory, 'backups'), dataDirectory: at(directory, 'restored') }
      });
    },
    result: 'restored'
  },
  repair: {
    database: () => unpackDamaged('damaged-b-footer-md5'),
    run: (host, directory) => host.call('repairDatabase', { dataDirectory: at(directory, 'db') }),
    result: 'db'
  }
};

it.each(Object.entries(SUBJECTS))(
  'a %s on such a machine ends as on another',
  async (name, { database, run, result }) => {
    const [whole, short] = ['whole', 'short'].map((kind) => {
      const directory = fs.mkdtempSync(path.join(root, `${kind}-`));
      fs.cpSync(database(), path.join(directory, 'db'), { recursive: true });
      return directory;
    });
    await run(engine, whole!);
    const calls = shortenCalls(new Prng(SEED));
    try {
      await run(engine, short!);
    } finally {
      calls.restore();
    }
    const [left, right] = [at(short!, result), at(whole!, result)];
    expect(await contentOf(left)).toEqual(await contentOf(right));
    const seen = [left, right].map((directory) => seenEvents(filesIn(directory), 0n));
    for (const stream of seen[1]!.names) expect(seen[0]!.of(stream)).toEqual(seen[1]!.of(stream));
    const { findings } = await engine.call('verifyDatabase', { dataDirectory: left });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
    expect(calls.short).toBeGreaterThan(0);
    expect(calls.interrupted).toBeGreaterThan(0);
    recordCampaign({
      ...{ name: `${name}, short and interrupted calls`, promise: 'badMachine', operation: name },
      faults: 'fewer bytes than asked for, EINTR',
      counts: { cases: 1 },
      seed: SEED
    });
  }
);
