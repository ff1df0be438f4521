/**
 * A scavenge state whose names, times or checkpoint were changed: a run copes with it, or would go by it only later. A whole
 * verification finds it, with what is known of the chunks and without.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { PreparedHeads } from '../../../src-core/digest/prepared-heads.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { verifyScavengeState, type StateProblem } from '../../../src-core/scavenge/state/verify-state.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { COLLIDING_ORDERS } from '../../support/colliding-names.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterAll(() => samples.removeAll());

type Phase = 'accumulation' | 'calculation' | 'done';
/** A database that was scavenged so far, of which copies are made. */
const databases = new Map<Phase, string>();
const stateOf = (directory: string): string => join(directory, 'index', 'scavenging', 'scavenging.db');

beforeAll(async () => {
  const size = { sizeBytes: 200_000, chunkSizeBytes: 65536, seed: 31 };
  const original = await samples.write(size, { withPoint: true });
  for (const phase of ['accumulation', 'calculation', 'done'] as const) {
    const directory = samples.copy(original);
    const stop = phase === 'done' ? {} : { stopAfter: phase };
    await runScavenge(scavengeRequest(directory, stop), scavengeEnvironment());
    databases.set(phase, directory);
  }
});

async function verified(
  phase: Phase,
  sql: string,
  { withDigests = false } = {}
): Promise<StateProblem | undefined> {
  const dataDirectory = samples.copy(databases.get(phase)!);
  const state = new DatabaseSync(stateOf(dataDirectory));
  state.exec(sql);
  state.close();
  const fileSystem = new NodeFileSystem();
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const digests = new ChunkDigests({ fileSystem, newGuid: () => 'new', threads: 1 });
    const heads = new PreparedHeads({ digests, fileSystem, operation: uncontrolled() });
    if (withDigests) await heads.prepare(database.log.chunks);
    return await verifyScavengeState({
      database,
      index: await database.openIndex(uncontrolled()),
      isWhole: true,
      heads: withDigests ? heads : undefined,
      makeScratch: () => samples.directory()
    });
  } finally {
    database.close();
  }
}

const ANY_NAME = `(SELECT key FROM HashUsers WHERE value NOT LIKE '$$%' LIMIT 1)`;
const ANY_METASTREAM = `(SELECT key FROM HashUsers WHERE value LIKE '$$%' LIMIT 1)`;
const ORIGINAL = '0, NULL, NULL, NULL, 0, 0, 1';
const [COLLIDING] = COLLIDING_ORDERS;

describe.each([
  [
    'has a name under the hash of another',
    `UPDATE HashUsers SET value = value || 'x' WHERE key = ${ANY_NAME}`
  ],
  ['has lost a name', 'DELETE FROM HashUsers WHERE key IN (SELECT key FROM OriginalStreamDatas LIMIT 1)'],
  ['has a stream without a name', `INSERT INTO OriginalStreamDatas VALUES (12345, ${ORIGINAL})`],
  [
    'has a metastream among streams',
    `INSERT INTO OriginalStreamDatas VALUES (${ANY_METASTREAM}, ${ORIGINAL})`
  ],
  ['has a stream among metastreams', `INSERT OR REPLACE INTO MetastreamDatas VALUES (${ANY_NAME}, 0, NULL)`],
  ['has a name that collides with none', `INSERT INTO HashCollisions VALUES ('${COLLIDING}')`],
  [
    'has a stream among those that collide',
    `INSERT INTO OriginalStreamDataCollisions VALUES ('order', ${ORIGINAL})`
  ],
  [
    'has a metastream among those that collide',
    `INSERT INTO MetastreamDataCollisions VALUES ('$$a', 0, NULL)`
  ]
])('a state that %s', (_, sql) => {
  it.each<Phase>(['accumulation', 'calculation', 'done'])('is found after %s', async (phase) => {
    expect(await verified(phase, sql)).toMatchObject({ severity: 'damage', code: 'stateInvalid' });
  });
});

describe.each([
  ['with digests', true],
  ['without digests', false]
])('the times of chunks, %s', (_, withDigests) => {
  const codeAfter = async (phase: Phase, sql: string): Promise<string | undefined> =>
    (await verified(phase, sql, { withDigests }))?.code;

  it('are those of the records of a chunk that nobody replaced', async () => {
    for (const phase of ['accumulation', 'calculation'] as const) {
      expect(await codeAfter(phase, '')).toBeUndefined();
      for (const change of ['min = min - 1', 'min = min + 1', 'max = max - 1', 'max = max + 1']) {
        const sql = `UPDATE ChunkTimeStampRanges SET ${change} WHERE key = 0`;
        expect([phase, change, await codeAfter(phase, sql)]).toEqual([phase, change, 'stateInvalid']);
      }
    }
  });

  it('are at least those of a chunk that was replaced', async () => {
    expect(await codeAfter('done', '')).toBeUndefined();
    const wider = 'UPDATE ChunkTimeStampRanges SET min = min - 1, max = max + 1 WHERE key = 0';
    expect(await codeAfter('done', wider)).toBeUndefined();
    const earlier = 'UPDATE ChunkTimeStampRanges SET max = min WHERE key = 0';
    expect(await codeAfter('done', earlier)).toBe('stateInvalid');
  });

  it('are none that only the state has', async () => {
    const range =
      'INSERT INTO ChunkTimeStampRanges VALUES (0, 5, 7) ON CONFLICT (key) DO UPDATE SET max = 7, min = 5';
    const problem = await verified('calculation', range, { withDigests });
    expect(problem?.message).toMatch(
      /of chunk 0 it has the times 0001-01-01T.* to 0001-01-01T.*, the log has the times 20/
    );
  });

  it('of the chunk that an earlier scavenge ended in are not judged before it was read again', async () => {
    const last = '(SELECT max(key) FROM ChunkTimeStampRanges)';
    const later = `UPDATE ChunkTimeStampRanges SET max = max - 1 WHERE key = ${last}`;
    const stage = `json_set(value, '$.checkpointStage', 'Accumulating')`;
    const done = (value: string): string => `${later}; UPDATE Checkpoint SET value = ${value}`;
    const begun = done(`json_remove(${stage}, '$.doneLogicalChunkNumber')`);
    expect(await codeAfter('calculation', begun)).toBeUndefined();
    const read = done(`json_set(${stage}, '$.doneLogicalChunkNumber', ${last})`);
    expect(await codeAfter('calculation', read)).toBe('stateInvalid');
  });
});

