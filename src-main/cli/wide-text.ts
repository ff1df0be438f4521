/**
 * How many columns of a terminal a text takes. What that needs of Unicode takes 40 ms to load, so it is loaded with the
 * first text that has more than printable ASCII, and by a call that does not wait: texts are made in one go.
 */
import { createRequire } from 'node:module';
import type stringWidth from 'string-width';

/** Built code has the package in a file of its own beside it (electron.vite.config.ts). */
const PLACE = import.meta.url.endsWith('.ts') ? 'string-width' : './string-width.js';
let loaded: typeof stringWidth | undefined;

/** Columns of `text`, which is visible text already. */
export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  loaded ??= (createRequire(import.meta.url)(PLACE) as { default: typeof stringWidth }).default;
  return loaded(text);
}
