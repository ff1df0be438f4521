/**
 * What the command line writes for people: text that may contain arbitrary names goes through visibleText where it is
 * put together; anything missed there is made visible where it is written.
 */
import { visibleJson, visibleText } from '../../src-core/index.ts';

export { visibleText };

/** Colours and weights, which only the command line itself adds: the rest was made visible before. */
// eslint-disable-next-line no-control-regex
const STYLES = /(\u001b\[[\d;]*m)/;

/** A whole output: its line breaks and colours are ours, any other hidden character is shown. */
export function visibleOutput(output: string): string {
  return output
    .split(STYLES)
    .map((part, index) => (index % 2 === 1 ? part : part.split('\n').map(visibleText).join('\n')))
    .join('');
}

/** A value as one line of JSON; hidden characters in its texts are escaped, which means the same to a JSON reader. */
export function jsonLine(value: unknown): string {
  return `${visibleJson(JSON.stringify(value))}\n`;
}
