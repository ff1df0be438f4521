/** The engine behind its host: a worker thread, this thread, and a utility process played by an engine server in it. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EngineError, NodeFileSystem, OperationStopped } from '../../../src-core/index.ts';
import {
  startUtilityEngine,
  startWorkerEngine,
  type EngineHost,
  type UtilityProcessLike
} from '../../../src-main/engine/engine-host.ts';
import { startEngineHere } from '../../../src-main/engine/engine-here.ts';
import type { FromEngine, ToEngine } from '../../../src-main/engine/engine-protocol.ts';
import { EngineServer } from '../../../src-main/engine/engine-server.ts';
import type { Progress } from '../../../src-main/contract/operations/reports.ts';

let directory: string;
let sample: string;
const hosts: EngineHost[] = [];

function started(host: EngineHost): EngineHost {
  hosts.push(host);
  return host;
}

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-engine-'));
  sample = path.join(directory, 'sample');
  const host = startWorkerEngine();
  await host.call('writeSample', {
    dataDirectory: sample,
    sizeBytes: 1024 * 1024,
    chunkSizeBytes: 256 * 1024,
    now: '2026-01-01T00:00:00Z'
  });
  await host.close();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

/** Plays Electron's utility process: messages cross as structured clones, in another turn of the event loop. */
class UtilityStandIn implements UtilityProcessLike {
  readonly received: ToEngine[] = [];
  readonly #server: EngineServer;
  #onMessage: (message: unknown) => void = () => undefined;
  #onExit: (code: number) => void = () => undefined;
  /** While true nothing is answered any more, as by a process that hangs. */
  isMute = false;

  constructor() {
    this.#server = new EngineServer({
      fileSystem: new NodeFileSystem(),
      clock: () => Date.UTC(2026, 0, 1),
      send: (message) => this.say(message),
      onBroken: (reason) => this.say({ kind: 'dying', reason })
    });
  }

  say(message: FromEngine): void {
    const crossed = structuredClone(message);
    setImmediate(() => {
      if (!this.isMute) this.#onMessage(crossed);
    });
  }

  die(code: number): void {
    this.isMute = true;
    this.#onExit(code);
  }

  postMessage(message: unknown): void {
    const crossed = structuredClone(message) as ToEngine;
    this.received.push(crossed);
    setImmediate(() => {
      if (!this.isMute) this.#server.handle(crossed);
    });
  }

  on(event: 'message', listener: (message: unknown) => void): this;
  on(event: 'exit', listener: (code: number) => void): this;
  on(event: 'message' | 'exit', listener: (value: never) => void): this {
    if (event === 'message') this.#onMessage = listener as (message: unknown) => void;
    else this.#onExit = listener as (code: number) => void;
    return this;
  }

  readonly pid = undefined;

  kill(): boolean {
    setImmediate(() => this.#onExit(0));
    return true;
  }
}

function startStandIn(): { host: EngineHost; processes: UtilityStandIn[]; paths: string[] } {
  const processes: UtilityStandIn[] = [];
  const paths: string[] = [];
  const host = startUtilityEngine((file) => {
    const standIn = new UtilityStandIn();
    processes.push(standIn);
    paths.push(file);
    return standIn;
  });
  return { host: started(host), processes, paths };
}

