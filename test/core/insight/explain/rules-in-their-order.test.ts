/** The rules that an event meets on its way, in their order, and what is said of the chunk that it lies in. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExplainedChunk } from '../../../../src-core/insight/explain/explanation.ts';
import type { ScavengeRequest } from '../../../../src-core/scavenge/scavenge-request.ts';
import { namesIn } from '../../../../src-core/storage/directory-entries.ts';
import { CountingFileSystem } from '../../../support/counting-file-system.ts';
import { AskedLog, event } from './asked-log.ts';

let asked: AskedLog;
beforeEach(() => {
  asked = new AskedLog();
});
afterEach(() => asked.remove());

async function chain(stream: string, number: number, change: Partial<ScavengeRequest> = {}) {
  const { chain: steps } = await asked.event(stream, number, change);
  return steps.map(({ rule, says }) => `${rule} ${says}`);
}

async function chunk(change: Partial<ScavengeRequest> = {}): Promise<ExplainedChunk> {
  const answer = await asked.ask({ kind: 'chunk', chunk: 0 }, change);
  if (answer.kind !== 'chunk') throw new Error(`a ${answer.kind} was told`);
  return answer;
}

const BEFORE = ['afterScavengePoint passes', 'hardDelete passes'];
const REWRITTEN = 'belowThreshold passes';

describe('an event meets', () => {
  test.each<[string, string | undefined, number, string[]]>([
    ['no rule where its stream has none', undefined, 0, ['noRule keeps']],
    ['no rule where its stream has none, as the last', undefined, 3, ['noRule keeps']],
    ['a limit by number that keeps it', '{"$maxCount":3}', 1, ['lastEvent passes', 'maxCount keeps']],
    [
      'a limit by number that discards it',
      '{"$maxCount":3}',
      0,
      ['lastEvent passes', 'maxCount discards', REWRITTEN]
    ],
    ['each limit, as the last of its stream', '{"$maxCount":1}', 3, ['lastEvent keeps', 'maxCount passes']],
    ['a truncation that keeps it', '{"$tb":1}', 1, ['lastEvent passes', 'truncateBefore keeps']],
    ['a truncation before number 0', '{"$tb":0}', 0, ['lastEvent passes', 'truncateBefore keeps']],
    ['a truncation at number 0, as the last', '{"$tb":0}', 3, ['lastEvent keeps', 'truncateBefore passes']],
    [
      'limits that would discard it, were it not the last of its stream',
      '{"$tb":9,"$maxAge":1}',
      3,
      ['lastEvent keeps', 'truncateBefore passes', 'maxAge passes']
    ],
    [
      'a limit that would discard it by itself, and the one that is asked first',
      '{"$tb":2,"$maxCount":1}',
      0,
      ['lastEvent passes', 'maxCount discards', 'truncateBefore discards', REWRITTEN]
    ],
    ['an age that keeps it', '{"$maxAge":864000}', 0, ['lastEvent passes', 'maxAge keeps']],
    [
      'an age that discards it, after other limits that do not',
      '{"$tb":0,"$maxCount":9,"$maxAge":1}',
      0,
      ['lastEvent passes', 'truncateBefore passes', 'maxCount passes', 'maxAge discards', REWRITTEN]
    ]
  ])('%s', async (_, metadata, number, rules) => {
    asked.events.append('s', [event(3000), event(), event(), event()]);
    if (metadata !== undefined) asked.events.setMetadata('s', metadata);
    asked.finish();
    asked.day = 5;
    expect(await chain('s', number, { alwaysKeepScavenged: true })).toEqual([...BEFORE, ...rules]);
  });

  test('only the rules before the one for all that is of no stream or has a rule of its own', async () => {
    asked.events.append('s', [event()]);
    asked.events.setMetadata('s', '{"$maxCount":1}');
    asked.events.append('gone', [event()]);
    asked.events.hardDelete('gone');
    asked.finish();
    expect(await chain('$$s', 0)).toEqual([...BEFORE, 'lastEvent keeps']);
    expect(await chain('gone', 0, { alwaysKeepScavenged: true })).toEqual([
      BEFORE[0],
      'hardDelete discards',
      REWRITTEN
    ]);
  });
});

describe('an event that a rule discards stays', () => {
  const write = (bytes: number): void => {
    asked.events.append('s', [event(bytes), event()]);
    asked.events.setMetadata('s', '{"$maxCount":1}');
  };

  test('where its chunk has too little weight', async () => {
    write(3000);
    asked.finish();
    expect((await chain('s', 0, { threshold: 10 })).at(-1)).toBe('belowThreshold keeps');
    const { chain: steps } = await asked.event('s', 1, { threshold: 10 });
    expect(steps.at(-1)?.text).toBe('$maxCount is 1: numbers from 1 on; the event has number 1.');
    const { chain: ofFirst } = await asked.event('s', 0, { threshold: 10 });
    expect(ofFirst.at(-1)?.text).toBe(
      'Chunk 0 has weight 2, below the threshold of 10, so it is not rewritten.'
    );
  });

  test('where its chunk would not be smaller without it', async () => {
    write(1);
    asked.finish();
    expect((await chain('s', 0)).at(-1)).toBe('keptLarger keeps');
    expect(await chunk()).toMatchObject({ verdict: 'skip', rule: 'keptLarger' });
  });

  test('where its chunk is still written to', async () => {
    write(3000);
    asked.writer.close();
    expect(await chain('s', 0)).toEqual(['activeChunk keeps']);
    expect(await chunk()).toMatchObject({ verdict: 'skip', rule: 'activeChunk' });
  });
});

test.each<[string, Partial<ScavengeRequest>, string]>([
  ['reaches the threshold', { threshold: 2 }, ', which reaches the threshold of 2'],
  ['is above none', { threshold: 0 }, ', above the threshold of 0'],
  ['does not matter', { threshold: -1 }, ', and with a threshold of -1 every chunk is rewritten'],
  [
    'does not matter where hard deletes are ignored',
    { threshold: 3, unsafeIgnoreHardDeletes: true },
    ', but hard deletes are ignored, which visits every chunk'
  ]
])('of a chunk that is rewritten it is said that its weight %s', async (_, change, words) => {
  asked.events.append('s', [event(3000), event()]);
  asked.events.setMetadata('s', '{"$maxCount":1}');
  asked.finish();
  expect(await chunk({ ...change, alwaysKeepScavenged: true })).toMatchObject({
    ...{ verdict: 'rewrite', rule: 'maxCount', weight: 2 },
    because: `Chunk 0 has weight 2${words}: 1 of its records are removed.`
  });
});

describe('of a chunk that is not rewritten', () => {
  test('it is said that no rule discards any of it where that is so', async () => {
    asked.events.append('s', [event()]);
    asked.finish();
    expect(await chunk()).toMatchObject({
      ...{ verdict: 'skip', rule: 'noRule', weight: 0, change: null },
      because: 'Chunk 0 has weight 0: no rule discards any of it.'
    });
  });

  test('the weight is named also where none of its records can go yet', async () => {
    // By the times of the chunk alone the young event may be old: that is what a weight is made of.
    asked.events.append('other', [event()]);
    asked.day = 5;
    asked.events.append('s', [event(), event()]);
    asked.events.setMetadata('s', '{"$maxAge":259200}');
    asked.finish();
    asked.day = 6;
    const told = await chunk({ threshold: 10 });
    expect(told.weight).toBeGreaterThan(0);
    expect(told).toMatchObject({
      ...{ verdict: 'skip', rule: 'belowThreshold' },
      because: expect.stringMatching(
        /, below the threshold of 10, .*; 0 of its records could go\.$/
      ) as string,
      change: expect.stringMatching(/^A threshold of /) as string
    });
  });

  test('that a stopped scavenge has passed, the next one decides', async () => {
    asked.events.append('s', [event(1), event()]);
    asked.events.setMetadata('s', '{"$maxCount":1}');
    asked.finish();
    const stopped = { scavengePoint: 'new', singleNode: true, alwaysKeepScavenged: false } as const;
    await asked.scavenge({ ...stopped, stopAfter: 'chunkExecution' });
    expect(await chunk()).toMatchObject({
      ...{ verdict: 'skip', rule: 'belowThreshold', change: 'The next scavenge.' },
      because:
        'Chunk 0 was processed by this scavenge before it was stopped, and is not visited again; 1 of its records could go.'
    });
  });
});

describe('without a scavenge point', () => {
  beforeEach(() => {
    asked.events.append('s', [event(3000), event()]);
    asked.events.setMetadata('s', '{"$maxCount":1}');
    asked.finish();
  });

  test('a scavenge that was asked to use one does nothing, and a detached one is not told in its place', async () => {
    const answer = await asked.event('s', 0, { scavengePoint: 'existing' });
    expect(answer).toMatchObject({
      verdict: 'keep',
      scavenge: { point: null, placement: 'existing' },
      because: 'There is no unreached scavenge point, so this scavenge does nothing.'
    });
    expect(answer.chain.map(({ rule, says }) => `${rule} ${says}`)).toEqual(['afterScavengePoint keeps']);
    expect(await asked.event('s', 0)).toMatchObject({
      scavenge: { placement: 'detached' }
    });
  });

  test('an answer leaves no file open and nothing in the scratch directory, whether there is one or not', async () => {
    const fileSystem = new CountingFileSystem(asked.fileSystem);
    const scratch = asked.request().scratchDirectory!;
    for (const stream of ['s', 'no-such-stream'])
      await asked.ask({ kind: 'stream', stream }, {}, { fileSystem }).catch(() => undefined);
    expect(fileSystem.bytesRead).toBeGreaterThan(0);
    expect(fileSystem.openFiles).toBe(0);
    expect(namesIn(asked.fileSystem, scratch)).toEqual([]);
  });

  test('a stream whose metadata say nothing has no rules', async () => {
    asked.reopen();
    asked.events.append('t', [event()]);
    asked.events.setMetadata('t', '{}');
    asked.finish();
    expect((await asked.stream('t')).rules).toBeNull();
    expect((await asked.stream('s')).rules).toMatchObject({ maxCount: 1n });
  });
});
