/**
 * Verification beside somebody who writes: appends, a rebuild of the index, a scavenge that replaces and merges chunks.
 * Whatever changes in the middle, at whichever moment, nothing of it is damage.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { readCheckpoints, writeCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { readChunkSet } from '../../../src-core/log/chunk-set.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { rebuildIndex } from '../../../src-core/repair/rebuild-index.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { SAMPLE_TIME, ScavengeSamples } from '../../support/scavenge-sample.ts';

const samples = new ScavengeSamples();
afterEach(() => samples.removeAll());
const real = new NodeFileSystem();
const SIZE = { sizeBytes: 130_000, chunkSizeBytes: 32768, seed: 5 };

interface Interference {
  /** Called before each file is opened. */
  onOpen?: (path: string) => void;
  /** Called at each breath, with its number. */
  onBreath?: (breath: number) => Promise<void>;
}

/** The real file system, with somebody else at work whenever a file is opened. */
function watched(onOpen: (path: string) => void): FileSystem {
  return new Proxy(real, {
    get(target, name) {
      if (name === 'open') {
        return (...parameters: Parameters<FileSystem['open']>) => {
          onOpen(parameters[0]);
          return target.open(...parameters);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    }
  });
}

async function verifyBeside(dataDirectory: string, { onOpen, onBreath }: Interference) {
  let breaths = 0;
  let elapsedMs = 0;
  const control = new OperationControl({
    // Every look at the clock finds the slice used up.
    elapsedMs: () => (elapsedMs += 100),
    yieldTurn: async () => {
      breaths++;
      await onBreath?.(breaths);
    }
  });
  const fileSystem = onOpen ? watched(onOpen) : real;
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    const { findings } = await verifyDatabase({ database, quick: false, control });
    return { damage: findings.filter(({ severity }) => severity === 'damage'), findings, breaths };
  } finally {
    database.close();
  }
}

/** As a server would: records, then writer.chk, then chaser.chk; new chunks when one is full. */
function append(dataDirectory: string, count: number): void {
  const { writer } = readCheckpoints(real, dataDirectory);
  const set = readChunkSet({ fileSystem: real, directory: dataDirectory, writer });
  const logWriter = LogWriter.open({ fileSystem: real, directory: dataDirectory, newGuid: randomUUID }, set);
  const stream = `late-${writer}`;
  const now = () => ticksFromIso(SAMPLE_TIME)!;
  const appender = new EventAppender({
    writer: logWriter,
    lastEventNumber: () => -1,
    now,
    newGuid: randomUUID
  });
  for (let i = 0; i < count; i++)
    appender.append(stream, [{ eventType: 'late', data: Buffer.alloc(700, 0x20) }]);
  logWriter.close();
}

const rebuild = (dataDirectory: string) =>
  rebuildIndex({
    fileSystem: real,
    dataDirectory,
    control: scavengeEnvironment().operation,
    newGuid: randomUUID
  });

describe('verification of a database that is written to', () => {
  it('finds nothing when events are appended and chunks completed before any file is opened', async () => {
    const dataDirectory = await samples.write(SIZE, { withPoint: true });
    let opened = 0;
    const { findings } = await verifyBeside(dataDirectory, {
      onOpen: () => {
        if (++opened % 3 === 0 && opened < 200) append(dataDirectory, 12);
      }
    });
    expect(readdirSync(dataDirectory).filter((name) => name.startsWith('chunk-')).length).toBeGreaterThan(8);
    const passing = ['surplusChunk', 'existenceFilterMissing'];
    expect(findings.filter(({ code }) => !passing.includes(code))).toEqual([]);
    expect(findings.every(({ severity }) => severity === 'hint')).toBe(true);
  });

  it('finds nothing when events are appended and the index is rewritten, at any moment', async () => {
    const original = await samples.write(SIZE, { withPoint: true });
    const { breaths } = await verifyBeside(original, {});
    expect(breaths).toBeGreaterThan(10);
    for (let at = 1; at <= breaths; at += 2) {
      const dataDirectory = samples.copy(original);
      const { damage } = await verifyBeside(dataDirectory, {
        onBreath: async (breath) => {
          if (breath !== at) return;
          append(dataDirectory, 40);
          await rebuild(dataDirectory);
        }
      });
      expect(damage, `at breath ${at}`).toEqual([]);
    }
  });

  it('finds nothing when a scavenge replaces and merges chunks, at any breath', async () => {
    const original = await samples.write(SIZE, { withPoint: true });
    const { breaths } = await verifyBeside(original, {});
    for (let at = 1; at <= breaths; at += 3) {
      const dataDirectory = samples.copy(original);
      const { damage } = await verifyBeside(dataDirectory, {
        onBreath: async (breath) => {
          if (breath === at) await runScavenge(scavengeRequest(dataDirectory), scavengeEnvironment());
        }
      });
      expect(damage, `at breath ${at}`).toEqual([]);
    }
  });

  it('finds nothing when a new point is written and scavenged to, at any breath', async () => {
    const original = await samples.write(SIZE, { withPoint: false });
    const { breaths } = await verifyBeside(original, {});
    for (let at = 1; at <= breaths; at += 4) {
      const dataDirectory = samples.copy(original);
      const request = scavengeRequest(dataDirectory, { scavengePoint: 'new', now: SAMPLE_TIME });
      const { damage } = await verifyBeside(dataDirectory, {
        onBreath: async (breath) => {
          if (breath === at) await runScavenge(request, scavengeEnvironment());
        }
      });
      expect(damage, `at breath ${at}`).toEqual([]);
    }
  });

  it.each(['chunk-000000', 'chunk-000001'])(
    'finds nothing when another version of %s takes its place just before it is opened',
    async (name) => {
      const original = await samples.write(SIZE, { withPoint: true });
      let times = 0;
      const count = (path: string): void => void (times += Number(path.endsWith(`${name}.000000`)));
      await verifyBeside(original, { onOpen: count });
      expect(times).toBeGreaterThan(1);
      for (let at = 1; at <= times; at++) {
        const dataDirectory = samples.copy(original);
        const old = join(dataDirectory, `${name}.000000`);
        let opened = 0;
        const { damage } = await verifyBeside(dataDirectory, {
          onOpen: (path) => {
            if (path === old && ++opened === at) renameSync(old, join(dataDirectory, `${name}.000001`));
          }
        });
        expect(damage, `at opening ${at}`).toEqual([]);
      }
    }
  );

  it('still tells what is damaged', async () => {
    const dataDirectory = await samples.write(SIZE, { withPoint: true });
    const name = 'chunk-000001.000000';
    const bytes = readFileSync(join(dataDirectory, name));
    bytes[700]! ^= 1;
    writeFileSync(join(dataDirectory, name), bytes);
    let opened = 0;
    const { damage } = await verifyBeside(dataDirectory, {
      onOpen: () => {
        if (++opened % 3 === 0 && opened < 60) append(dataDirectory, 12);
      }
    });
    expect(damage.map(({ code, file }) => `${code} ${file}`)).toContain(`chunkHashMismatch ${name}`);
  });

  it('reads a chaser that is behind the writer by a moment as what it is', async () => {
    const dataDirectory = await samples.write(SIZE, { withPoint: true });
    const { writer } = readCheckpoints(real, dataDirectory);
    append(dataDirectory, 3);
    // As if writer.chk had been read before the append and chaser.chk behind it.
    const database = openDatabase({ fileSystem: real, dataDirectory });
    const past = { ...database.checkpoints, writer };
    Object.assign(database, { checkpoints: past });
    const control = scavengeEnvironment().operation;
    const { findings } = await verifyDatabase({ database, quick: true, control });
    database.close();
    // A sample has no filter of existing streams.
    expect(findings.map(({ code }) => code)).toEqual(['existenceFilterMissing']);
    writeCheckpointFile(real, join(dataDirectory, 'writer.chk'), writer!);
    const stopped = openDatabase({ fileSystem: real, dataDirectory });
    const found = await verifyDatabase({ database: stopped, quick: true, control });
    stopped.close();
    expect(found.findings.map(({ code }) => code)).toContain('chaserBeyondWriter');
  });
});
