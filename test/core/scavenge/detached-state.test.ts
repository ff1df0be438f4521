/** The state of a detached scavenge whose log was cut since: by what it knows of the part that is gone, nothing may be removed. */
import { cpSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import type { ScavengePhase } from '../../../src-core/units/scavenge-terms.ts';
import { TICKS_PER_SECOND } from '../../../src-core/units/ticks.ts';
import { contentOf, filesOf } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

const SIZE = { sizeBytes: 100_000, chunkSizeBytes: 65_536, seed: 5 };
/** Streams with one event when the log is opened again; others begin. */
const isOld = new Set(['$$cut']);
let appended = 0n;
const event = (data: string) => ({ eventType: 'thing', data: Buffer.from(data) });

/** Each time a second later, as if a server wrote. */
function append(directory: string, write: (appender: EventAppender) => void): void {
  const fileSystem = new NodeFileSystem();
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  const { newGuid, now: beginning } = scavengeEnvironment();
  const now = () => beginning() + ++appended * TICKS_PER_SECOND;
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, database.chunkSet);
  write(
    new EventAppender({ writer, newGuid, now, lastEventNumber: (stream) => (isOld.has(stream) ? 0 : -1) })
  );
  writer.close();
  database.close();
}

const metadata = (json: string) => ({ eventType: '$metadata', data: Buffer.from(json) });

/** Until the chunk in work is complete. */
function fill(appender: EventAppender): void {
  const chunk = Math.floor(appender.position / SIZE.chunkSizeBytes);
  while (Math.floor(appender.position / SIZE.chunkSizeBytes) === chunk)
    appender.append('filler', [event('x'.repeat(4000))]);
}

function limitAndFill(appender: EventAppender): void {
  appender.append('$$kept', [metadata('{"$maxCount":1}')]);
  fill(appender);
}

const detached = (directory: string, change: Partial<ScavengeRequest>) =>
  scavengeRequest(directory, {
    ...{ scavengePoint: 'detached', threshold: -1, scratchDirectory: samples.directory() },
    ...change
  });

describe('the state of a detached scavenge that was stopped, of a log that was then restored', () => {
  let directory: string;
  let winnowHome: string;
  let backup: string;
  beforeEach(async () => {
    directory = await samples.write(SIZE, { withPoint: false });
    winnowHome = samples.directory();
    append(directory, (appender) => {
      for (let i = 0; i < 10; i++) appender.append('kept', [event(`${i}`)]);
      appender.append('$$cut', [metadata('{"$maxCount":1}')]);
      for (let i = 0; i < 10; i++) appender.append('cut', [event(`${i}`)]);
      fill(appender);
      appender.append('filler', [event('before the backup')]);
    });
    backup = samples.copy(directory);
  });

  /** `lost`: what is written before the scavenge and is not in the backup. */
  async function stopAndRestore(
    stopAfter: ScavengePhase,
    lost: (appender: EventAppender) => void
  ): Promise<void> {
    append(directory, lost);
    const request = detached(directory, { winnowHome, stopAfter });
    expect((await runScavenge(request, scavengeEnvironment())).result).toBe('stopped');
    rmSync(directory, { recursive: true });
    cpSync(backup, directory, { recursive: true });
  }

  async function expectRefusal(what: RegExp): Promise<void> {
    const before = filesOf(directory);
    for (const scavenge of [planScavenge, runScavenge])
      await expect(
        scavenge(detached(directory, { winnowHome }), scavengeEnvironment())
      ).rejects.toMatchObject({
        code: 'LogCorrupt',
        message: expect.stringMatching(what) as string,
        remedy: expect.stringContaining('--start-afresh') as string,
        details: { reason: 'stateAheadOfLog', file: expect.stringContaining(winnowHome) as string }
      });
    expect(filesOf(directory)).toEqual(before);
  }

  it('to before its point is refused by plan and run, which leave the log as it is', async () => {
    await stopAndRestore('calculation', limitAndFill);
    await expectRefusal(/its scavenge reaches to position 196608, .* end at 131072/);
  });

  it.each(['accumulation', 'calculation', 'chunkExecution'] as const)(
    'and went another way past its point is refused too, stopped after %s: it knows no metadata of that',
    async (phase) => {
      await stopAndRestore(phase, fill);
      append(directory, (appender) => {
        appender.append('$$cut', [metadata('{}')]);
        fill(appender);
      });
      await expectRefusal(/the record at position \d+ has the time .*, which chunk 2 did not have/);
    }
  );

  it('is not used by a scavenge that starts afresh', async () => {
    await stopAndRestore('calculation', limitAndFill);
    const expected = samples.copy(directory);
    const own = detached(expected, { winnowHome: samples.directory() });
    expect((await runScavenge(own, scavengeEnvironment())).result).toBe('success');
    const again = detached(directory, { winnowHome, startAfresh: true });
    expect((await runScavenge(again, scavengeEnvironment())).result).toBe('success');
    expect(await contentOf(directory)).toEqual(await contentOf(expected));
  });

  it.each(['accumulation', 'calculation', 'chunkExecution'] as const)(
    'is taken up where nothing was lost, stopped after %s, whatever was written since',
    async (stopAfter) => {
      append(directory, fill);
      await runScavenge(detached(directory, { winnowHome, stopAfter }), scavengeEnvironment());
      append(directory, fill);
      const { resumed, result } = await runScavenge(
        detached(directory, { winnowHome }),
        scavengeEnvironment()
      );
      expect({ resumed, result }).toEqual({ resumed: true, result: 'success' });
    }
  );
});
