/** Knows whether the engine is alive, tells the window when it dies, and restarts it on request. */
import type { EngineHost } from '../engine/engine-host.ts';
import type { EngineState } from '../contract/verbs/workbench-contract.ts';

export class EngineKeeper {
  readonly #engine: EngineHost;
  readonly #onChange: (state: EngineState) => void;
  #state: EngineState = { isAlive: true, reason: null };

  constructor(engine: EngineHost, onChange: (state: EngineState) => void) {
    this.#engine = engine;
    this.#onChange = onChange;
    engine.onDeath((reason) => this.#enter({ isAlive: false, reason }));
  }

  get state(): EngineState {
    return this.#state;
  }

  restart(): void {
    this.#engine.restart();
    this.#enter({ isAlive: true, reason: null });
  }

  #enter(state: EngineState): void {
    this.#state = state;
    this.#onChange(state);
  }
}
