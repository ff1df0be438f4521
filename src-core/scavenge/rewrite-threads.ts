/** How many threads work on the chunks of a run, and their start. */
import { pointOf, type Chosen } from './points/choose-point.ts';
import type { RewriteWorkers } from './output/rewrite-workers.ts';
import type { ScavengeEnvironment, ScavengeRequest } from './scavenge-request.ts';
import type { ScavengeFiles } from './scavenge-session.ts';

export interface RewriteThreads {
  request: Pick<
    ScavengeRequest,
    'threads' | 'throttlePercent' | 'cacheSizeBytes' | 'unsafeIgnoreHardDeletes'
  >;
  environment: Pick<ScavengeEnvironment, 'workers' | 'operation'>;
}

/** As many as asked for, but no more than there are processors or, at the beginning, chunks. */
export function countThreads(
  { request, environment }: RewriteThreads,
  { database }: Pick<ScavengeFiles, 'database'>
): number {
  const chunkCount = database.log.chunks.length;
  return Math.max(1, Math.min(request.threads, environment.workers?.processorCount ?? 1, chunkCount));
}

/**
 * Of a run; a plan works in its own thread: it writes nothing, and its numbers are the same. A run with one thread has a
 * helper that checks the sources of what it copies, unless it is throttled: then nothing shall work while it rests.
 */
export function startWorkers(
  { request, environment }: RewriteThreads,
  { start, state }: Chosen,
  count: number
): RewriteWorkers | undefined {
  const { workers, operation } = environment;
  if (!workers) return undefined;
  const mayHaveHelper = workers.processorCount > 1 && request.throttlePercent === 100;
  if (count === 1 && !mayHaveHelper) return undefined;
  const { position, effectiveNow } = pointOf(start);
  return workers.start({
    count,
    signal: operation.signal,
    setup: {
      statePath: state.path,
      cacheSizeBytes: request.cacheSizeBytes,
      pointPosition: position,
      effectiveNow,
      ignoreHardDeletes: request.unsafeIgnoreHardDeletes
    }
  });
}
