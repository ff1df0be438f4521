/**
 * Short remarks at the window's lower edge: what was just done, with a way back, or why something was not done. They
 * go by themselves; what must not be missed is shown in the view instead.
 */
export interface Toast {
  id: number;
  text: string;
  /** The way back, as a button. */
  undo: (() => void) | undefined;
}

/** Long enough to read and to reach the button. */
const SHOWN_MS = 8_000;

export class Toasts {
  #list = $state.raw<readonly Toast[]>([]);
  #last = 0;

  get list(): readonly Toast[] {
    return this.#list;
  }

  say(text: string, undo?: () => void): void {
    const id = ++this.#last;
    this.#list = [...this.#list.filter((toast) => toast.text !== text), { id, text, undo }];
    setTimeout(() => this.close(id), SHOWN_MS);
  }

  close(id: number): void {
    this.#list = this.#list.filter((toast) => toast.id !== id);
  }
}
