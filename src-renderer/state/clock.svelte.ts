/** The present, for "3 minutes ago": moves twice a minute, which is as exact as relative times are. */
const STEP_MS = 30_000;

class Clock {
  #nowMs = $state(Date.now());

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Runs until the returned function is called. */
  run(): () => void {
    const timer = setInterval(() => (this.#nowMs = Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }
}

export const clock = new Clock();
