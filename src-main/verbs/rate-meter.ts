/** How fast something advances, over the last seconds: a rate since the start would hide that it slowed down. */
const WINDOW_MS = 8000;
/** With less than this the rate would fluctuate. */
const MINIMUM_MS = 500;

export class RateMeter {
  #samples: { ms: number; done: number }[] = [];

  restart(): void {
    this.#samples = [];
  }

  take(ms: number, done: number): void {
    const last = this.#samples.at(-1);
    if (last && done < last.done) this.restart();
    this.#samples.push({ ms, done });
    const oldest = ms - WINDOW_MS;
    while (this.#samples.length > 2 && (this.#samples[1]?.ms ?? ms) < oldest) this.#samples.shift();
  }

  /** null while there is too little data. */
  get perSecond(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.ms - first.ms < MINIMUM_MS) return null;
    return ((last.done - first.done) / (last.ms - first.ms)) * 1000;
  }
}
