/**
 * `$scavengePoints` as no server leaves it. Where a point is taken from it, a scavenge is refused as the server's is; what needs
 * none goes on, and so does what was begun.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { withDatabase } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';
import { runOperation } from '../../support/testing-context.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

const POINTS = '$scavengePoints';
const SIZE = { sizeBytes: 100_000, chunkSizeBytes: 32768, seed: 7 };
const fileSystem = new NodeFileSystem();

/** A small database with one scavenge point, and what somebody wrote behind it. */
async function writeDatabase(write: (appender: EventAppender) => void): Promise<string> {
  const directory = await samples.write(SIZE, { withPoint: true });
  await appendTo(directory, write);
  return directory;
}

function appendTo(directory: string, write: (appender: EventAppender) => void): Promise<void> {
  const { newGuid } = scavengeEnvironment();
  const now = () => ticksFromIso(SAMPLE_TIME)!;
  return withDatabase(directory, ({ chunkSet }, index) => {
    const writer = LogWriter.open({ fileSystem, directory, newGuid }, chunkSet);
    const lastEventNumber = (stream: string) => index.lastEventNumber(stream);
    write(new EventAppender({ writer, newGuid, now, lastEventNumber }));
    writer.close();
  });
}

function report<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { fileSystem, clock: () => Date.parse(SAMPLE_TIME) });
}

const inspect = (dataDirectory: string, change: Partial<RequestOf<'inspectDatabase'>>) =>
  report('inspectDatabase', { dataDirectory, ...change });

const event = (eventType: string, data: string) => ({ eventType, data: Buffer.from(data) });
const MEMBERS = ['existing', 'auto'] as const;
const FOREIGN: [string, (appender: EventAppender) => void, RegExp][] = [
  ['is hard-deleted', (appender) => appender.hardDelete(POINTS), /is hard-deleted/],
  [
    'ends with an event of another type',
    (appender) => appender.append(POINTS, [event('noted', '{}')]),
    /is of type "noted", not a scavenge point/
  ],
  [
    'ends with a point that says nothing',
    (appender) => appender.append(POINTS, [event('$scavengePoint', '[]')]),
    /has unreadable data/
  ]
];

function requestOf(directory: string, change: Partial<ScavengeRequest>): ScavengeRequest {
  return scavengeRequest(directory, {
    singleNode: true,
    now: SAMPLE_TIME,
    winnowHome: samples.directory(),
    scratchDirectory: samples.directory(),
    ...change
  });
}

function run(directory: string, change: Partial<ScavengeRequest>) {
  return runScavenge(requestOf(directory, change), scavengeEnvironment());
}

describe('a log in which the stream of points', () => {
  it.each(FOREIGN)(
    '%s is refused by plan and run where a point is taken from it',
    async (_what, write, why) => {
      const directory = await writeDatabase(write);
      for (const scavengePoint of MEMBERS) {
        const refusal = { code: 'LogCorrupt', message: expect.stringMatching(why) as string };
        const request = requestOf(directory, { scavengePoint });
        await expect(planScavenge(request, scavengeEnvironment())).rejects.toMatchObject(refusal);
        await expect(run(directory, { scavengePoint })).rejects.toMatchObject(refusal);
        const { nextScavenge, scavengePoints } = await inspect(directory, { scavengePoint });
        expect(nextScavenge).toMatchObject({
          kind: 'refused',
          because: expect.stringMatching(why) as string
        });
        expect(scavengePoints.map(({ number }) => number)).toEqual(why.source.includes('deleted') ? [] : [0]);
      }
    }
  );

  it.each(FOREIGN)('%s is scavenged detached, and counted', async (_what, write) => {
    const directory = await writeDatabase(write);
    expect((await inspect(directory, { scavengePoint: 'detached' })).nextScavenge.kind).toBe('detached');
    const { total } = await report('surveyUsage', { dataDirectory: directory });
    expect(total.discardableBytes).toBeGreaterThan(0);
    const { result, spaceSavedBytes } = await run(directory, { scavengePoint: 'detached' });
    expect(result).toBe('success');
    expect(spaceSavedBytes).toBeGreaterThan(0);
  });

  it.each(FOREIGN.slice(1))(
    '%s gets a new point, to which the next ones work again',
    async (_what, write) => {
      const directory = await writeDatabase(write);
      expect(await inspect(directory, { scavengePoint: 'new', singleNode: true })).toMatchObject({
        nextScavenge: { kind: 'new' }
      });
      const point = { number: 2, placement: 'new' };
      expect(await run(directory, { scavengePoint: 'new' })).toMatchObject({
        result: 'success',
        scavengePoint: point
      });
      expect(await run(directory, { scavengePoint: 'auto' })).toMatchObject({ scavengePoint: { number: 3 } });
    }
  );

  it('is hard-deleted gets no new point', async () => {
    const directory = await writeDatabase(FOREIGN[0]![1]);
    const refusal = { code: 'LogCorrupt', message: expect.stringMatching(/is hard-deleted/) as string };
    await expect(run(directory, { scavengePoint: 'new' })).rejects.toMatchObject(refusal);
  });

  it.each(FOREIGN)('%s resumes what was begun', async (_what, write) => {
    const directory = await writeDatabase(() => undefined);
    const begun = { scavengePoint: 'existing', stopAfter: 'calculation' } as const;
    expect(await run(directory, begun)).toMatchObject({ result: 'stopped', scavengePoint: { number: 0 } });
    await appendTo(directory, write);
    expect((await inspect(directory, {})).nextScavenge).toMatchObject({ kind: 'resume', point: 0 });
    expect(await run(directory, {})).toMatchObject({ result: 'success', scavengePoint: { number: 0 } });
  });
});

