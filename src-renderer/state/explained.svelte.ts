/** What the explain panel is open for: one at a time, beside whatever view it was asked from. */
import type { WindowRequestOf } from '../../src-main/contract/verbs/workbench-contract.ts';

export type ExplainedThing = Pick<
  WindowRequestOf<'explain'>,
  'stream' | 'eventNumber' | 'position' | 'chunk'
>;

class Explained {
  #thing = $state.raw<ExplainedThing | null>(null);
  #nodeId = $state<string | null>(null);
  #opener: HTMLElement | null = null;

  /** null: the panel is closed, or was opened for another node. */
  thingOf(nodeId: string | null): ExplainedThing | null {
    return nodeId !== null && nodeId === this.#nodeId ? this.#thing : null;
  }

  /** `opener` gets the focus back when the panel closes. */
  open(nodeId: string, thing: ExplainedThing, opener?: HTMLElement): void {
    this.#nodeId = nodeId;
    this.#thing = thing;
    if (opener) this.#opener = opener;
  }

  close(): void {
    const opener = this.#opener;
    this.leave();
    if (opener?.isConnected) opener.focus();
  }

  /** Closes because something else was turned to: the focus goes there. */
  leave(): void {
    this.#thing = null;
    this.#opener = null;
  }
}

export const explained = new Explained();
