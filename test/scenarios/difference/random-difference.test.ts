/**
 * Random logs with metadata that change, deletes, transactions, epochs and scavenge points, on two nodes: one is scavenged
 * again and again while both grow alike, the other never is. What the first has lost the rules explain, all of it; and of a copy
 * from the middle nothing is ever called lost.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { differenceReport } from '../../../src-main/contract/operations/difference-reports.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { RandomLog } from '../../campaign/random-log.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { seedList } from '../../support/seeds.ts';
import { testingContext } from '../../support/testing-context.ts';

const SEEDS = seedList(20);
const ROUNDS = 3;
const fileSystem = new NodeFileSystem();
let root = '';
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-random-difference-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function newLog(name: string, seed: number): RandomLog {
  const dataDirectory = path.join(root, name);
  fs.mkdirSync(dataDirectory);
  return new RandomLog({ dataDirectory, random: new Prng(seed), hasher: hashStream });
}

async function compare(one: string, other: string) {
  const context = testingContext('compareDatabases', {
    dataDirectory: one,
    fileSystem,
    clock: () => Date.UTC(2026, 10, 23)
  });
  const request = { dataDirectory: one, others: [{ dataDirectory: other }], readAll: true };
  const report = await runReportOperation(
    'compareDatabases',
    requests.compareDatabases.parse(request),
    context
  );
  return differenceReport.parse(report).comparisons[0]!;
}

/** Positions of all records, by reading the log from its beginning. */
function positionsIn(dataDirectory: string): Set<number> {
  const database = openDatabase({ fileSystem, dataDirectory });
  const positions = new Set<number>();
  for (const cursor = database.log.cursor(); cursor.next();) positions.add(cursor.record.position);
  database.close();
  return positions;
}

it.each(SEEDS)('explains all that scavenges removed, and calls nothing lost (seed %i)', async (seed) => {
  const logs = [newLog('never', seed), newLog('scavenged', seed)] as const;
  const [never, scavenged] = logs.map(({ dataDirectory }) => dataDirectory) as [string, string];
  const middle = path.join(root, 'middle');
  for (let round = 0; round < ROUNDS; round++) {
    for (const log of logs) {
      log.grow({ steps: 150 });
      await log.growIndex();
      log.writePoint(0);
    }
    if (round === 0) fs.cpSync(never, middle, { recursive: true });
    await runScavenge(scavengeRequest(scavenged, { scavengePoint: 'existing' }), scavengeEnvironment());
  }
  const kept = positionsIn(scavenged);
  const removed = [...positionsIn(never)].filter((position) => !kept.has(position));
  const { verdict, total, differences } = await compare(never, scavenged);
  // Ids come one after the other, for records and for new chunks: where only one of the two logs needs a new chunk after it
  // was opened, the next record gets the id that the other's had. The data of an epoch are ids as well.
  const isOfIds = ({ bytes, one, other }: (typeof differences)[number]): boolean => {
    if (bytes?.part === 'event id') return true;
    const [mine, theirs] = [one?.record, other?.record].map((record) => ({
      ...record,
      fileOffset: null,
      eventId: null,
      ...(record?.kind === 'system' && { dataSha256: null })
    }));
    return isDeepStrictEqual(mine, theirs);
  };
  const others = differences.filter((difference) => !isOfIds(difference));
  expect(others.map(({ position, because }) => [position, because])).toEqual([]);
  if (total.differing === 0) expect(verdict).toBe(removed.length > 0 ? 'explained' : 'equal');
  expect(total.onlyOne.explained.records).toBe(removed.length);
  expect(total.equal.records).toBe(kept.size - total.differing);

  const older = await compare(middle, scavenged);
  const inMiddle = [...positionsIn(middle)].filter((position) => !kept.has(position));
  // Metadata that came and went after the copy was taken are on neither side: then it is not known, and never a loss.
  expect(older.total.onlyOne.unexplained.records).toBe(0);
  expect(older.total.onlyOne.explained.records + older.total.onlyOne.notKnown.records).toBe(inMiddle.length);
});