describe('a scavenge point that does not complete its chunk', () => {
  /** As it is when somebody writes it together with another event. */
  const writeBoth = (appender: EventAppender) =>
    appender.append(POINTS, [event('noted', '{}'), event('$scavengePoint', '{}')]);
  const refusal = {
    code: 'LogCorrupt',
    message: expect.stringMatching(/not completed, so it cannot/) as string
  };

  it('is refused by plan and run before anything is written, and a new point is the way past it', async () => {
    const directory = await writeDatabase(writeBoth);
    const before = readdirSync(directory, { recursive: true }).sort();
    for (const change of [{}, {}]) {
      await expect(planScavenge(requestOf(directory, change), scavengeEnvironment())).rejects.toMatchObject(
        refusal
      );
      await expect(run(directory, change)).rejects.toMatchObject(refusal);
    }
    expect(readdirSync(directory, { recursive: true }).sort()).toEqual(before);
    expect((await inspect(directory, {})).nextScavenge).toMatchObject({
      kind: 'refused',
      because: refusal.message
    });
    expect(await run(directory, { scavengePoint: 'new' })).toMatchObject({
      result: 'success',
      scavengePoint: { number: 3, placement: 'new' }
    });
  });

  it('may be one that a running server is writing at that moment, so that nothing is known of it', async () => {
    const directory = await writeDatabase(writeBoth);
    const release = fileSystem.tryLock(join(directory, 'writer.chk'))!;
    try {
      const { nextScavenge } = await inspect(directory, { forPlan: true });
      expect(nextScavenge).toMatchObject({ kind: 'refused', point: null });
      expect(nextScavenge.because).toMatch(
        /may be writing scavenge point \d+: its chunk is not completed yet\. .+ is not known before that; inspect again in a moment\.$/
      );
    } finally {
      release();
    }
  });

  it('is left by a run that a server had begun with a new point and a state of its own', async () => {
    const directory = await writeDatabase(writeBoth);
    const begun = requestOf(directory, { stopAfter: 'calculation' });
    await runScavenge(begun, scavengeEnvironment({ isUnexamined: true }));
    expect((await inspect(directory, {})).nextScavenge).toMatchObject({ kind: 'refused' });
    for (const scavengePoint of ['existing', 'new'] as const) {
      const remedy = expect.stringContaining('"--scavenge-point new --start-afresh"') as string;
      await expect(run(directory, { scavengePoint })).rejects.toMatchObject({ ...refusal, remedy });
    }
    const past = { scavengePoint: 'new', startAfresh: true } as const;
    expect(await run(directory, past)).toMatchObject({ result: 'success', scavengePoint: { number: 3 } });
  });
});
