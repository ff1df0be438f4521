/** How offsets are written, decimal or hexadecimal: one choice for fields and bytes alike, kept by the page. */
import { formatCount } from '../../format/count.ts';
import { formatOffset } from '../../format/position.ts';

export type Base = 'decimal' | 'hexadecimal';

const KEY = 'winnow.offsets';

class OffsetBase {
  #base = $state<Base>(localStorage.getItem(KEY) === 'decimal' ? 'decimal' : 'hexadecimal');

  get current(): Base {
    return this.#base;
  }

  set(base: Base): void {
    this.#base = base;
    localStorage.setItem(KEY, base);
  }

  /** `0x0000a0f0` or 41,200. */
  format(offset: number): string {
    return this.#base === 'decimal' ? formatCount(offset) : formatOffset(offset);
  }
}

export const offsetBase = new OffsetBase();
