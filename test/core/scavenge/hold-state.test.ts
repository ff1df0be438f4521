/** What a state says of streams, compared with a log that has events far apart, later tombstones and replaced metadata. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import type { EventAppender } from '../../../src-core/database/event-appender.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { checkState } from '../../../src-core/scavenge/state/check-state.ts';
import { holdStateAgainstLog } from '../../../src-core/scavenge/state/hold-state.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StreamStatus } from '../../../src-core/scavenge/state/stream-data.ts';
import { appendedLog, someEvents, type AppendedLog } from '../../support/appended-log.ts';
import { SAMPLE_NOW } from '../../support/restore-fixture.ts';

const PATH = '/state/scavenging.db';
let state: ScavengeState;
beforeEach(() => (state = new ScavengeState({ store: new MemoryState(), hasher: hashStream })));

type Write = (after: (last: number) => EventAppender) => void;

/** The state knows the names of all streams in the log. */
function hold(write: Write, beforePosition = Infinity): Promise<void> {
  const { log, index } = appendedLog(write);
  for (const cursor = log.cursor(); cursor.next();)
    if (cursor.record.kind === 'prepare') state.detectCollision(cursor.record.stream);
  return holdStateAgainstLog({
    ...{ state, log, index, statePath: PATH, effectiveNow: SAMPLE_NOW },
    ...{ beforePosition: Math.min(beforePosition, log.end), replacedFrom: Infinity, isActing: false }
  });
}

const untrue = (what: string) =>
  expect.objectContaining({
    code: 'LogCorrupt',
    message: expect.stringContaining(what) as string,
    details: expect.objectContaining({ file: PATH, reason: 'stateInvalid' }) as object
  }) as Error;

const given = (discardPoint: number, maybeDiscardPoint = discardPoint) => ({
  ...{ status: StreamStatus.active, discardPoint, maybeDiscardPoint }
});

it('a stream that is deleted after the point is not deleted before it', async () => {
  let point = 0;
  const write: Write = (after) => {
    const appender = after(-1);
    appender.append('late', someEvents(1));
    point = appender.append('other', someEvents(1)).position;
    appender.hardDelete('late');
  };
  state.originals.setTombstone(state.handleOf('late'));
  await expect(hold(write)).resolves.toBeUndefined();
  await expect(hold(write, point)).rejects.toThrow(
    untrue('late is marked as hard-deleted, but not in the log')
  );
});

it('what a stream that is deleted after the point had for limits need not be in the log any more, of others it does', async () => {
  let point = 0;
  const writing =
    (isDeleted: boolean): Write =>
    (after) => {
      const appender = after(-1);
      appender.append('late', someEvents(1));
      point = appender.append('other', someEvents(1)).position;
      if (isDeleted) appender.hardDelete('late');
    };
  const handle = state.handleOf('late');
  state.originals.setMetadata(handle, { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null });
  await hold(writing(true)).catch(() => undefined); // the first walk says where the point is
  await expect(hold(writing(true), point)).resolves.toBeUndefined();
  await expect(hold(writing(false), point)).rejects.toThrow(untrue('late'));
});

it.each([16, 17, 40, 8208, 8209, 20_000])(
  'a live event is found however far below the discard point: %d numbers',
  async (number) => {
    state.originals.setDiscardPoints(state.handleOf('far'), given(number));
    const held = hold((after) => {
      after(-1).append('far', someEvents(1));
      after(number - 1).append('far', someEvents(1));
    });
    await expect(held).rejects.toThrow(untrue('event 0 of far could be removed, but is live'));
  }
);

it('a point at the first event gives up nothing', async () => {
  state.originals.setDiscardPoints(state.handleOf('whole'), given(0, 1));
  await expect(hold((after) => void after(-1).append('whole', someEvents(3)))).resolves.toBeUndefined();
});

it.each([
  ['the metadata of a stream as a stream', '$$own', () => state.originals],
  ['a stream as the metadata of one', 'own', () => state.metastreams]
])('%s, by name, is a name that cannot be its own', async (_, stream, table) => {
  table().setTombstone({ kind: 'id', stream });
  const held = hold((after) => {
    const appender = after(-1);
    appender.setMetadata('own', '{}');
    appender.append('own', someEvents(1));
  });
  await expect(held).rejects.toThrow(untrue(`it does not know the name of the stream ${stream}`));
});

describe('a stream with the limits of earlier metadata', () => {
  const write: Write = (after) => {
    const appender = after(-1);
    appender.setMetadata('cut', '{"$maxCount":100}');
    appender.append('cut', someEvents(12));
    appender.setMetadata('cut', '{"$tb":10}');
  };
  beforeEach(() =>
    state.originals.setMetadata(state.handleOf('cut'), {
      ...{ maxAgeSeconds: null, maxCount: 100n, truncateBefore: null }
    })
  );

  it('may have given up what the newest gives up', async () => {
    state.originals.setDiscardPoints(state.handleOf('cut'), given(10));
    await expect(hold(write)).resolves.toBeUndefined();
  });

  it('and no event more', async () => {
    state.originals.setDiscardPoints(state.handleOf('cut'), given(11));
    await expect(hold(write)).rejects.toThrow(untrue('event 10 of cut could be removed, but is live'));
  });
});

describe('an older point of the state', () => {
  const opened = appendedLog((after) => void after(-1).append('orders', someEvents(2)));
  const second = opened.log.cursor();
  while (second.next() && second.record.eventNumber !== 1);
  const { position } = second.record;
  const check = ({ log }: AppendedLog, at: number, latestAt = at + 100) => {
    const point = { number: 3, position: at, effectiveNow: SAMPLE_NOW, threshold: 0 };
    state.setCheckpoint({ stage: 'done', scavengePoint: point });
    checkState({ state, log, latest: { ...point, number: 4, position: latestAt }, statePath: PATH });
  };

  it.each([
    ['an event begins', position],
    ['an event is in the middle', position + 4]
  ])('is of another log where %s at its position', (_, at) => {
    expect(() => check(opened, at)).toThrow(
      expect.objectContaining({
        code: 'LogCorrupt',
        message: expect.stringContaining('another record is there') as string,
        details: { file: PATH, reason: 'stateAheadOfLog' }
      })
    );
  });

  it('is of another log where a newer one lies before it', () => {
    expect(() => check(opened, position + 100_000, position)).toThrow(
      expect.objectContaining({
        code: 'LogCorrupt',
        message: expect.stringMatching(
          /it names scavenge point 3\b.* the log holds scavenge point 4\b/
        ) as string,
        details: { file: PATH, reason: 'stateAheadOfLog' }
      })
    );
  });

  it('cannot be compared with a damaged record', () => {
    const { fileSystem, database } = opened;
    const file = fileSystem.open('/db/chunk-000000.000000', 'readWrite');
    file.write(Buffer.alloc(4), 0, 4, 128 + position);
    file.close();
    database.close();
    const again = openDatabase({ fileSystem, dataDirectory: '/db' });
    expect(() => check({ ...opened, log: again.log }, position)).toThrow(
      expect.objectContaining({
        code: 'LogCorrupt',
        details: expect.objectContaining({ file: 'chunk-000000.000000' }) as object
      })
    );
    again.close();
  });
});
