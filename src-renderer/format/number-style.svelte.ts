/**
 * How a person wants numbers written. Everything that formats makes English text (`1,234.5`) first and passes it through
 * here; nothing is rounded. What is shown follows a change by itself.
 */
import type { NumberStyle } from '../../src-main/contract/verbs/workbench-contract.ts';

/** How numbers are written, whatever the language says. */
export type WrittenStyle = Exclude<NumberStyle, 'language'>;

const SIGNS: Record<WrittenStyle, { group: string; point: string }> = {
  comma: { group: ',', point: '.' },
  point: { group: '.', point: ',' },
  // Does not break at the end of a line.
  space: { group: '\u202f', point: ',' },
  apostrophe: { group: '’', point: '.' }
};

let signs = $state.raw(SIGNS.comma);

export function setNumberStyle(style: WrittenStyle): void {
  signs = SIGNS[style];
}

/** `text`: a number as English has it, perhaps with a unit behind it. */
export function styledNumber(text: string): string {
  return signs === SIGNS.comma
    ? text
    : text.replaceAll(/[,.]/g, (sign) => (sign === ',' ? signs.group : signs.point));
}
