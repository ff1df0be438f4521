import { describe, expect, it } from 'vitest';
import {
  EMPTY_METADATA,
  parseStreamMetadata,
  type StreamMetadata
} from '../../../src-core/records/stream-metadata.ts';
import { expectedOf, goldenJson } from '../../support/golden.ts';

const INT64_MAX = 9223372036854775807n;

function parse(body: string | Uint8Array, recordVersion = 1): StreamMetadata {
  return parseStreamMetadata(typeof body === 'string' ? new TextEncoder().encode(body) : body, {
    recordVersion
  });
}

function bytes(...parts: (string | number)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)]))
  );
}

/** Rows of a table: what it is, the body, the members that differ from empty metadata. */
type Row = [what: string, body: string | Uint8Array, expected: Partial<StreamMetadata>];

function itReads(rows: Row[]): void {
  it.each(rows)('%s: %s', (_what, body, expected) => {
    expect(parse(body)).toEqual({ ...EMPTY_METADATA, ...expected });
  });
}

function itGivesUp(rows: [what: string, body: string | Uint8Array][]): void {
  it.each(rows)('%s: %s', (_what, body) => {
    expect(parse(body)).toEqual(EMPTY_METADATA);
  });
}

const maxCount2 = { maxCount: 2n };

describe('known members', () => {
  itReads([
    [
      'all of them',
      '{"$maxCount":1,"$maxAge":2,"$tb":3,"$cacheControl":4,"$tmp":true,"$acl":{"$r":"a","$w":["b","c"],"$d":[],"$mr":"d","$mw":"e"}}',
      {
        maxCount: 1n,
        maxAgeSeconds: 2n,
        truncateBefore: 3n,
        cacheControlSeconds: 4n,
        temporary: true,
        acl: { $r: 'a', $w: ['b', 'c'], $d: [], $mr: 'd', $mw: 'e' }
      }
    ],
    ['temporary false', '{"$tmp":false}', { temporary: false }],
    ['the greatest count', '{"$maxCount":9223372036854775807}', { maxCount: INT64_MAX }],
    ['the greatest age', '{"$maxAge":922337203685}', { maxAgeSeconds: 922337203685n }],
    ['truncate before 0', '{"$tb":0}', { truncateBefore: 0n }],
    ['soft deleted', '{"$tb":9223372036854775807}', { truncateBefore: INT64_MAX }],
    ['an empty list of rights', '{"$acl":{}}', { acl: {} }],
    ['a right given twice', '{"$acl":{"$r":"a","$r":"b"}}', { acl: { $r: 'b' } }],
    ['an empty object', '{}', {}]
  ]);

  it('reads 2147483647 in $tb as deleted in records of version 0 only', () => {
    expect(parse('{"$tb":2147483647}', 0).truncateBefore).toBe(INT64_MAX);
    expect(parse('{"$tb":2147483647}', 1).truncateBefore).toBe(2147483647n);
    expect(parse('{"$tb":2147483646}', 0).truncateBefore).toBe(2147483646n);
  });
});

