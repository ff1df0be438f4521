/**
 * Looking changes nothing: whatever only reads leaves each file and directory of a database as it was, byte for byte,
 * with its size, times, mode and owner; also where a run was killed or is under way, and where nothing can be written.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { EngineError, lookAtState, NodeFileSystem } from '../../../src-core/index.ts';
import { requests, type OperationName } from '../../../src-main/contract/operations/operation-contract.ts';
import {
  isStreamOperation,
  runReportOperation,
  runStreamOperation
} from '../../../src-main/operations/operation-table.ts';
import { looksWith } from '../../support/looks.ts';
import {
  goldenFolders,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase,
  unpackTruncated
} from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-looks-'));
afterEach(removeUnpacked);
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const looks = looksWith(home);

type Trace = Record<string, string>;

/** Access times are none of ours: the system sets them, or not. */
function traceOf(directory: string, { isHashed }: { isHashed: boolean }): Trace {
  const trace: Trace = {};
  const see = (file: string, name: string): void => {
    const { size, mtimeNs, ctimeNs, mode, uid, gid, ino } = fs.statSync(file, { bigint: true });
    const isDirectory = fs.statSync(file).isDirectory();
    const hash =
      isDirectory || !isHashed ? '' : createHash('sha256').update(fs.readFileSync(file)).digest('hex');
    trace[name] = [isDirectory ? 0n : size, mtimeNs, ctimeNs, mode, uid, gid, ino, hash].join(' ');
  };
  see(directory, '.');
  for (const name of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    see(path.join(directory, name), name);
  }
  return trace;
}

/** Runs a look to its end; that it fails is fine, what it leaves is looked at by the caller. */
async function look(operation: OperationName, dataDirectory: string, members: object): Promise<void> {
  const others = 'others' in members ? { others: [{ dataDirectory }] } : {};
  const checked = requests[operation].safeParse({ dataDirectory, ...members, ...others });
  expect(checked.error?.message, `the request of ${operation}`).toBeUndefined();
  const context = testingContext(operation, { dataDirectory, clock: () => Date.UTC(2026, 10, 21, 12) });
  try {
    if (!isStreamOperation(operation)) await runReportOperation(operation, checked.data, context);
    else for await (const rows of runStreamOperation(operation, checked.data, context)) void rows;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}

/** Times after each look, bytes after all: who writes cannot help setting a time. */
async function looksLeave(dataDirectory: string, some = looks): Promise<void> {
  const before = traceOf(dataDirectory, { isHashed: false });
  const bytesBefore = traceOf(dataDirectory, { isHashed: true });
  for (const [operation, members] of some) {
    await look(operation, dataDirectory, members);
    expect(traceOf(dataDirectory, { isHashed: false }), operation).toEqual(before);
  }
  expect(traceOf(dataDirectory, { isHashed: true })).toEqual(bytesBefore);
}

const whole = goldenNames()
  .filter((name) => !/^(damaged|truncate)-/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })));
const changed = goldenNames().filter((name) => /^(damaged|truncate)-/.test(name));

describe('every look leaves every byte, size and time as it was', () => {
  it.each(whole)('of $name/$folder', (database) => looksLeave(unpackDatabase(database)));
  // Of the many damaged ones each sees every other look, and each look every other one of them.
  it.each(changed.map((name, i) => [name, i] as const))('of %s', (name, i) =>
    looksLeave(
      name.startsWith('damaged-') ? unpackDamaged(name) : unpackTruncated(name),
      looks.filter((_, at) => at % 2 === i % 2)
    )
  );

  it('where the journal of a killed run has no index', async () => {
    const directory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
    fs.rmSync(path.join(directory, 'index/scavenging/scavenging.db-shm'));
    await looksLeave(directory);
  });

  it('where the state is too large to be copied, but for who owns it', () => {
    const directory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
    const state = path.join(directory, 'index/scavenging/scavenging.db');
    const contentOf = () =>
      ['', '-wal', '-shm'].map((suffix) => {
        const { size, mtimeNs, ino } = fs.statSync(state + suffix, { bigint: true });
        return [size, mtimeNs, ino, fs.readFileSync(state + suffix, 'hex')];
      });
    const before = contentOf();
    const stage = lookAtState(
      {
        fileSystem: new NodeFileSystem(),
        path: state,
        mostCopiedBytes: 0,
        makeScratch: () => expect.unreachable('nothing is copied')
      },
      ({ database }) => database.prepare('SELECT value FROM Checkpoint').get()?.['value']
    );
    expect(stage).toContain('ExecutingChunks'); // which only the journal says
    expect(contentOf()).toEqual(before);
  });

  it('while a scavenge writes to its state', async () => {
    const directory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
    const state = new DatabaseSync(path.join(directory, 'index/scavenging/scavenging.db'));
    try {
      state.exec('PRAGMA journal_mode = wal');
      state.exec('CREATE TEMP TABLE t (x)');
      state.exec('BEGIN IMMEDIATE; UPDATE ChunkWeights SET value = 0; UPDATE Checkpoint SET value = value');
      state.exec('COMMIT');
      state.exec('BEGIN IMMEDIATE; UPDATE Checkpoint SET value = value');
      await looksLeave(directory);
      state.exec('COMMIT');
    } finally {
      state.close();
    }
  });

  it('while a server holds the directory', async () => {
    const directory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
    const file = path.join(directory, 'writer.chk');
    const server = spawn('flock', ['-s', file, 'sh', '-c', 'echo held; exec sleep 600'], { stdio: 'pipe' });
    try {
      await new Promise<void>((resolve) => server.stdout.once('data', () => resolve()));
      await looksLeave(directory);
    } finally {
      server.kill('SIGKILL');
    }
  });

  it('where the user may write nothing', async () => {
    const directory = unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });
    const all = ['.', ...fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })];
    const setModes = (ofFile: number, ofDirectory: number): void => {
      for (const name of all) {
        const file = path.join(directory, name);
        fs.chmodSync(file, fs.statSync(file).isDirectory() ? ofDirectory : ofFile);
      }
    };
    setModes(0o444, 0o555);
    try {
      await looksLeave(directory);
    } finally {
      setModes(0o644, 0o755);
    }
  });
});
