/** Records that no scavenge can pass are found before anything is written, and it is told how far was searched. */
import { describe, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import type { LogReader } from '../../../src-core/log/log-reader.ts';
import { ObstacleWatch, refuseObstacles } from '../../../src-core/scavenge/find-obstacle.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { appendedLog, someEvents } from '../../support/appended-log.ts';
import { stoppedAtFirstTurn } from '../../support/stopped-operation.ts';

/** Ordinary events around metadata within an explicit transaction. */
function withObstacle(): { log: LogReader; position: number; behind: number } {
  let position = 0;
  let behind = 0;
  const { log } = appendedLog((after) => {
    const appender = after(-1);
    appender.append('before', someEvents(3));
    appender.setMetadata('before', '{"$maxCount":1}');
    const transaction = appender.beginTransaction('$$orders');
    appender.writeInTransaction(transaction, { eventType: '$metadata', data: Buffer.from('{}') });
    appender.commitTransaction(transaction);
    position = transaction.position;
    behind = appender.append('after', someEvents(3)).position;
  });
  return { log, position, behind };
}

async function searched(
  log: LogReader,
  { from = 0, to = log.end, operation = uncontrolled() } = {}
): Promise<{ heard: number[]; error: unknown }> {
  const heard: number[] = [];
  const control = new RunControl({ operation });
  const search = refuseObstacles(log, { from, to, onSearched: (position) => heard.push(position) }, control);
  const error: unknown = await search.then(
    () => undefined,
    (thrown: unknown) => thrown
  );
  return { heard, error };
}

describe('a search for what stops a scavenge', () => {
  it('ends at the record, names it, and tells its position as where it was searched up to', async () => {
    const { log, position } = withObstacle();
    const { heard, error } = await searched(log);
    expect(error).toMatchObject({
      code: 'UnsupportedFormat',
      message: expect.stringMatching(
        new RegExp(`Metadata of orders was written within an explicit transaction, at position ${position}`)
      ) as string,
      details: { reason: 'metadataInTransaction', stream: '$$orders', position }
    });
    expect(heard).toEqual([position]);
  });

  it('ends at the hard delete of a metadata stream, and at none of another', async () => {
    const { log } = appendedLog((after) => {
      for (const stream of ['orders', '$$orders']) after(-1).hardDelete(stream);
    });
    expect((await searched(log)).error).toMatchObject({
      code: 'UnsupportedFormat',
      details: { reason: 'tombstoneInMetadataStream', stream: '$$orders' }
    });
  });

  it('looks between its ends only, and tells the second where nothing is found', async () => {
    const { log, position, behind } = withObstacle();
    expect(await searched(log, { to: position })).toEqual({ heard: [position], error: undefined });
    expect(await searched(log, { from: behind })).toEqual({ heard: [log.end], error: undefined });
    expect((await searched(log, { from: position })).error).toMatchObject({ details: { position } });
  });

  it('can be stopped in the middle, and tells how far it came', async () => {
    const { log } = appendedLog((after) => void after(-1).append('many', someEvents(2000)), 1024 * 1024);
    const operation = stoppedAtFirstTurn();
    const { heard, error } = await searched(log, { operation });
    expect(error).toBeInstanceOf(OperationStopped);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toBeGreaterThan(0);
    expect(heard[0]).toBeLessThan(log.end);
  });
});

describe('a watch over what is read for another reason', () => {
  const watched = (log: LogReader, from: number, to: number): ObstacleWatch => {
    const watch = new ObstacleWatch();
    const cursor = watch.over(log.heads(from, to), from, to);
    while (cursor.next());
    cursor.close();
    return watch;
  };

  it('says of a range that was read to its end and held no obstacle that there is none', () => {
    const { log, position, behind } = withObstacle();
    expect(watched(log, 0, position)).toMatchObject({ from: 0, to: position });
    expect(watched(log, behind, log.end)).toMatchObject({ from: behind, to: log.end });
  });

  it('says nothing of a range with one, or that was not read to its end', () => {
    const { log } = withObstacle();
    expect(watched(log, 0, log.end)).toMatchObject({ from: 0, to: 0 });
    const watch = new ObstacleWatch();
    const cursor = watch.over(log.heads(0, log.end), 0, log.end);
    cursor.next();
    cursor.close();
    expect(watch).toMatchObject({ from: 0, to: 0 });
  });
});
