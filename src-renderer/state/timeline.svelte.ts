/** When each chunk of the node that is shown was written. Until it is read, and where it cannot be, nothing is known. */
import { callNode } from '../api/engine-client.ts';
import { timesByChunk, type TimesByChunk } from './chunk-times.ts';

export class Timeline {
  #times = $state.raw<TimesByChunk>(timesByChunk([]));
  #round = 0;

  /** By first chunk number. */
  get times(): TimesByChunk {
    return this.#times;
  }

  async read(nodeId: string): Promise<void> {
    const round = ++this.#round;
    try {
      const { chunks } = await callNode(nodeId, 'readTimeline', {});
      if (round === this.#round) this.#times = timesByChunk(chunks);
    } catch {
      // Dates are an addition: the view says what is wrong with the database by other means.
    }
  }
}
