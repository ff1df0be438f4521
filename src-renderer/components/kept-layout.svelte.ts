/** The layout of one table, kept by the page over restarts. Tables of one name share what is kept, not what is shown. */
import { DEFAULT_LAYOUT, isDefault, parseLayout, type ColumnLayout } from './column-layout.ts';

export class KeptLayout {
  readonly #storageKey: string;
  #layout = $state.raw<ColumnLayout>(DEFAULT_LAYOUT);

  constructor(name: string) {
    this.#storageKey = `winnow.table.${name}`;
    this.#layout = parseLayout(localStorage.getItem(this.#storageKey));
  }

  get current(): ColumnLayout {
    return this.#layout;
  }

  /** While something is dragged it is shown only; the end of it is kept. */
  show(layout: ColumnLayout): void {
    this.#layout = layout;
  }

  keep(layout: ColumnLayout = this.#layout): void {
    this.#layout = layout;
    if (isDefault(layout)) localStorage.removeItem(this.#storageKey);
    else localStorage.setItem(this.#storageKey, JSON.stringify(layout));
  }
}
