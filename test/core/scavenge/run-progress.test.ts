/** What a run leaves for the next one beside its state, and what breaks it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import type { LogReader } from '../../../src-core/log/log-reader.ts';
import type { ScavengePoint } from '../../../src-core/scavenge/points/scavenge-point.ts';
import { RunProgress, type KeptProgress } from '../../../src-core/scavenge/run-progress.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { SAMPLE_NOW, writeSmallDatabase, writeText } from '../../support/restore-fixture.ts';

const DB = '/db';
const STATE = '/state/scavenging.db';

let fileSystem: MemoryFileSystem;
let kept: KeptProgress | undefined;
let log: LogReader;
let point: ScavengePoint;
beforeEach(async () => {
  fileSystem = new MemoryFileSystem();
  kept = undefined;
  await writeSmallDatabase(fileSystem, DB);
  writeText(fileSystem, STATE, 'a state');
  log = logOf(DB);
  point = { number: 3, position: log.chunks[1]!.endPosition, effectiveNow: SAMPLE_NOW, threshold: 0 };
});

function logOf(dataDirectory: string): LogReader {
  const database = openDatabase({ fileSystem, dataDirectory });
  database.close();
  return database.log;
}

const progress = (mayWrite = true): RunProgress =>
  RunProgress.of(
    { fileSystem, progress: { read: () => kept, write: (next) => (kept = next) } },
    { mayWrite }
  )!;
const scavenge = () => ({ point, ignoreHardDeletes: false, log });

describe('the seal on a state', () => {
  const isSealed = (): boolean => {
    const next = progress();
    next.beforeOpening(STATE);
    return next.isSealed(STATE, scavenge());
  };
  beforeEach(() => progress().ended(log, { sealed: { ...scavenge(), statePath: STATE } }));

  it('holds as long as state, point and log are the same', () => {
    expect(isSealed()).toBe(true);
    point = { ...point, threshold: 1 };
    expect(isSealed()).toBe(false);
  });

  it.each<[string, () => void]>([
    ['the state is gone', () => fileSystem.remove(STATE)],
    [
      'the state is another',
      () => {
        fileSystem.remove(STATE);
        writeText(fileSystem, STATE, 'another');
      }
    ],
    ['part of the state waits in its log', () => writeText(fileSystem, `${STATE}-wal`, 'x')],
    ['a file of the log is gone', () => fileSystem.remove(log.chunks[0]!.path)],
    [
      'a file of the log cannot be asked for',
      () => {
        const describe = fileSystem.describe.bind(fileSystem);
        fileSystem.describe = (path) => {
          if (path === log.chunks[0]!.path) throw storageError('EACCES', path);
          return describe(path);
        };
      }
    ]
  ])('is broken where %s', (_, change) => {
    change();
    expect(isSealed()).toBe(false);
  });

  it('is none where there was no state to seal', () => {
    fileSystem.remove(STATE);
    progress().ended(log, { sealed: { ...scavenge(), statePath: STATE } });
    expect(kept?.seal).toBeNull();
  });

  it.each([undefined, { seal: null, searched: null }])('is not looked for where %j was kept', (one) => {
    kept = one;
    const opened: string[] = [];
    const open = fileSystem.open.bind(fileSystem);
    fileSystem.open = (path, mode) => {
      opened.push(path);
      return open(path, mode);
    };
    expect(isSealed()).toBe(false);
    expect(opened).toEqual([]);
  });
});

describe('a point that was reached', () => {
  it('is the newest of just this log', () => {
    progress().newestReached(log, point);
    expect(progress().isNewestReached(log, point)).toBe(true);
    expect(progress().isNewestReached(log, { ...point, number: 4 })).toBe(false);
    fileSystem.remove(`${DB}/writer.chk`);
    expect(progress().isNewestReached(log, point)).toBe(false);
    progress().newestReached(log, point);
    expect(progress().isNewestReached(log, point)).toBe(true);
  });

  it('is not noted of a log without chunks, nor by a plan', () => {
    progress(false).newestReached(log, point);
    expect(kept).toBeUndefined();
    fileSystem.makeDirectory('/empty');
    for (const name of ['writer.chk', 'chaser.chk']) writeText(fileSystem, `/empty/${name}`, '\0'.repeat(8));
    progress().newestReached(logOf('/empty'), point);
    expect(kept).toMatchObject({ reached: null });
  });
});

it('a search need not begin again before the chunks that were searched, while these are the same files', () => {
  const end = log.chunks[1]!.endPosition;
  progress().searched(log, end);
  const looked = (): number => {
    const next = progress();
    next.look(log);
    return next.searchedTo;
  };
  expect(looked()).toBe(end);
  const { path } = log.chunks[0]!;
  fileSystem.rename(path, '/elsewhere');
  expect(looked()).toBe(0);
});
