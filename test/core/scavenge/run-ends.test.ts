/** How runs end and go on in one process: stopped before anything was chosen, paused, kept files, a state of another time. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCAVENGE_POINTS_STREAM } from '../../../src-core/database/event-appender.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import {
  findLatestScavengePoint,
  requireOpenPoints
} from '../../../src-core/scavenge/points/find-scavenge-point.ts';
import type {
  ScavengeEnvironment,
  ScavengeReportData,
  ScavengeRequest
} from '../../../src-core/scavenge/scavenge-request.ts';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { appendedLog } from '../../support/appended-log.ts';
import { contentOf, filesOf } from '../../support/database-content.ts';
import { storageError } from '../../support/memory-file-system.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
let original = '';
let directory = '';
beforeAll(async () => {
  const size = { sizeBytes: 200_000, chunkSizeBytes: 65_536, seed: 12 };
  original = await samples.write(size, { withPoint: false });
});
afterAll(() => samples.removeAll());
beforeEach(() => (directory = samples.copy(original)));

type Change = Partial<ScavengeEnvironment> & { signal?: AbortSignal };
function scavenge(request: Partial<ScavengeRequest>, environment: Change = {}): Promise<ScavengeReportData> {
  return runScavenge(
    scavengeRequest(directory, { threshold: -1, now: SAMPLE_TIME, ...request }),
    scavengeEnvironment(environment)
  );
}

/** What the log tells of runs. */
function toldOf(dataDirectory: string): string[] {
  const database = openDatabase({ fileSystem: new NodeFileSystem(), dataDirectory });
  const told: string[] = [];
  for (const cursor = database.log.cursor(); cursor.next();) {
    const { record } = cursor;
    if (record.kind === 'prepare' && /^\$scavenges-/.test(record.stream))
      told.push(`${record.stream} ${record.eventType}`);
  }
  database.close();
  return told;
}

describe('a run that pauses', () => {
  const request = { scavengePoint: 'new', singleNode: true } as const;
  const scavengeId = '7d6cf1a5-8ea8-4c4c-8ef9-d2e3a5c9b1f0';

  async function paused(isPausing: boolean): Promise<ScavengeReportData> {
    const stop = new AbortController();
    const { signal } = stop;
    const onStart = () => stop.abort();
    return scavenge(request, { hostName: 'db-1', scavengeId, signal, onStart, isPausing: () => isPausing });
  }

  it.each([true, false])(
    'is continued under its id, is not agreed to again, and tells of one run: in the log %s',
    async (isInLog) => {
      expect((await paused(true)).result).toBe('stopped');
      expect(toldOf(directory)).toEqual([`$scavenges-${scavengeId} $scavengeStarted`]);
      const underLock = () => {
        throw new Error('asked again');
      };
      const before = { isInLog, spaceSavedBytes: 0, maxChunkScavenged: 0 };
      const report = await scavenge(request, { hostName: 'db-1', scavengeId, continues: before, underLock });
      expect(report).toMatchObject({ result: 'success', resumed: true, scavengeId });
      const told = toldOf(directory);
      expect(told.filter((line) => line.endsWith('$scavengeStarted'))).toHaveLength(1);
      expect(told.filter((line) => line.endsWith('$scavengeCompleted'))).toHaveLength(isInLog ? 1 : 0);
    }
  );

  it('and does not resume has told that it was stopped', async () => {
    expect((await paused(false)).result).toBe('stopped');
    expect(toldOf(directory).map((line) => line.split(' ')[1])).toEqual([
      '$scavengeStarted',
      '$scavengeCompleted'
    ]);
  });
});

