/** Databases with a log that a seed determines, for those who compare two ways to read it. Tests that make some remove them at the end. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashStream } from '../../src-core/index/stream-hash.ts';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { ticksToIso } from '../../src-core/units/ticks.ts';
import { Prng } from '../support/prng.ts';
import { scavengeEnvironment, scavengeRequest, temporaryDirectory } from '../support/scavenge-environment.ts';
import { RandomLog } from './random-log.ts';

const homes: string[] = [];

/** Its data directory. At odd seeds the log was scavenged once and appended to. */
export async function randomDatabase(seed: number): Promise<string> {
  const home = temporaryDirectory();
  homes.push(home);
  const dataDirectory = join(home, 'db');
  mkdirSync(dataDirectory);
  const log = new RandomLog({ dataDirectory, random: new Prng(seed), hasher: hashStream });
  log.grow({ steps: 150 });
  if (seed % 2 === 0) return dataDirectory;
  const request = scavengeRequest(dataDirectory, {
    winnowHome: join(home, 'winnow'),
    scavengePoint: 'new',
    singleNode: true,
    now: ticksToIso(log.now)
  });
  await runScavenge(request, scavengeEnvironment());
  log.learn();
  log.grow({ steps: 80 });
  return dataDirectory;
}

export function removeRandomDatabases(): void {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
}
