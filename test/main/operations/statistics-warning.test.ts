/** The warning that statistics events pile up, on databases into which a server's statistics were written. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  EventAppender,
  LogWriter,
  NodeFileSystem,
  openDatabase,
  ticksFromMs
} from '../../../src-core/index.ts';
import type { Replies, RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import type { Warning } from '../../../src-main/contract/operations/reports.ts';
import { runOperation } from '../../support/testing-context.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 7, 1);
let directory: string;
let dataDirectory: string;
let winnowHome: string;
let nowMs: number;

beforeEach(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-statistics-'));
  dataDirectory = path.join(directory, 'node');
  winnowHome = path.join(directory, 'home');
  nowMs = START_MS;
  await run('writeSample', { dataDirectory, sizeBytes: 300_000, chunkSizeBytes: 131_072, seed: 5 });
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

function run<N extends keyof Replies>(name: N, request: RequestOf<N>): Promise<Replies[N]> {
  return runOperation(name, request, { clock: () => nowMs });
}

function writeStatistics(stream: string, count: number): void {
  const fileSystem = new NodeFileSystem();
  const { chunkSet } = openDatabase({ fileSystem, dataDirectory });
  const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid: randomUUID }, chunkSet);
  const appender = new EventAppender({
    writer,
    lastEventNumber: () => -1,
    now: () => ticksFromMs(nowMs),
    newGuid: randomUUID
  });
  for (let i = 0; i < count; i++) {
    appender.append(stream, [{ eventType: '$statsCollected', data: Buffer.from('{"proc-cpu":1}') }]);
  }
  writer.close();
}

async function warned(writesStatistics = false): Promise<Warning | undefined> {
  const { warnings } = await run('inspectDatabase', { dataDirectory, winnowHome, writesStatistics });
  return warnings.find(({ code }) => code === 'statisticsPileUp');
}

describe('statistics in the log', () => {
  it.each(['$stats-127.0.0.1:2113', '$stats-10.9.8.7:3113'])(
    'of %s are told of when there was no scavenge for a week',
    async (stream) => {
      writeStatistics(stream, 3);
      nowMs += 6 * DAY_MS;
      expect(await warned()).toBeUndefined();
      nowMs += 2 * DAY_MS;
      expect(await warned()).toMatchObject({
        message: `The log contains statistics events (${stream}), which expire after 24 hours, and no scavenge has finished yet.`,
        remedy: expect.stringContaining('once a week') as string
      });
    }
  );

  it('are no matter after a scavenge, until a week later', async () => {
    writeStatistics('$stats-127.0.0.1:2113', 3);
    nowMs += 8 * DAY_MS;
    writeStatistics('$stats-10.9.8.7:3113', 1);
    await run('runScavenge', { dataDirectory, winnowHome, scavengePoint: 'detached' });
    expect(await warned()).toBeUndefined();
    nowMs += 8 * DAY_MS;
    expect(await warned()).toBeUndefined();
    expect((await warned(true))?.message).toContain('the last scavenge finished on 2026-08-09');
  });

  it('are not told of where there are none', async () => {
    nowMs += 30 * DAY_MS;
    expect(await warned()).toBeUndefined();
  });

  it('need not be found where the settings say that they are written', async () => {
    nowMs += 30 * DAY_MS;
    expect((await warned(true))?.message).toMatch(/^Statistics events are written, .* no scavenge/);
  });
});

it('is given where the system does not tell this process its addresses', async () => {
  // As in a unit of systemd that may not open the sockets of the kernel's own protocol.
  const asked = vi.spyOn(os, 'networkInterfaces').mockImplementation(() => {
    throw new Error('A system error occurred: uv_interface_addresses returned Unknown system error 97');
  });
  writeStatistics('$stats-127.0.0.1:2113', 3);
  nowMs += 8 * DAY_MS;
  expect(await warned()).toBeDefined();
  expect(asked).toHaveBeenCalled();
  asked.mockRestore();
});
