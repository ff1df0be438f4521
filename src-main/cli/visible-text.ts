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

/** Items of a list in one piece of JSON. */
const ITEMS_OF_A_PIECE = 5000;

/** The same line in pieces where it has a long list: one text of all streams would be there several times at once. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!hasLongList(value)) {
    yield jsonLine(value);
    return;
  }
  let before = '{';
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    yield visibleJson(`${before}${JSON.stringify(key)}:`);
    if (isLongList(part)) yield* listPieces(part);
    else yield visibleJson(JSON.stringify(part));
    before = ',';
  }
  yield '}\n';
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  for (let at = 0; at < list.length; at += ITEMS_OF_A_PIECE) {
    // Without its brackets: they are those of the whole list.
    const items = JSON.stringify(list.slice(at, at + ITEMS_OF_A_PIECE)).slice(1, -1);
    yield visibleJson(`${at === 0 ? '[' : ','}${items}`);
  }
  yield ']';
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > ITEMS_OF_A_PIECE;
}

function hasLongList(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).some(isLongList)
  );
}
