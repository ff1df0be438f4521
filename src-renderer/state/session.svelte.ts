/** The page's session with the service it came from. In the window there is no service: always open, nobody to log in. */
import { servedWorkbench } from '../api/engine-client.ts';
import type { ConnectionState, LogInOutcome } from '../api/served-connection.ts';

export class Session {
  #state = $state.raw<ConnectionState>('open');

  get isLoggedOut(): boolean {
    return this.#state === 'loggedOut';
  }
  /** The service does not answer; it is asked again and again. */
  get isLost(): boolean {
    return this.#state === 'lost';
  }

  /** Follows the connection; returns how to stop. */
  follow(): () => void {
    return servedWorkbench()?.followConnection((state) => (this.#state = state)) ?? (() => undefined);
  }

  async logIn(name: string, password: string): Promise<LogInOutcome> {
    return (await servedWorkbench()?.logIn(name, password)) ?? { kind: 'done' };
  }

  async logOut(): Promise<void> {
    await servedWorkbench()?.logOut();
  }
}