describe('accepted though it is no JSON', () => {
  itReads([
    ['text behind the closing brace', '{"$maxCount":2} trailing', maxCount2],
    ['a second object behind the closing brace', '{"$maxCount":2}{"$maxCount":', maxCount2],
    ['a byte order mark', '\ufeff{"$maxCount":2}', maxCount2],
    ['UTF-16 with its mark', bytes(0xff, 0xfe, ...[...'{"$maxCount":2}'].flatMap((c) => [c, 0])), maxCount2],
    [
      'UTF-16 the other way round',
      bytes(0xfe, 0xff, ...[...'{"$maxCount":2}'].flatMap((c) => [0, c])),
      maxCount2
    ],
    ['white space in front', ' \t\r\n\u00a0{"$maxCount":2}', maxCount2],
    ['white space everywhere', '{ "$maxCount" \n:\t2 }', maxCount2],
    ['NUL where blanks are', '\0{"$maxCount"\0:\u00002\0}', maxCount2],
    ['single quotes', "{'$maxCount':2}", maxCount2],
    ['names without quotes', '{$maxCount:2}', maxCount2],
    ['names of digits without quotes', '{5é_:1,$maxCount :2}', maxCount2],
    ['a trailing comma', '{"$maxCount":2,}', maxCount2],
    ['a hexadecimal number', '{"$maxCount":0x10}', { maxCount: 16n }],
    ['a hexadecimal number in capitals', '{"$maxCount":0XfF}', { maxCount: 255n }],
    ['leading zeros in hexadecimal', `{"$maxCount":0x${'0'.repeat(40)}10}`, { maxCount: 16n }],
    ['an octal number', '{"$maxCount":010}', { maxCount: 8n }],
    ['zeros only', '{"$tb":000}', { truncateBefore: 0n }],
    ['minus zero', '{"$tb":-0}', { truncateBefore: 0n }],
    ['an escape in a name', '{"\\u0024maxCount":2}', maxCount2],
    ['all escapes', `{"x":"\\b\\t\\n\\f\\r\\\\\\"\\'\\/\\u00e9\\ud800","$maxCount":2}`, maxCount2],
    ['control characters in a text', '{"x":"a\nb\u0001\0","$maxCount":2}', maxCount2],
    ['invalid UTF-8 in a text', bytes('{"x":"', 0xff, 0xc3, '","$maxCount":2}'), maxCount2],
    ['a repeated member', '{"$maxCount":2,"$maxCount":6}', { maxCount: 6n }],
    ['a repeated member, ignored at last', '{"$maxCount":2,"$maxCount":0}', {}]
  ]);
});

describe('values of unknown members', () => {
  itReads(
    [
      ...[
        'NaN',
        'Infinity',
        '-Infinity',
        'undefined',
        'null',
        'true',
        'false',
        'new Date(1)',
        '-1.5e+3',
        '.5',
        '1.'
      ],
      ...[
        '1e999',
        '123456789012345678901234567890',
        '-0',
        '0x10',
        '010',
        '"text"',
        "'text'",
        '[1,]',
        '[,]',
        '[1,,2]'
      ],
      ...[
        '[]',
        '[ ]',
        '{}',
        '{"$maxCount":7}',
        '{"a":{"b":[1,{"c":2,}]},}',
        'new Date(1,[2],{a:3},)',
        'new Date ()'
      ],
      ...['[/*c*/1//d\n,2]', '{/*c*/"a":/*c*/1}', '', 'new\tDate(/**/)']
    ].map((value): Row => ['unknown', `{"x":${value},"$maxCount":2}`, maxCount2])
  );
  itReads([
    ['names are case-sensitive', '{"$MaxCount":3}', {}],
    ['names need their dollar sign', '{"maxCount":2,"maxAge":1}', {}],
    ['known names count at the top only', '{"x":{"$maxCount":2}}', {}]
  ]);
});

describe('ignored by itself', () => {
  itReads([
    ['count 0', '{"$maxCount":0,"$tb":5}', { truncateBefore: 5n }],
    ['count below 0', '{"$maxCount":-1,"$tb":5}', { truncateBefore: 5n }],
    ['count 2^64-1 in hexadecimal is -1', '{"$maxCount":0xffffffffffffffff,"$tb":5}', { truncateBefore: 5n }],
    ['count 2^64-1 in octal is -1', '{"$maxCount":01777777777777777777777,"$tb":5}', { truncateBefore: 5n }],
    ['age 0', '{"$maxAge":0,"$maxCount":2}', maxCount2],
    ['age below 0', '{"$maxAge":-5,"$maxCount":3}', { maxCount: 3n }],
    ['truncate before below 0', '{"$tb":-1,"$maxCount":2}', maxCount2],
    ['cache control 0', '{"$cacheControl":0,"$maxCount":2}', maxCount2],
    ['cache control below 0', '{"$cacheControl":-1,"$maxCount":2}', maxCount2]
  ]);
});