describe('a run that tells of itself in the log', () => {
  const request = { scavengePoint: 'new', singleNode: true } as const;
  const ends = () => toldOf(directory).filter((line) => line.endsWith('$scavengeCompleted'));
  const failedFlush = new EngineError({
    code: 'StorageFailed',
    message: 'A flush failed.',
    remedy: 'Look at the disk.',
    details: { call: 'flush' }
  });

  /** From a moment on the end of the log cannot be written, or not flushed. */
  class FailingEnd extends PassThroughFileSystem {
    refusal: EngineError | undefined;
    isFlushing = false;
    override open(path: string, mode: OpenMode): OpenFile {
      const file = super.open(path, mode);
      if (!path.endsWith('writer.chk') || mode === 'read') return file;
      const refuse = (isFlush: boolean): void => {
        if (this.refusal && isFlush === this.isFlushing) throw this.refusal;
      };
      const { write, sync } = { write: file.write.bind(file), sync: file.sync.bind(file) };
      file.write = (...parts) => {
        refuse(false);
        write(...parts);
      };
      file.sync = () => {
        refuse(true);
        sync();
      };
      return file;
    }
  }

  it('goes on where that cannot be written any more, with a warning', async () => {
    const fileSystem = new FailingEnd(new NodeFileSystem());
    const onStart = () => (fileSystem.refusal = storageError('ENOSPC', 'writer.chk'));
    const report = await scavenge(request, { fileSystem, hostName: 'db-1', onStart });
    expect(report).toMatchObject({
      result: 'success',
      warnings: [
        {
          code: 'historyNotWritten',
          message: expect.stringMatching(/could not be written to the log: .*ENOSPC/) as string,
          remedy: expect.stringContaining('The scavenge itself is not affected.') as string
        }
      ]
    });
    expect(toldOf(directory)).toHaveLength(1);
  });

  it('ends where what it wrote could not be flushed, since the log may have lost it', async () => {
    const fileSystem = new FailingEnd(new NodeFileSystem());
    fileSystem.isFlushing = true;
    const onStart = () => (fileSystem.refusal = failedFlush);
    await expect(scavenge(request, { fileSystem, hostName: 'db-1', onStart })).rejects.toBe(failedFlush);
  });

  it.each([
    ['an error of the engine', storageError('EIO', 'somewhere'), 1],
    [
      'a broken assertion',
      new EngineError({ code: 'AssertionFailed', message: 'No.', remedy: 'Report it.' }),
      0
    ],
    ['an error of ours', new RangeError('No.'), 0]
  ])(
    'and fails with %s throws just that; the log has its end only of what the engine knows',
    async (_, error, told) => {
      const fail = () => {
        throw error;
      };
      const trace = { executingRecordOf: fail };
      await expect(scavenge(request, { hostName: 'db-1', trace })).rejects.toBe(error);
      expect(ends()).toHaveLength(told);
    }
  );

  it('and fails throws what it failed with, also where that cannot be flushed to the log', async () => {
    const error = storageError('EIO', 'somewhere');
    const fileSystem = new FailingEnd(new NodeFileSystem());
    fileSystem.isFlushing = true;
    const fail = () => {
      fileSystem.refusal = failedFlush;
      throw error;
    };
    const trace = { executingRecordOf: fail };
    await expect(scavenge(request, { fileSystem, hostName: 'db-1', trace })).rejects.toBe(error);
  });
});

describe('where the newest point was reached', () => {
  beforeEach(async () => {
    await scavenge({ scavengePoint: 'new' });
  });

  it('a run that is stopped before it has chosen a point reports that, and has changed nothing', async () => {
    const before = filesOf(directory);
    const stop = new AbortController();
    stop.abort();
    const report = await scavenge({ scavengePoint: 'existing' }, { signal: stop.signal });
    expect(report).toMatchObject({ result: 'stopped', scavengePoint: null, chunks: [], tables: [] });
    expect(filesOf(directory)).toEqual(before);
  });

  it('a state that names it with another time is of another log', async () => {
    const state = new DatabaseSync(join(directory, 'index', 'scavenging', 'scavenging.db'));
    const text = String(state.prepare('SELECT value FROM Checkpoint').get()?.['value']);
    const year = text.replace('2026-01-01T', '2025-01-01T');
    expect(year).not.toBe(text);
    state.prepare('UPDATE Checkpoint SET value = ?').run(year);
    state.close();
    await expect(scavenge({ scavengePoint: 'existing' })).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { reason: 'stateAheadOfLog' }
    });
  });
});

describe('a detached run that keeps what it replaces', () => {
  it.each([
    ['of the run that it resumes too', {}, true],
    ['from then on where it starts afresh', { startAfresh: true }, false]
  ])('and was stopped keeps it %s', async (_, change, resumed) => {
    const request = {
      scavengePoint: 'detached',
      winnowHome: samples.directory(),
      keepReplacedMs: 3_600_000
    } as const;
    const stopped = await scavenge({ ...request, stopAfter: 'chunkExecution' });
    expect(stopped).toMatchObject({ result: 'stopped' });
    const ended = await scavenge({ ...request, ...change });
    expect(ended).toMatchObject({ result: 'success', resumed });
    const expected = samples.copy(original);
    await runScavenge(
      scavengeRequest(expected, {
        ...{ threshold: -1, now: SAMPLE_TIME, scavengePoint: 'detached', winnowHome: samples.directory() }
      }),
      scavengeEnvironment()
    );
    expect((await contentOf(directory)).records).toEqual((await contentOf(expected)).records);
    rmSync(request.winnowHome, { recursive: true });
  });
});

describe('scavenge points', () => {
  const opened = () => appendedLog((after) => void after(-1).writeScavengePoint(0));

  it('of which the index knows no place, or the log no record, are named', () => {
    const { log, index } = opened();
    expect(findLatestScavengePoint(log, index)?.number).toBe(0);
    const other = opened().log;
    other.readAt = () => undefined;
    const missing = expect.objectContaining({
      code: 'IndexCorrupt',
      message: expect.stringContaining(SCAVENGE_POINTS_STREAM) as string
    }) as Error;
    expect(() => findLatestScavengePoint(other, index)).toThrow(missing);
    index.firstWritten = () => undefined;
    expect(() => findLatestScavengePoint(log, index)).toThrow(missing);
  });

  it.each([
    [70, { position: 70 }],
    [undefined, {}]
  ])('cannot be written after a hard delete, at position %s', (position, details) => {
    const { index } = opened();
    index.lastEventNumber = () => DELETED_STREAM_EVENT_NUMBER;
    index.firstWritten = () => position;
    expect(() => requireOpenPoints(index)).toThrow(
      expect.objectContaining({
        code: 'LogCorrupt',
        remedy: expect.stringContaining('detached') as string,
        details
      })
    );
  });
});
