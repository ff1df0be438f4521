/** Active streams as a list, for those who look at few. */
import type { StreamHandle } from '../decisions/stream-handle.ts';
import { ActiveStreams } from './active-streams.ts';
import type { OriginalTable } from './state-tables.ts';
import type { OriginalStreamData } from './stream-data.ts';

/** One active stream. */
export interface ActiveStream {
  handle: StreamHandle;
  data: OriginalStreamData;
}

export function listActive(
  originals: OriginalTable,
  after: StreamHandle | null,
  limit: number
): ActiveStream[] {
  const batch = new ActiveStreams();
  originals.readActive(after, limit, batch);
  return Array.from({ length: batch.count }, (_, at) => ({
    handle: batch.handleAt(at),
    data: batch.dataAt(at)
  }));
}