describe('gives up, so that no rule is left', () => {
  itGivesUp([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['no JSON', 'hello'],
    ['null', 'null'],
    ['an array', '[1,2]'],
    ['a number', '5'],
    ['a text', '"{}"'],
    ['a comma', ',{"$maxCount":2}'],
    ['two byte order marks', '\ufeff\ufeff{"$maxCount":2}'],
    ['a comment in front', '/*c*/{"$maxCount":2}'],
    ['a comment before a name', '{/*c*/"$maxCount":2}'],
    ['a comment before a colon', '{"$maxCount"/*c*/:2}'],
    ['a comment before a known value', '{"$maxCount":/*c*/2}'],
    ['a comment before an unknown value', '{"x":/*c*/1,"$maxCount":2}'],
    ['a comment behind a value', '{"$maxCount":2/*c*/}'],
    ['a line comment', '{"$maxCount":2//c\n}'],
    ['a comment among rights', '{"$acl":{/*c*/},"$maxCount":2}'],
    ['a comment among roles', '{"$acl":{"$r":[/*c*/]},"$maxCount":2}'],
    ['a nested comment before a colon', '{"x":{"a"/*c*/:1},"$maxCount":2}'],
    ['a nested comment without end', '{"x":[/*c],"$maxCount":2}'],
    ['a nested slash', '{"x":[/],"$maxCount":2}'],
    ['an object that ends before a value', '{"$maxCount":'],
    ['two trailing commas', '{"$maxCount":2,,}'],
    ['a leading comma', '{,"$maxCount":2}'],
    ['no colon', '{"$maxCount" 2}'],
    ['no comma', '{"$maxCount":2 "$tb":1}'],
    ['no value', '{"$maxCount":2,"x":}'],
    ['a comma for a known value', '{"$tb":1,"$maxCount":,}'],
    ['a name that may not go without quotes', '{a-b:1,"$maxCount":2}'],
    ['a root without end', '{"$maxCount":3'],
    ['an object without end', '{"$maxCount":3,"x":{"a":1'],
    ['an array without end', '{"$maxCount":3,"x":[1'],
    ['the wrong end of an array', '{"$maxCount":3,"x":[1}}'],
    ['the wrong end of an object', '{"$maxCount":3,"x":{"a":1]}'],
    ['a parenthesis as the end of an array', '{"$maxCount":3,"x":[1)}'],
    ['a constructor without end', '{"$maxCount":3,"x":new Date(1}'],
    ['a constructor without name', '{"$maxCount":3,"x":new (1)}'],
    ['a constructor without blank', '{"$maxCount":3,"x":newDate(1)}'],
    ['a constructor without parentheses', '{"$maxCount":3,"x":new Date}'],
    ['a text without end', '{"$maxCount":3,"x":"a'],
    ['a name without end', '{"$maxCount":3,"x'],
    ['a scalar without end', '{"$maxCount":3,"x":tru'],
    ['a word that goes on', '{"$maxCount":3,"x":truely}'],
    ['an unknown word', '{"$maxCount":3,"x":yes}'],
    ['a bad escape', '{"$maxCount":3,"x":"\\a"}'],
    ['a bad escape of a character', '{"$maxCount":3,"x":"\\u12g4"}'],
    ['an escape cut off', '{"$maxCount":3,"x":"\\u12"}']
  ]);
  itGivesUp(
    [
      '3.0',
      '1e1',
      '+3',
      '3L',
      '0b11',
      '-0x5',
      '09',
      '0x',
      '0xg',
      '--5',
      '1-2',
      'null',
      'true',
      '"5"',
      '[5]',
      '{}'
    ]
      .concat('9223372036854775808', '-9223372036854775809', '0x10000000000000000', '02000000000000000000000')
      .concat('00x5', '-00000000000000000005', 'undefined', 'NaN', '')
      .flatMap((value) =>
        ['$maxCount', '$maxAge', '$tb', '$cacheControl'].map((name): [string, string] => [
          `wrong ${name}`,
          name === '$tb' ? `{"$maxCount":2,"$tb":${value}}` : `{"$tb":2,"${name}":${value}}`
        ])
      )
  );
  itGivesUp(
    ['1', '"true"', 'null', 'True', '[]'].map((value): [string, string] => [
      'wrong $tmp',
      `{"$tmp":${value},"$maxCount":2}`
    ])
  );
  itGivesUp(
    [
      ...[
        'null',
        'true',
        '"x"',
        '[]',
        '5',
        '{"$x":"a"}',
        '{"r":"a"}',
        '{"$r":null}',
        '{"$r":5}',
        '{"$r":{}}'
      ],
      ...['{"$r":[1]}', '{"$r":[null]}', '{"$r":["a",["b"]]}', '{"$r":[,]}', '{"$r":["a"}']
    ].map((value): [string, string] => ['wrong $acl', `{"$acl":${value},"$maxCount":2}`])
  );
  itGivesUp([
    ['an age beyond the range of times', '{"$maxAge":922337203686,"$maxCount":2}'],
    ['an age beyond the range of times, negative', '{"$maxAge":-922337203686,"$maxCount":2}'],
    ['a cache control beyond the range of times', '{"$cacheControl":922337203686,"$maxCount":2}'],
    ['a repeated member, the first of a wrong type', '{"$maxCount":"2","$maxCount":6}'],
    ['a repeated member, the last of a wrong type', '{"$maxCount":6,"$maxCount":null}'],
    ['an unknown number that is none', '{"x":1.2.3,"$maxCount":2}'],
    ['an unknown number with a plus sign', '{"x":+1,"$maxCount":2}'],
    ['an unknown octal number with a 9', '{"x":019,"$maxCount":2}'],
    ['an unknown whole number of 381 digits', `{"x":${'9'.repeat(381)},"$maxCount":2}`]
  ]);
});

