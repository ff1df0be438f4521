/**
 * Asks a database everything that only reads: chunks, records, salvage, index, streams, `$all`, inspection and
 * verification. Every answer must be a result or an EngineError that names its place; anything else (a bare
 * error, a failed assertion, a budget used up, a file left open) is noted as a violation.
 */
import { OperationControl } from '../../src-core/database/operation-control.ts';
import { openDatabase } from '../../src-core/database/database.ts';
import { EngineError } from '../../src-core/errors.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import type { Finding } from '../../src-core/verify/finding.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import type { OperationContext } from '../../src-main/operations/operation.ts';
import { requests } from '../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation, runStreamOperation } from '../../src-main/operations/operation-table.ts';
import { BudgetExceeded, CountingFileSystem } from '../support/counting-file-system.ts';

/** Looks at the clock between pieces of work; far above what a small database needs. */
const MAX_STEPS = 3_000_000;
const BUDGET = { calls: 3_000_000, bytes: 6e9 };
/** Ages are judged at this time in every run. */
const NOW = '2026-01-01T00:00:00Z';

/** Instead of an error's code: was not asked. */
export const SKIPPED = 'skipped';

/** Rows, and the error that ended them. */
export interface Reading {
  rows: string[];
  error: string | undefined;
}

export interface Examination {
  violations: string[];
  records: Reading;
  salvaged: Reading;
  all: Reading;
  /** `name forward` and `name backward`. */
  streams: Map<string, Reading>;
  streamNames: string[];
  /** Undefined when verification could not look. */
  findings: Finding[] | undefined;
  quickFindings: Finding[] | undefined;
}

type ReportName =
  | 'inspectDatabase'
  | 'listChunks'
  | 'inspectIndex'
  | 'readStreamsPage'
  | 'readEventsPage'
  | 'readChunkPage'
  | 'describeChunk'
  | 'describeRecord';

/** Chunks and positions that are looked at one by one. */
const CHUNKS_SHOWN = 4;
const POSITIONS_SHOWN = [0, 1, 4, 128, 1000, 33_333, 65_536, 65_543, 131_072, 2 ** 40];

export interface Examine {
  fileSystem: FileSystem;
  dataDirectory: string;
  /** Streams to read; all that the database lists when absent. */
  streams?: readonly string[];
  /** Questions that are left out: their readings have the error `SKIPPED`. */
  skips?: (what: string) => boolean;
}

export async function examineDatabase(options: Examine): Promise<Examination> {
  const fileSystem = new CountingFileSystem(options.fileSystem, BUDGET);
  const { dataDirectory } = options;
  const violations: string[] = [];
  let steps = 0;
  const control = new OperationControl({
    elapsedMs: () => {
      if (++steps > MAX_STEPS) throw new BudgetExceeded(`${steps} steps without an end.`);
      return 0;
    },
    yieldTurn: () => Promise.resolve()
  });
  const context: OperationContext = {
    fileSystem,
    control,
    clock: () => Date.parse(NOW),
    log: () => undefined
  };

  /** Runs one question; gives the error's code, or undefined when it was answered. */
  const ask = async (what: string, question: () => Promise<void> | void): Promise<string | undefined> => {
    if (options.skips?.(what) === true) return SKIPPED;
    steps = 0;
    fileSystem.reset();
    let code: string | undefined;
    try {
      await question();
    } catch (error) {
      code = error instanceof EngineError ? error.code : 'foreign';
      const wrong = wrongWith(error);
      if (wrong !== undefined) violations.push(`${what}: ${wrong}`);
    }
    if (fileSystem.openFiles > 0) {
      violations.push(`${what}: ${fileSystem.openFiles} files were left open`);
      fileSystem.openFiles = 0;
    }
    return code;
  };
  const report = (name: ReportName, more: Record<string, unknown> = {}) =>
    ask(`${name} ${JSON.stringify(more)}`, async () => {
      const request = requests[name].parse({ dataDirectory, ...more });
      await runReportOperation(name, request, context);
    });
  const rows = async (
    name: 'listRecords' | 'listStreams' | 'readStream' | 'listIndexEntries',
    more: Record<string, unknown> = {}
  ): Promise<Reading & { parsed: Record<string, unknown>[] }> => {
    const found: string[] = [];
    const parsed: Record<string, unknown>[] = [];
    const error = await ask(`${name} ${JSON.stringify(more)}`, async () => {
      const request = requests[name].parse({ dataDirectory, ...more });
      for await (const batch of runStreamOperation(name, request, context)) {
        for (const row of batch) {
          found.push(JSON.stringify(row));
          parsed.push({ ...row });
        }
      }
    });
    return { rows: found, error, parsed };
  };
  const verify = async (quick: boolean): Promise<Finding[] | undefined> => {
    let findings: Finding[] | undefined;
    await ask(quick ? 'quick verification' : 'verification', async () => {
      const database = openDatabase({ fileSystem, dataDirectory });
      try {
        ({ findings } = await verifyDatabase({ database, quick, control }));
      } catch (error) {
        violations.push(`verification gave up: ${String(error)}`);
        throw error;
      } finally {
        database.close();
      }
    });
    return findings;
  };

  await report('inspectDatabase');
  await report('listChunks');
  await report('inspectIndex');
  const findings = await verify(false);
  const quickFindings = await verify(true);
  const records = await rows('listRecords');
  const salvaged = await rows('listRecords', { salvage: true });
  await rows('listIndexEntries');
  const listed = await rows('listStreams', { now: NOW });
  const all = await rows('readStream', { stream: '$all' });
  await rows('readStream', { stream: '$all', backward: true });
  await report('readStreamsPage');
  for (let chunk = 0; chunk < CHUNKS_SHOWN; chunk++) {
    await report('describeChunk', { chunk });
    await report('readChunkPage', { chunk });
  }
  for (const position of POSITIONS_SHOWN) await report('describeRecord', { position });
  const streamNames = options.streams ?? listed.parsed.map((row) => String(row['stream']));
  const streams = new Map<string, Reading>();
  for (const stream of streamNames) {
    if (stream === '') continue;
    await report('readEventsPage', { stream });
    for (const backward of [false, true]) {
      const direction = backward ? 'backward' : 'forward';
      streams.set(`${stream} ${direction}`, await rows('readStream', { stream, backward, now: NOW }));
    }
  }
  return {
    violations,
    records,
    salvaged,
    all,
    streams,
    streamNames: [...streamNames],
    findings,
    quickFindings
  };
}

/** Why an error may not leave the engine like this; undefined when it may. */
export function wrongWith(error: unknown): string | undefined {
  if (error instanceof BudgetExceeded) return error.message;
  if (!(error instanceof EngineError)) {
    return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : String(error);
  }
  if (error.code === 'AssertionFailed') return `${error.message}\n${error.stack}`;
  const isCorrupt = error.code === 'LogCorrupt' || error.code === 'IndexCorrupt';
  const { file, position } = error.details;
  if (isCorrupt && file === undefined && position === undefined) return `names no place: ${error.message}`;
  return undefined;
}
