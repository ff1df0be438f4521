/**
 * The directory of a database is renamed while a command works on it, or the volume below is unmounted lazily, so that
 * its path leads to an empty directory of another volume: the command ends with an error that names it, writes nothing
 * to the other place, and ends well once all is back.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { EngineError } from '../../src-core/errors.ts';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { contentOf, withDatabase } from '../support/database-content.ts';
import { filesIn } from '../support/independent/read-log.ts';
import { requireSeen, seenEvents } from '../support/independent/seen-events.ts';
import { recordCampaign, sampled } from '../support/proof-record.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';
import { ScavengeSamples } from '../support/scavenge-sample.ts';
import { Strike } from '../support/struck-file-system.ts';

/** Of the calls that a scavenge makes, every so many-th. */
const EVERY = sampled(37);
const samples = new ScavengeSamples();
afterAll(() => samples.removeAll());

interface Away {
  take: () => void;
  bring: () => void;
  /** What was made where the directory was meanwhile. */
  foreign: () => string[];
}

function renamed(directory: string): Away {
  const other = `${directory}-moved`;
  const foreign = (): string[] =>
    fs.existsSync(directory) ? fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }) : [];
  return {
    take: () => fs.renameSync(directory, other),
    bring: () => {
      fs.rmSync(directory, { recursive: true, force: true });
      fs.renameSync(other, directory);
    },
    foreign
  };
}

/** The database lies beside the mount point, which holds nothing of its own. */
function unmounted(directory: string): Away {
  const real = `${directory}-real`;
  fs.renameSync(directory, real);
  fs.mkdirSync(directory);
  execFileSync('mount', ['--bind', real, directory]);
  return {
    take: () => execFileSync('umount', ['--lazy', directory]),
    bring: () => {
      fs.rmSync(directory, { recursive: true });
      fs.renameSync(real, directory);
    },
    foreign: () => fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })
  };
}

function mayMount(): boolean {
  const directory = samples.directory();
  try {
    execFileSync('mount', ['--bind', directory, directory], { stdio: 'ignore' });
    execFileSync('umount', [directory]);
    return true;
  } catch {
    return false;
  }
}

const WAYS: Record<string, (directory: string) => Away> = {
  'is renamed': renamed,
  ...(process.platform === 'linux' && mayMount() ? { 'loses its volume': unmounted } : {})
};

it.each(Object.entries(WAYS))(
  'a database that %s is left whole, and nothing is written elsewhere',
  async (name, way) => {
    const original = await samples.write(
      { sizeBytes: 400_000, chunkSizeBytes: 65_536, seed: 5 },
      { withPoint: true }
    );
    const before = seenEvents(filesIn(original), 0n);
    const uncut = samples.copy(original);
    const count = new Strike(0, () => undefined);
    await runScavenge(scavengeRequest(uncut), scavengeEnvironment({ fileSystem: count.fileSystem() }));
    const expected = await contentOf(uncut);
    let cases = 0;
    for (let at = 1; at <= count.calls; at += EVERY) {
      const directory = samples.copy(original);
      const away = way(directory);
      const strike = new Strike(at, away.take);
      const end = await runScavenge(
        scavengeRequest(directory),
        scavengeEnvironment({ fileSystem: strike.fileSystem() })
      ).then(
        () => undefined,
        (error: unknown) => error
      );
      const where = `call ${at} of ${count.calls}: ${end instanceof Error ? end.message : 'no error'}`;
      if (!strike.hasHappened) away.take();
      expect(away.foreign(), where).toEqual([]);
      away.bring();
      if (end !== undefined) expect(end, where).toBeInstanceOf(EngineError);
      requireSeen(before, seenEvents(filesIn(directory), 0n));
      await runScavenge(scavengeRequest(directory), scavengeEnvironment());
      expect(await contentOf(directory), where).toEqual(expected);
      await withDatabase(directory, async (database) => {
        const { findings } = await verifyDatabase({
          ...{ database, quick: false, control: scavengeEnvironment().operation }
        });
        expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
      });
      fs.rmSync(path.dirname(directory), { recursive: true, force: true });
      cases++;
    }
    // Not everywhere may volumes be mounted: what is counted runs on every machine.
    if (way === unmounted) return;
    recordCampaign({
      ...{ name: 'scavenge of a database that is renamed', promise: 'badMachine', operation: 'scavenge' },
      faults: 'directory renamed before a call',
      counts: { cases }
    });
  }
);
