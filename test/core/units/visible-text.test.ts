/** Text out of databases, with everything hidden in it written out. */
import { expect, test } from 'vitest';
import { visibleJson, visibleText } from '../../../src-core/units/visible-text.ts';

test.each([
  ['plain, ü and 😀', 'plain, ü and 😀'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\u001b[2J', '\\x1b[2J'],
  ['\u202eevil', '\\u202eevil'],
  ['\ud800', '\\ud800'],
  ['\u{e0041}', '\\u{e0041}']
])('%j is shown as %j', (text, shown) => expect(visibleText(text)).toBe(shown));

test.each([{ a: 'plain' }, { a: 'x\u202ey\n\u{e0041}\ud800' }, { '\u001b': ['\u2028'] }])(
  'JSON of %j says the same and hides nothing, its own line breaks stay',
  (value) => {
    const shown = visibleJson(JSON.stringify(value, null, 2));
    expect(JSON.parse(shown)).toEqual(value);
    expect(visibleText(shown.replaceAll('\n', ''))).toBe(shown.replaceAll('\n', ''));
    expect(shown.split('\n').length).toBe(JSON.stringify(value, null, 2).split('\n').length);
  }
);
