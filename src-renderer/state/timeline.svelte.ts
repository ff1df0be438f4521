/** When each chunk of the node that is shown was written. Until it is read, and where it cannot be, nothing is known. */
import { callNode } from '../api/engine-client.ts';
import { timesByChunk, type TimesByChunk } from './chunk-times.ts';

export class Timeline {
  #times = $state.raw<TimesByChunk>(timesByChunk([]));
  #question = new AbortController();

  /** By first chunk number. */
  get times(): TimesByChunk {
    return this.#times;
  }

  /** The answer that is on its way is no longer wanted. */
  stop(): void {
    this.#question.abort();
  }

  async read(nodeId: string): Promise<void> {
    this.stop();
    this.#question = new AbortController();
    const { signal } = this.#question;
    try {
      const { chunks } = await callNode(nodeId, 'readTimeline', {}, signal);
      if (!signal.aborted) this.#times = timesByChunk(chunks);
    } catch {
      // Dates are an addition: the view says what is wrong with the database by other means.
    }
  }
}
