import { describe, expect, it } from 'vitest';
import { usageAsCsv, usageAsNcdu } from '../../../src-main/operations/usage/usage-export.ts';
import type { UsageItemRow } from '../../../src-main/contract/operations/usage-reports.ts';

function report(...names: string[]): { items: UsageItemRow[] } {
  const numbers = { records: 1, bytes: 2, indexBytes: 3, discardableRecords: 4, discardableBytes: 5 };
  return { items: names.map((name) => ({ name, ...numbers, firstChunk: 6, lastChunk: 7 })) };
}

function csvNames(text: string): string[] {
  return text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.replace(/,1,2,3,4,5,6,7$/, ''));
}

describe('names in CSV', () => {
  it.each([
    ['=1+2', "'=1+2"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\\tx"],
    ['\r=x', "'\\r=x"],
    ['\n=x', "'\\n=x"],
    ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
    ['a\u001b]0;title\u0007', 'a\\x1b]0;title\\x07'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['two\r\nlines', 'two\\r\\nlines'],
    ['a=1', 'a=1'],
    ['$ops', '$ops']
  ])('%j become %j', (name, shown) => {
    expect(csvNames(usageAsCsv(report(name)))).toEqual([shown]);
  });

  it('stay as they are where that is asked for', () => {
    expect(usageAsCsv(report('=1', 'a\u001b'), { isRaw: true })).toContain('\r\n=1,1,2,');
    expect(usageAsCsv(report('a\u001b'), { isRaw: true })).toContain('a\u001b,1,');
  });

  it('numbers are numbers, whatever their sign', () => {
    const { items } = report('a');
    expect(usageAsCsv({ items: [{ ...items[0]!, discardableBytes: -5 }] })).toContain(',-5,');
  });
});

it('names for ncdu hold nothing hidden, unless that is asked for', () => {
  const shown = usageAsNcdu(report('order-\u001b[2J', '\u202ex'), '/data\u0007');
  expect(JSON.parse(shown)).toMatchObject([
    1,
    0,
    {},
    [{ name: '/data\\x07' }, [{ name: 'order' }, { name: 'order-\\x1b[2J' }], { name: '\\u202ex' }]
  ]);
  const raw = JSON.parse(usageAsNcdu(report('a\u001b'), '/data', { isRaw: true })) as unknown[];
  expect(raw[3]).toMatchObject([{ name: '/data' }, { name: 'a\u001b' }]);
});
