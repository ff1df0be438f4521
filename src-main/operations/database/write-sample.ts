/** Writes a sample database. */
import path from 'node:path';
import { invalidRequest, ticksFromIso, ticksFromMs, writeSampleDatabase } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { SampleReport } from '../../contract/operations/reports.ts';

/** The server's own limits: a record may have 16 MiB, a footer counts in 31 bits. */
const SMALLEST_CHUNK_BYTES = 64 * 1024;
const LARGEST_CHUNK_BYTES = 1024 * 1024 * 1024;

export async function writeSample(
  request: CheckedRequestOf<'writeSample'>,
  context: OperationContext
): Promise<SampleReport> {
  const { chunkSizeBytes, sizeBytes } = request;
  if (chunkSizeBytes < SMALLEST_CHUNK_BYTES || chunkSizeBytes > LARGEST_CHUNK_BYTES) {
    throw invalidRequest(
      `A chunk size of ${chunkSizeBytes} bytes is not possible.`,
      'chunkSizeBytes',
      'Give a size from 64KiB to 1GiB.'
    );
  }
  const now = request.now === undefined ? ticksFromMs(context.clock()) : ticksFromIso(request.now);
  if (now === undefined) {
    throw invalidRequest(
      `"${request.now}" is not a time.`,
      'now',
      'Write it in ISO 8601, such as 2026-01-31T18:00:00Z.'
    );
  }
  const dataDirectory = path.resolve(request.dataDirectory);
  const written = await writeSampleDatabase({
    fileSystem: context.fileSystem,
    dataDirectory,
    sizeBytes,
    chunkSizeBytes,
    seed: request.seed,
    streamCount: request.streams,
    now,
    control: context.control
  });
  return { dataDirectory, ...written };
}