describe('metadata of a golden database', () => {
  const { streams } = expectedOf('rules-odd', 'before');
  const bodies = Object.entries(goldenJson('rules-odd', 'metadata-bodies.json') as Record<string, string>);

  // Each stream has the events 0 to 11. An age as long as this one makes the server itself fail.
  it.each(bodies.filter(([stream]) => stream !== 'age-huge'))(
    'hides what the server hid: %s %s',
    (stream, body) => {
      const { maxCount, truncateBefore, maxAgeSeconds } = parse(body);
      expect(maxAgeSeconds).toBeNull();
      const first = [0n, 12n - (maxCount ?? 12n), truncateBefore ?? 0n].reduce((a, b) => (a > b ? a : b));
      expect(streams?.[stream]?.readable ?? []).toEqual(first > 11n ? [] : [[Number(first), 11]]);
    }
  );
});

describe('texts made to hurt', () => {
  const nested = (depth: number, [open, close]: [string, string]): string =>
    `{"$maxCount":2,"x":${open.repeat(depth)}${close.repeat(depth)}}`;

  it.each<[string, string]>([
    ['[', ']'],
    ['new a(', ')']
  ])('reads 64 containers inside one another, no more: %s', (...pair) => {
    expect(parse(nested(63, pair)).maxCount).toBe(2n);
    expect(parse(nested(64, pair))).toEqual(EMPTY_METADATA);
    expect(parse(nested(500_000, pair))).toEqual(EMPTY_METADATA);
  });

  const long = 300_000;
  it.each([
    ['digits with a wrong end', `{"$maxCount":${'1'.repeat(long)}-}`],
    ['zeros with a wrong end', `{"$maxCount":0x${'0'.repeat(long)}.}`],
    ['octal digits', `{"$maxCount":0${'7'.repeat(long)}}`],
    ['digits and points', `{"x":${'1.'.repeat(long)}}`],
    ['a text of escapes without end', `{"x":"${'\\n'.repeat(long)}`],
    ['comments without end', `{"x":[${'/*'.repeat(long)}`],
    ['blanks', `{${' '.repeat(long)}`],
    ['commas', `{"x":[${','.repeat(long)}`],
    ['repeated members', `{${'"$tb":1,'.repeat(long)}`]
  ])('reads %s in linear time', { timeout: 5_000 }, (_what, body) => {
    expect(parse(body)).toEqual(EMPTY_METADATA);
  });

  it('never throws, whatever single byte is changed', () => {
    const good = bytes('{"$maxCount":2,"x":[1,{"a":new Date(0x1f)}],\'$acl\':{$r:["\\u0041"]}} rest');
    for (let offset = 0; offset < good.length; offset++) {
      for (let value = 0; value < 256; value++) {
        const changed = good.slice();
        changed[offset] = value;
        expect(() => parse(changed)).not.toThrow();
      }
      expect(() => parse(good.subarray(0, offset))).not.toThrow();
    }
  });
});
