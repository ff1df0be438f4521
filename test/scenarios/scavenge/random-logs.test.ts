/**
 * Random logs under a hash that collides all the time, often stopped on the way, against the naive model: no record too few,
 * none too many, and every record that is left can be found through the index.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { writeCaseDatabase, type CasePlace } from '../../../src-main/conformance/case-database.ts';
import type { CaseLimits, CaseRecord, ScenarioCase } from '../../../src-main/conformance/case-format.ts';
import { humanHasher } from '../../../src-main/conformance/case-hashers.ts';
import { observe } from '../../../src-main/conformance/case-observation.ts';
import { Prng } from '../../support/prng.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { survivors } from '../../support/survivors-model.ts';
import { seedCount } from '../../support/seeds.ts';

const SEEDS = seedCount(150);
const STREAMS = ['ab-1', 'ab-2', 'cb-1', 'cd-1', 'cd-2', 'ef-1', 'a$-1'];
const START_MS = Date.parse('2022-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;

const directory = temporaryDirectory();
afterAll(() => rmSync(directory, { recursive: true }));

const timeText = (ms: number) => new Date(ms).toISOString();

function randomLimits(random: Prng): CaseLimits {
  return {
    ...(random.chance(0.4) ? { maxCount: random.between({ low: 1, high: 4 }) } : {}),
    ...(random.chance(0.4) ? { truncateBefore: random.chance(0.3) ? 'max' : random.below(12) } : {}),
    ...(random.chance(0.4) ? { maxAgeSeconds: random.between({ low: 1, high: 60 }) * 3600 } : {})
  };
}

/** A log of a few chunks with a scavenge point, that ignores every rule, at the end. */
function randomScenario(random: Prng): { scenario: ScenarioCase; nowMs: number } {
  const next = new Map<string, number>();
  const deleted = new Set<string>();
  const chunks: CaseRecord[][] = [];
  let nowMs = START_MS;
  const numberIn = (stream: string) => {
    const number = next.get(stream) ?? 0;
    next.set(stream, number + 1);
    return number;
  };
  for (let chunk = random.between({ low: 1, high: 5 }); chunk > 0; chunk--) {
    const records: CaseRecord[] = [];
    for (let count = random.between({ low: 1, high: 14 }); count > 0; count--) {
      const stream = random.pick(STREAMS);
      nowMs += random.below(3 * HOUR_MS);
      const time = timeText(nowMs);
      if (deleted.has(stream)) continue;
      if (random.chance(0.03)) {
        deleted.add(stream);
        records.push({ kind: 'tombstone', stream, eventNumber: 'max', time });
      } else if (random.chance(0.2)) {
        const metadata = randomLimits(random);
        records.push({
          kind: 'metadata',
          stream: `$$${stream}`,
          eventNumber: numberIn(`$$${stream}`),
          metadata,
          time
        });
      } else {
        records.push({ kind: 'event', stream, eventNumber: numberIn(stream), time });
      }
    }
    chunks.push(records);
  }
  nowMs += random.below(30 * HOUR_MS);
  chunks.push([{ kind: 'scavengePoint', eventNumber: 0, threshold: -1, time: timeText(nowMs) }]);
  return { scenario: { id: 'random', kind: 'scenario', chunks, steps: [] }, nowMs };
}

describe('a random log', () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'keeps what the model keeps, seed %d',
    async (seed) => {
      const random = new Prng(seed);
      const { scenario, nowMs } = randomScenario(random);
      const place: CasePlace = {
        fileSystem: new NodeFileSystem(),
        dataDirectory: join(directory, `seed-${seed}`),
        hasher: humanHasher
      };
      const written = writeCaseDatabase(place, scenario);
      const request = scavengeRequest(place.dataDirectory, { merge: random.chance(0.5) });
      const stopAfter = random.pick(['nothing', 'accumulation', 'calculation', 'chunkExecution'] as const);
      const environment = () => scavengeEnvironment({ hasher: humanHasher, calculationBatchSize: 2 });
      if (stopAfter !== 'nothing') await runScavenge({ ...request, stopAfter }, environment());
      await runScavenge(request, environment());

      const records = scenario.chunks.flat();
      const stays = survivors(records.slice(0, -1), nowMs);
      const all = written.records.flat();
      const expected = all.filter((_, i) => stays[i] ?? true);
      const observation = await observe(place);
      try {
        expect([...observation.records.keys()]).toEqual(expected.map(({ position }) => position));
        for (const { stream, indexNumber, position } of expected) {
          expect(observation.lookUp(stream, indexNumber!), `event ${indexNumber} of ${stream}`).toBe(
            position
          );
        }
      } finally {
        observation.close();
      }
    }
  );
});