describe.each([
  ['worker thread', () => started(startWorkerEngine())],
  ['thread that is there already', () => started(startEngineHere())],
  ['utility process', () => startStandIn().host]
])('the engine in a %s', (kind, start) => {
  it('answers a call with its report', async () => {
    const report = await start().call('inspectDatabase', { dataDirectory: sample });
    expect(report).toMatchObject({ dataDirectory: sample, chunkSize: 256 * 1024 });
  });

  it('rebuilds the error of an operation with code, message, remedy and details', async () => {
    const missing = path.join(directory, 'nothing');
    const failure = start().call('inspectDatabase', { dataDirectory: missing });
    await expect(failure).rejects.toBeInstanceOf(EngineError);
    await expect(failure).rejects.toMatchObject({ code: 'DatabaseNotFound', details: { file: missing } });
  });

  it('refuses a wrong request by naming its member', async () => {
    const wrong = start().call('verifyDatabase', { dataDirectory: sample, threads: 0 });
    await expect(wrong).rejects.toMatchObject({ code: 'InvalidRequest', details: { field: 'threads' } });
  });

  it('streams all rows in batches', async () => {
    const host = start();
    let count = 0;
    let batches = 0;
    for await (const rows of host.stream('listRecords', { dataDirectory: sample })) {
      expect(rows.length).toBeLessThanOrEqual(256);
      count += rows.length;
      batches += 1;
    }
    expect(count).toBeGreaterThan(2000);
    expect(batches).toBeGreaterThan(count / 256 - 1);
  });

  it('runs calls side by side', async () => {
    const host = start();
    const reports = await Promise.all([
      host.call('listChunks', { dataDirectory: sample }),
      host.call('inspectIndex', { dataDirectory: sample }),
      host.call('verifyDatabase', { dataDirectory: sample })
    ]);
    expect(reports[2].ok).toBe(true);
  });

  it('stops an operation whose signal fires', async () => {
    const abort = new AbortController();
    const stopped = start().call(
      'writeSample',
      { dataDirectory: path.join(directory, `stopped in a ${kind}`), sizeBytes: 512 * 1024 * 1024 },
      { signal: abort.signal, onProgress: () => abort.abort() }
    );
    await expect(stopped).rejects.toBeInstanceOf(OperationStopped);
  });

  it('does not begin what was stopped before it began', async () => {
    const target = path.join(directory, 'never-written');
    const stopped = start().call('writeSample', { dataDirectory: target }, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toBeInstanceOf(OperationStopped);
    expect(fs.existsSync(target)).toBe(false);
  });

  it('fails calls after it was closed, with a remedy', async () => {
    const host = start();
    await host.close();
    await expect(host.call('listChunks', { dataDirectory: sample })).rejects.toMatchObject({
      code: 'AssertionFailed',
      details: { reason: 'it was closed' }
    });
  });
});

describe('back-pressure', () => {
  it('holds the engine back while the reader does not ask for more', async () => {
    const { host, processes } = startStandIn();
    const rows = host.stream('listRecords', { dataDirectory: sample })[Symbol.asyncIterator]();
    await rows.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const acknowledged = () => processes[0]?.received.filter(({ kind }) => kind === 'acknowledge').length;
    expect(acknowledged()).toBe(0);
    await rows.next();
    expect(acknowledged()).toBe(1);
    await rows.return?.(undefined);
  });

  it('stops the operation of a reader that leaves early', async () => {
    const { host, processes } = startStandIn();
    for await (const rows of host.stream('listRecords', { dataDirectory: sample })) {
      expect(rows.length).toBeGreaterThan(0);
      break;
    }
    expect(processes[0]?.received.at(-1)?.kind).toBe('stop');
  });

  it('gives the rows before a failure, then the failure', async () => {
    const damaged = path.join(directory, 'damaged');
    fs.cpSync(sample, damaged, { recursive: true });
    const chunk = path.join(damaged, 'chunk-000001.000000');
    fs.chmodSync(chunk, 0o644);
    const file = fs.openSync(chunk, 'r+');
    fs.writeSync(file, Buffer.alloc(64, 0xff), 0, 64, 1024);
    fs.closeSync(file);
    let count = 0;
    const read = async (): Promise<void> => {
      for await (const rows of started(startWorkerEngine()).stream('listRecords', {
        dataDirectory: damaged
      })) {
        count += rows.length;
      }
    };
    await expect(read()).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { file: 'chunk-000001.000000' }
    });
    expect(count).toBeGreaterThan(100);
  });
});

describe('progress', () => {
  it('comes at most ten times a second and names the operation', async () => {
    const seen: Progress[] = [];
    const startedMs = performance.now();
    await started(startWorkerEngine()).call(
      'writeSample',
      { dataDirectory: path.join(directory, 'progress'), sizeBytes: 24 * 1024 * 1024 },
      { onProgress: (progress) => seen.push(progress) }
    );
    const elapsedMs = performance.now() - startedMs;
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThanOrEqual(elapsedMs / 100 + 2);
    expect(seen[0]).toMatchObject({
      operation: 'writeSample',
      dataDirectory: path.join(directory, 'progress')
    });
  });
});

describe('death of the engine', () => {
  it('fails calls on their way, tells why, and a restarted engine answers', async () => {
    const { host, processes } = startStandIn();
    const reasons: string[] = [];
    host.onDeath((reason) => reasons.push(reason));
    const cut = host.call('verifyDatabase', { dataDirectory: sample });
    processes[0]?.die(139);
    await expect(cut).rejects.toMatchObject({
      code: 'AssertionFailed',
      details: { reason: 'its process ended with code 139' }
    });
    expect(reasons).toEqual(['its process ended with code 139']);
    host.restart();
    expect(processes.length).toBe(2);
    await expect(host.call('listChunks', { dataDirectory: sample })).resolves.toBeDefined();
  });

  it('fails a stream on its way', async () => {
    const { host, processes } = startStandIn();
    const read = async (): Promise<void> => {
      for await (const rows of host.stream('listRecords', { dataDirectory: sample })) {
        expect(rows.length).toBeGreaterThan(0);
        processes[0]?.die(1);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'AssertionFailed' });
  });

  it('is asked for by the engine itself after a failed assertion', async () => {
    const { host, processes } = startStandIn();
    const reasons: string[] = [];
    host.onDeath((reason) => reasons.push(reason));
    processes[0]?.say({ kind: 'dying', reason: 'Internal check failed: for this test.' });
    await expect.poll(() => reasons).toEqual(['Internal check failed: for this test.']);
    await expect(host.call('listChunks', { dataDirectory: sample })).rejects.toMatchObject({
      code: 'AssertionFailed'
    });
  });

  it('of an engine that was replaced is not heard', async () => {
    const { host, processes } = startStandIn();
    const reasons: string[] = [];
    host.onDeath((reason) => reasons.push(reason));
    host.restart();
    processes[0]?.die(1);
    expect(reasons).toEqual([]);
    await expect(host.call('listChunks', { dataDirectory: sample })).resolves.toBeDefined();
  });

  it('starts the entry that lies beside the host', () => {
    const { paths } = startStandIn();
    expect(path.basename(paths[0] ?? '')).toMatch(/^engine-worker\.(ts|js)$/);
  });
});
