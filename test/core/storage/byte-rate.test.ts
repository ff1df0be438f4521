/** An operation that may move so many bytes in a second rests for them, all its threads together. Time is counted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { OperationStopped } from '../../../src-core/errors.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { ByteRate, rateSetup } from '../../../src-core/storage/byte-rate.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { RatedFileSystem } from '../../../src-core/storage/rated-file-system.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { ScavengeSamples } from '../../support/scavenge-sample.ts';

const MIB = 1024 * 1024;
const samples = new ScavengeSamples();
let sample: string;
beforeAll(async () => {
  sample = await samples.write({ sizeBytes: 6 * MIB, chunkSizeBytes: MIB, seed: 5 }, { withPoint: true });
});
afterAll(() => samples.removeAll());

/** A clock that only rests move. */
function restingAt(bytesPerSecond: number, signal?: AbortSignal) {
  const time = { nowMs: 0, longestRestMs: 0, movedBytes: 0 };
  const rate = new ByteRate(rateSetup(bytesPerSecond), () => time.nowMs);
  const counted = rate.count.bind(rate);
  rate.count = (bytes) => {
    time.movedBytes += bytes;
    counted(bytes);
  };
  const operation = new OperationControl({
    signal,
    elapsedMs: () => time.nowMs,
    yieldTurn: () => Promise.resolve(),
    sleep: (ms) => {
      time.nowMs += ms;
      time.longestRestMs = Math.max(time.longestRestMs, ms);
      return Promise.resolve();
    }
  }).restingFor(rate);
  return { time, operation, fileSystem: new RatedFileSystem(new NodeFileSystem(), rate) };
}

const BYTES_PER_SECOND = MIB;
/** What is moved after the last look of a phase is not rested for. */
const UNPAID_MS = 1500;

describe('an operation at a rate', () => {
  it('verifies a database in the time that its bytes take', async () => {
    const { time, operation, fileSystem } = restingAt(BYTES_PER_SECOND);
    const database = openDatabase({ fileSystem, dataDirectory: sample });
    const { ok } = await verifyDatabase({ database, quick: false, control: operation });
    database.close();
    expect(ok).toBe(true);
    expect(time.movedBytes).toBeGreaterThan(6 * MIB);
    const neededMs = (time.movedBytes / BYTES_PER_SECOND) * 1000;
    expect(time.nowMs).toBeGreaterThan(neededMs - UNPAID_MS);
    expect(time.nowMs).toBeLessThanOrEqual(neededMs + 1);
  });

  it('scavenges in the time that its bytes take, and to the same end', async () => {
    const { time, operation, fileSystem } = restingAt(BYTES_PER_SECOND);
    const limited = await runScavenge(
      scavengeRequest(samples.copy(sample)),
      scavengeEnvironment({ operation, fileSystem })
    );
    const free = await runScavenge(scavengeRequest(samples.copy(sample)), scavengeEnvironment());
    expect(limited.result).toBe('success');
    expect(limited.spaceSavedBytes).toBe(free.spaceSavedBytes);
    const neededMs = (time.movedBytes / BYTES_PER_SECOND) * 1000;
    expect(time.nowMs).toBeGreaterThan(neededMs - UNPAID_MS);
    expect(time.nowMs).toBeLessThanOrEqual(neededMs + 1);
  });

  it('rests in pieces, and leaves a rest when it is asked to stop', async () => {
    const stop = new AbortController();
    const { time, operation, fileSystem } = restingAt(1000, stop.signal);
    const file = fileSystem.open(`${sample}/chunk-000000.000000`, 'read');
    file.read(Buffer.alloc(MIB), 0, MIB, 0);
    file.close();
    const resting = operation.breathe();
    stop.abort();
    await expect(resting).rejects.toBeInstanceOf(OperationStopped);
    expect(time.nowMs).toBeLessThan(1000);
    expect(time.longestRestMs).toBeLessThanOrEqual(100);
  });
});

describe('a rate that threads share', () => {
  it('makes each thread wait for what all of them have moved before', () => {
    let nowMs = 5000;
    const setup = rateSetup(MIB);
    const [first, second] = [new ByteRate(setup, () => nowMs), new ByteRate(setup, () => nowMs)];
    first.count(MIB);
    second.count(MIB);
    expect(first.takeRest()).toBe(2000);
    expect(second.owes).toBe(true);
    nowMs += 2000;
    expect(second.takeRest()).toBe(0);
    expect([first.owes, second.owes]).toEqual([false, false]);
  });

  it('saves up no time that nobody used', () => {
    let nowMs = 0;
    const rate = new ByteRate(rateSetup(MIB), () => nowMs);
    rate.count(MIB);
    nowMs = 60_000;
    rate.count(MIB);
    expect(rate.takeRest()).toBe(1000);
  });
});
