/**
 * How fast this machine scavenges in one thread: as measured in the last scavenges of the database, else from those that its
 * history tells of and that took long enough, else from
 * a short measurement of its disk, reading a piece of the log and writing a file beside our own temporary ones, which holds
 * for a day.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { decodeColumns, encodeColumns, type ChunkDigests, type FileSystem } from '../../../src-core/index.ts';
import { listHistory } from './list-history.ts';
import { measuredRuns, oneThreadPerMs } from './measured-speeds.ts';
import type { OperationContext } from '../operation.ts';
import type { ThresholdsReport } from '../../contract/operations/usage-reports.ts';
import type { UsagePlace } from '../../contract/operations/usage-requests.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

/** In shorter runs, start and end take longer than the work. */
const LEAST_RUN_MS = 1000;
const RUNS_ASKED = 3;
const MEASURED_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
/** Measured on the scavenger: decoding and judging beside plain reading and writing. */
const WORK_FACTOR = 3;

/** The log whose speed is wanted. */
export interface RatedLog {
  chunks: readonly { path: string; fileSize: number; dataSize: number }[];
  digests: Pick<ChunkDigests, 'files'>;
  /** Nothing is written to measure: the disk may be full. */
  isFull?: boolean;
}

export async function scavengeRate(
  request: UsagePlace,
  log: RatedLog,
  context: OperationContext
): Promise<ThresholdsReport['rate']> {
  const { dataDirectory, indexDirectory, winnowHome } = request;
  const measured = measuredRuns(request);
  const ownPerMs = oneThreadPerMs(measured);
  if (ownPerMs !== undefined) return { source: 'history', bytesPerSecond: Math.round(ownPerMs * 1000) };
  const { runs } = await listHistory(
    {
      dataDirectory,
      ...(indexDirectory === undefined ? {} : { indexDirectory }),
      ...(winnowHome === undefined ? {} : { winnowHome })
    },
    context
  );
  const logBytes = log.chunks.reduce((sum, { dataSize }) => sum + dataSize, 0);
  const rates = runs
    .filter(({ result, elapsedMs }) => result === 'success' && (elapsedMs ?? 0) >= LEAST_RUN_MS)
    // One that finished what a stopped one had left has not read the log, and what was measured of others is known better.
    .filter(
      ({ resumes, scavengeId }) => resumes === null && !measured.some((run) => run.scavengeId === scavengeId)
    )
    .slice(0, RUNS_ASKED)
    // It read the log once, and what it removed at least once more.
    .map(({ elapsedMs, spaceSavedBytes }) => (logBytes + 2 * Math.max(0, spaceSavedBytes)) / elapsedMs!);
  if (rates.length > 0) {
    const perMs = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    return { source: 'history', bytesPerSecond: Math.round(perMs * 1000) };
  }
  const known = knownRate(log, context);
  const perMs = known ?? (log.isFull === true ? null : await measureDisk(request, log, context));
  if (known === undefined && perMs !== null) keepRate(perMs, log, context);
  return perMs === null ? null : { source: 'measured', bytesPerSecond: Math.round(perMs * 1000) };
}

/** Of the kept measurement of a disk. */
const RATE_FILE = 'disk.rate';
const RATE_FORM = 'WNWRAT01';
/** Then it is measured again: a volume may have moved. */
const RATE_HOLDS_MS = 86_400_000;

interface KeptRate {
  measuredMs: number;
  perMs: number;
}

function knownRate({ digests }: RatedLog, { clock }: OperationContext): number | undefined {
  const kept = digests.files?.load(
    RATE_FILE,
    (bytes) => decodeColumns<KeptRate>(bytes, { form: RATE_FORM, identity: '' })?.facts
  );
  const ageMs = kept ? clock() - kept.measuredMs : Infinity;
  return kept && ageMs >= 0 && ageMs < RATE_HOLDS_MS ? kept.perMs : undefined;
}

function keepRate(perMs: number, { digests }: RatedLog, { clock }: OperationContext): void {
  const facts: KeptRate = { measuredMs: clock(), perMs };
  digests.files?.save(RATE_FILE, () => encodeColumns({ form: RATE_FORM, identity: '', facts }, []));
}

/** Bytes per millisecond; null for a log that is too small to measure. */
async function measureDisk(
  request: UsagePlace,
  { chunks }: RatedLog,
  { fileSystem, control }: OperationContext
): Promise<number | null> {
  const largest = chunks.reduce<{ path: string; fileSize: number } | undefined>(
    (most, chunk) => (most && most.fileSize >= chunk.fileSize ? most : chunk),
    undefined
  );
  if (!largest) return null;
  const directory = makeScratchDirectory(request.scratchDirectory, 'rate');
  try {
    const startMs = control.elapsedMs;
    const bytes = await copyPiece(fileSystem, largest.path, path.join(directory, 'piece'), () =>
      control.breathe()
    );
    const elapsedMs = Math.max(1, control.elapsedMs - startMs);
    return (bytes * 2) / elapsedMs / WORK_FACTOR;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function copyPiece(
  fileSystem: FileSystem,
  from: string,
  to: string,
  breathe: () => Promise<void>
): Promise<number> {
  const source = fileSystem.open(from, 'read');
  const target = fileSystem.open(to, 'createNew');
  const piece = new Uint8Array(PIECE_BYTES);
  let done = 0;
  try {
    while (done < MEASURED_BYTES) {
      const count = source.read(piece, 0, piece.length, done);
      if (count === 0) break;
      target.write(piece, 0, count, done);
      done += count;
      await breathe();
    }
    target.sync();
  } finally {
    source.close();
    target.close();
  }
  return done;
}