it.each<Phase>(['accumulation', 'calculation'])(
  'a stream that has lost its limits after %s is found',
  async (phase) => {
    const sql =
      'UPDATE OriginalStreamDatas SET maxAge = NULL, maxCount = NULL, truncateBefore = NULL, discardPoint = 1, maybeDiscardPoint = 1';
    const found = await verified(phase, `${sql} WHERE isTombstoned = 0`);
    expect(found?.code).toBe('stateInvalid');
    expect(found?.message).toContain('sets limits that it does not have');
  }
);

describe('the checkpoint of a state', () => {
  it.each([
    ['no text that can be understood', `'{'`],
    ['of a stage that is none', `replace(value, 'Done', 'Dome')`],
    ['with a member that is not known', `replace(value, '"checkpointStage"', '"chunk":3,"checkpointStage"')`],
    ['of a point with a member that is not known', `replace(value, '"effectiveNow"', '"x":3,"effectiveNow"')`]
  ])('that is %s is told, and is no damage', async (_, value) => {
    const found = await verified('done', `UPDATE Checkpoint SET value = ${value}`);
    expect(found).toMatchObject({
      severity: 'hint',
      code: 'stateCheckpointUnknown',
      file: 'scavenging/scavenging.db',
      remedy: expect.stringContaining('Nothing to do') as string
    });
  });

  it('has come to a stream that the state knows', async () => {
    const value = (handle: string): string =>
      `UPDATE Checkpoint SET value = json_set(value, '$.checkpointStage', 'Calculating', '$.doneStreamHandle', json('${handle}'))`;
    const found = await verified('calculation', value('{"kind":"Hash","streamHash":97}'));
    expect(found?.message).toContain('has come to a stream that it does not know');
    expect(await verified('calculation', value('{}'))).toBeUndefined();
    // A bundle says so that all streams were calculated.
    const hash = (digits: string): string => value(`{"kind":"Hash","streamHash":${digits}}`);
    expect(await verified('calculation', hash('9223372036854775807'))).toBeUndefined();
    for (const digits of ['9223372036854775806', '4294967295', '9223372032559808512'])
      expect((await verified('calculation', hash(digits)))?.code).toBe('stateInvalid');
  });

  it.each([['accumulation', 'Accumulating'] as const, ['calculation', 'ExecutingChunks'] as const])(
    'has come to a chunk below its scavenge point after %s',
    async (phase, stage) => {
      const set = (chunk: number): string =>
        `UPDATE Checkpoint SET value = json_set(value, '$.checkpointStage', '${stage}', '$.doneLogicalChunkNumber', ${chunk})`;
      expect(await verified(phase, set(0))).toBeUndefined();
      expect((await verified(phase, set(99)))?.message).toContain(
        'it has come to chunk 99, its scavenge ends in'
      );
    }
  );

  it('has the threshold of its scavenge point', async () => {
    const set = `UPDATE Checkpoint SET value = json_set(value, '$.scavengePoint.threshold', 77)`;
    expect(await verified('done', set)).toMatchObject({ code: 'stateAheadOfLog' });
  });

  it('need not be there', async () => {
    expect(await verified('done', 'DELETE FROM Checkpoint')).toBeUndefined();
  });

  it('stands in its row', async () => {
    expect(await verified('done', 'UPDATE Checkpoint SET key = 1')).toMatchObject({ code: 'stateInvalid' });
  });
});

it('a table of names whose order was changed is found', async () => {
  // The copy of the names by which they are looked up lies in another page than they do.
  const directory = samples.copy(databases.get('done')!);
  const state = new DatabaseSync(stateOf(directory));
  for (const name of COLLIDING_ORDERS) {
    state.prepare('INSERT INTO HashCollisions VALUES (?)').run(name);
  }
  state.close();
  const bytes = readFileSync(stateOf(directory));
  const name = Buffer.from(COLLIDING_ORDERS[0]);
  const last = bytes.lastIndexOf(name);
  expect(bytes.indexOf(name)).toBeLessThan(last);
  bytes[last + 7]! ^= 1;
  const changed = samples.copy(databases.get('done')!);
  mkdirSync(join(changed, 'index', 'scavenging'), { recursive: true });
  writeFileSync(stateOf(changed), bytes);
  databases.set('done', changed);
  expect((await verified('done', ''))?.message).toContain('SQLite finds it damaged');
});
