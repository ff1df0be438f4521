/** The marks of a list of records: only what is known is told, and what is told is what `explain` says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { NodeFileSystem, openDatabase } from '../../../src-core/index.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runOperation } from '../../support/testing-context.ts';

const home = mkdtempSync(join(tmpdir(), 'winnow-marks-'));
const fileSystem = new NodeFileSystem();
afterEach(() => {
  removeUnpacked();
  rmSync(home, { recursive: true, force: true });
});

function run<N extends 'explain' | 'explainRecords' | 'planScavenge'>(
  operation: N,
  members: RequestOf<N>
): Promise<Replies[N]> {
  return runOperation(operation, members, {
    fileSystem,
    clock: () => Date.UTC(2026, 10, 21, 12)
  });
}

it('says that nothing is known before the weights are computed, and then what explain says of each record', async () => {
  const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
  const place = { dataDirectory, winnowHome: join(home, 'winnow') };
  const database = openDatabase({ fileSystem, dataDirectory });
  const positions: number[] = [];
  for (const cursor = database.log.cursor(); cursor.next();) positions.push(cursor.record.position);
  database.close();
  const marks = () =>
    run('explainRecords', { ...place, positions: positions.slice(0, 200), onlyKnown: true });
  expect(await marks()).toEqual({ kind: 'records', known: false, records: [], scavenge: null });
  await run('planScavenge', { ...place, scavengePoint: 'detached' });
  const known = await marks();
  expect(known.known).toBe(true);
  expect(known.records.map(({ position }) => position)).toEqual(positions.slice(0, 200));
  for (const mark of known.records.filter((_, index) => index % 20 === 0)) {
    const alone = await run('explain', { ...place, position: mark.position });
    expect(alone).toMatchObject({ verdict: mark.verdict, rule: mark.rule, until: mark.until });
    expect(alone.scavenge).toEqual(known.scavenge);
  }
});
