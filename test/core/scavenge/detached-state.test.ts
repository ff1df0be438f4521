/** The state of a detached scavenge whose log was cut since: by what it knows of the part that is gone, nothing may be removed. */
import { cpSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { planScavenge, runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../../src-core/scavenge/scavenge-request.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { contentOf, filesOf } from '../../support/database-content.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());

const SIZE = { sizeBytes: 100_000, chunkSizeBytes: 65_536, seed: 5 };
const event = (data: string) => ({ eventType: 'thing', data: Buffer.from(data) });

function append(directory: string, write: (appender: EventAppender) => void): void {
  const fileSystem = new NodeFileSystem();
  const database = openDatabase({ fileSystem, dataDirectory: directory });
  const { newGuid, now } = scavengeEnvironment();
  const writer = LogWriter.open({ fileSystem, directory, newGuid }, database.chunkSet);
  write(new EventAppender({ writer, newGuid, now, lastEventNumber: () => -1 }));
  writer.close();
  database.close();
}

/** Until the chunk in work is complete. */
function fill(appender: EventAppender): void {
  const chunk = Math.floor(appender.position / SIZE.chunkSizeBytes);
  while (Math.floor(appender.position / SIZE.chunkSizeBytes) === chunk)
    appender.append('filler', [event('x'.repeat(4000))]);
}

const detached = (directory: string, change: Partial<ScavengeRequest>) =>
  scavengeRequest(directory, {
    ...{ scavengePoint: 'detached', threshold: -1, scratchDirectory: samples.directory() },
    ...change
  });
const METADATA = { eventType: '$metadata', data: Buffer.from('{"$maxCount":1}') };

describe('the state of a detached scavenge that was stopped, of a log that was then restored to before its point,', () => {
  let directory: string;
  let winnowHome: string;
  beforeEach(async () => {
    directory = await samples.write(SIZE, { withPoint: false });
    winnowHome = samples.directory();
    append(directory, (appender) => {
      for (let i = 0; i < 10; i++) appender.append('kept', [event(`${i}`)]);
      fill(appender);
    });
    const backup = samples.copy(directory);
    append(directory, (appender) => {
      appender.append('$$kept', [METADATA]);
      fill(appender);
    });
    const request = detached(directory, { winnowHome, stopAfter: 'calculation' });
    expect((await runScavenge(request, scavengeEnvironment())).result).toBe('stopped');
    rmSync(directory, { recursive: true });
    cpSync(backup, directory, { recursive: true });
  });

  it('is refused by plan and run, which leave the log as it is', async () => {
    const before = filesOf(directory);
    for (const scavenge of [planScavenge, runScavenge])
      await expect(
        scavenge(detached(directory, { winnowHome }), scavengeEnvironment())
      ).rejects.toMatchObject({
        code: 'LogCorrupt',
        message: expect.stringMatching(/its scavenge reaches to position 196608, .* end at 131072/) as string,
        remedy: expect.stringContaining('--start-afresh') as string,
        details: { reason: 'stateAheadOfLog', file: expect.stringContaining(winnowHome) as string }
      });
    expect(filesOf(directory)).toEqual(before);
  });

  it('is not used by a scavenge that starts afresh', async () => {
    const expected = samples.copy(directory);
    const own = detached(expected, { winnowHome: samples.directory() });
    expect((await runScavenge(own, scavengeEnvironment())).result).toBe('success');
    const again = detached(directory, { winnowHome, startAfresh: true });
    expect((await runScavenge(again, scavengeEnvironment())).result).toBe('success');
    expect(await contentOf(directory)).toEqual(await contentOf(expected));
  });
});
