/** The small parts of the command line: names made visible, sizes, tables, progress, configuration files. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pc from 'picocolors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatNoun, parseByteSize } from '../../../src-main/cli/byte-size.ts';
import { namedForScavenge } from '../../../src-main/cli/global-options.ts';
import { readNodeConfiguration } from '../../../src-main/settings/node-configuration.ts';
import { ProgressLine } from '../../../src-main/cli/progress-line.ts';
import { formatTable, StreamTable } from '../../../src-main/cli/tables.ts';
import { jsonLine, jsonPieces, visibleOutput, visibleText } from '../../../src-main/cli/visible-text.ts';
import type { Progress } from '../../../src-main/contract/operations/reports.ts';

const plain = pc.createColors(false);

describe('names', () => {
  it.each([
    ['order-1', 'order-1'],
    ['Bestellung-ä-日本', 'Bestellung-ä-日本'],
    ['a\u001b[2Jb', 'a\\x1b[2Jb'],
    ['two\nlines\tand\rmore', 'two\\nlines\\tand\\rmore'],
    ['nul\u0000', 'nul\\x00'],
    ['c1\u009b', 'c1\\x9b'],
    ['right\u202eleft', 'right\\u202eleft'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['half\ud800', 'half\\ud800'],
    ['tags \u{e0001}\u{e0041}\u{e0000}\u{e007f}', 'tags \\u{e0001}\\u{e0041}\\u{e0000}\\u{e007f}'],
    ['emoji 🎉', 'emoji 🎉']
  ])('%j is shown as %j', (name, shown) => {
    expect(visibleText(name)).toBe(shown);
  });
});

describe('what is written', () => {
  const { red } = pc.createColors(true);

  it('keeps its own lines and colours, and shows whatever else a name brought along', () => {
    const output = `${red('Error:')} "a\u001b]0;x\u0007\u{e0041}\u009b2J"\nnext\u202e\n`;
    expect(visibleOutput(output)).toBe(`${red('Error:')} "a\\x1b]0;x\\x07\\u{e0041}\\x9b2J"\nnext\\u202e\n`);
  });

  it('as JSON has nothing hidden in it and says the same', () => {
    const value = { 'n\u009bame': ['\u202e\u{e0041}', '\n\u001b', '\ud800', 'ä日🎉'] };
    const line = jsonLine(value);
    expect(line).toBe('{"n\\u009bame":["\\u202e\\udb40\\udc41","\\n\\u001b","\\ud800","ä日🎉"]}\n');
    expect(JSON.parse(line)).toEqual(value);
  });
});

describe('counts', () => {
  it('have one noun for one and another for more', () => {
    expect(formatNoun(1, 'file')).toBe('1 file');
    expect(formatNoun(0, 'file')).toBe('0 files');
    expect(formatNoun(1200, 'entry', 'entries')).toBe('1,200 entries');
  });

  it('never stand before a plural that is written out', () => {
    const directory = new URL('../../../src-main/cli/', import.meta.url);
    const nouns =
      'files|chunks|records|events|streams|entries|days|backups|bytes|tables|places|members|hints';
    const fixed = new RegExp(String.raw`formatCount\([^)]*\)\} (?:[a-z]+ )?(?:${nouns})\b`);
    for (const file of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const lines = fs.readFileSync(new URL(file, directory), 'utf8').split('\n');
      // More than one was asked for there.
      const wrong = lines.filter((line) => fixed.test(line) && !line.includes('All ${'));
      expect(wrong, file).toEqual([]);
    }
  });
});

describe('sizes', () => {
  it.each([
    ['0', 0],
    ['65536', 65536],
    ['64KiB', 65536],
    ['64 kb', 65536],
    ['1.5m', 1572864],
    ['2GiB', 2147483648]
  ])('%s is read as %d bytes', (text, bytes) => {
    expect(parseByteSize(text)).toBe(bytes);
  });

  it.each([[''], ['-1'], ['64 KiBytes'], ['KiB'], ['1e3']])('%j is refused', (text) => {
    expect(() => parseByteSize(text)).toThrow(/size/);
  });

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.00 KiB'],
    [1536, '1.50 KiB'],
    [1048575, '1.00 MiB'],
    [123456789, '118 MiB'],
    [-2048, '-2.00 KiB']
  ])('%d bytes are shown as %s', (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });

  it('groups digits and leaves what no number can hold as it is', () => {
    expect(formatCount(1234567)).toBe('1,234,567');
    expect(formatCount('9223372036854775807')).toBe('9223372036854775807');
  });
});

describe('tables', () => {
  it('align columns and end lines without space', () => {
    const text = formatTable(
      [{ title: 'file' }, { title: 'size', align: 'right' }],
      [
        ['a', '1'],
        ['long-name', '12,345']
      ],
      plain
    );
    expect(text).toBe('file         size\na               1\nlong-name  12,345\n');
  });

  it('align cells by the columns a terminal needs for them', () => {
    const text = formatTable(
      [{ title: 'stream' }, { title: 'events', align: 'right' }],
      [
        ['日本', '1'],
        ['cafe\u0301', '2'],
        ['order', '3']
      ],
      plain
    );
    expect(text).toBe('stream  events\n日本         1\ncafe\u0301         2\norder        3\n');
  });

  it('of 100,000 chunks are laid out in one pass: comparing rows with each other would not end here', () => {
    const rows = Array.from({ length: 100_000 }, (_, chunk) => [String(chunk), 'completed', '1.00 MiB']);
    const text = formatTable(
      [{ title: 'chunk', align: 'right' }, { title: 'state' }, { title: 'size' }],
      rows,
      plain
    );
    expect(text.split('\n')).toHaveLength(rows.length + 2);
    expect(text.endsWith('99999  completed  1.00 MiB\n')).toBe(true);
  });

  it('of nothing are nothing', () => {
    expect(formatTable([{ title: 'file' }], [], plain)).toBe('');
    expect(new StreamTable([{ title: 'file' }], plain).format([])).toBe('');
  });

  it('of a stream have one header, and columns never get narrower', () => {
    const table = new StreamTable([{ title: 'n', align: 'right' }, { title: 'name' }], plain);
    expect(table.format([['10,000', 'x']])).toBe('     n  name\n10,000  x\n');
    expect(table.format([['1', 'y\u001b']])).toBe('     1  y\\x1b\n');
  });
});

describe('progress', () => {
  const snapshot: Progress = {
    operation: 'verifyDatabase',
    dataDirectory: '/data',
    phase: 'log',
    done: 512,
    total: 1024,
    unit: 'bytes',
    savedBytes: 0,
    elapsedMs: 4000,
    message: null
  };

  function shown(mode: 'bar' | 'lines' | 'json' | 'none', snapshots: Progress[]): string {
    let text = '';
    const line = new ProgressLine({ write: (piece) => (text += piece), columns: 120 }, mode);
    for (const one of snapshots) line.show(one);
    line.clear();
    return text;
  }

  it('is a bar on a terminal, removed at the end', () => {
    const text = shown('bar', [snapshot]);
    expect(text).toContain('50 %  512 B of 1.00 KiB  4 s left');
    expect(text.endsWith('\r\u001b[K')).toBe(true);
  });

  it('is a line now and then elsewhere', () => {
    const text = shown('lines', [
      { ...snapshot, elapsedMs: 100 },
      snapshot,
      { ...snapshot, elapsedMs: 4100 },
      { ...snapshot, elapsedMs: 8000, done: 1024, savedBytes: 2048 }
    ]);
    expect(text).toBe('log: 50 % 512 B of 1.00 KiB\nlog: 100 % 1.00 KiB of 1.00 KiB, 2.00 KiB freed\n');
  });

  it('is every snapshot as JSON when asked', () => {
    expect(JSON.parse(shown('json', [snapshot]))).toEqual(snapshot);
  });

  it('is nothing when nothing was asked for', () => {
    expect(shown('none', [snapshot])).toBe('');
  });
});

describe('configuration files', () => {
  let directory: string;
  beforeAll(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-configuration-'));
  });
  afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

  function read(text: string): ReturnType<typeof readNodeConfiguration> {
    const file = path.join(directory, 'node.conf');
    fs.writeFileSync(file, text);
    return readNodeConfiguration(file);
  }

  it('name directories, cluster size and scavenge settings, whatever the spelling', () => {
    expect(
      read(
        'db: data\nIndex: /fast/index\nCLUSTER_SIZE: 3\ndisable-scavenge-merging: true\n' +
          'ScavengeBackendPageSize: 16\nScavengeBackendCacheSize: 1048576\nUnsafeIgnoreHardDelete: false\n'
      )
    ).toEqual({
      dataDirectory: path.join(directory, 'data'),
      indexDirectory: '/fast/index',
      clusterSize: 3,
      disableScavengeMerging: true,
      scavengeBackendPageSize: 16,
      scavengeBackendCacheSizeBytes: 1048576,
      unsafeIgnoreHardDelete: false
    });
  });

  it('may keep their settings in a section of the product', () => {
    expect(read('KurrentDB:\n  Db: /data\n  ClusterSize: 1\n')).toEqual({
      dataDirectory: '/data',
      clusterSize: 1
    });
  });

  it.each([
    ['a list', '- Db: /data\n', /settings by name/],
    ['broken YAML', 'Db: [\n', /not valid YAML/],
    ['a node in memory', 'Db: /data\nMemDb: true\n', /has no files/],
    ['a number as directory', 'Db: 5\n', /must be a path/],
    ['words as cluster size', 'Db: /data\nClusterSize: three\n', /must be a whole number/],
    ['no data directory', 'Index: /x\n', /does not name a data directory/]
  ])('are refused: %s', (_what, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('and the environment say how a scavenge is done, the environment last, and never where the data is', () => {
    const file = path.join(directory, 'node.conf');
    fs.writeFileSync(file, 'Db: data\nAlwaysKeepScavenged: true\nScavengeHistoryMaxAge: 12\nClusterSiz: 3\n');
    const { configuration, warnings } = namedForScavenge(
      undefined,
      { config: file },
      {
        SERVICE_ALWAYS_KEEP_SCAVENGED: 'false',
        KURRENTDB_UNSAFE_IGNORE_HARD_DELETE: 'true',
        EVENTSTORE_DB: '/elsewhere',
        SERVICE_INDEX: '/elsewhere/index'
      }
    );
    expect(configuration).toEqual({
      dataDirectory: path.join(directory, 'data'),
      alwaysKeepScavenged: false,
      unsafeIgnoreHardDelete: true,
      scavengeHistoryMaxAgeDays: 12
    });
    expect(warnings.join('\n')).toMatch(/no setting "ClusterSiz" .*Did you mean ClusterSize\?/);
    expect(warnings.join('\n')).toContain('UnsafeIgnoreHardDelete (KURRENTDB_UNSAFE_IGNORE_HARD_DELETE)');
    const named = namedForScavenge('/data', {}, { SERVICE_CLUSTER_SIZE: '3', SERVICE_INDEX: '/elsewhere' });
    expect(named).toMatchObject({ location: { dataDirectory: '/data' }, configuration: { clusterSize: 3 } });
    expect(named.location).not.toHaveProperty('indexDirectory');
  });

  it('that are missing are named', () => {
    expect(() => readNodeConfiguration(path.join(directory, 'none.conf'))).toThrow(
      /none\.conf cannot be read/
    );
  });
});

it('a report with a long list is the same line when it is written in pieces', () => {
  const hidden = '\u202e';
  const items = Array.from({ length: 12_345 }, (_, at) => ({ name: `${hidden}stream-${at}`, records: at }));
  for (const value of [
    { items, by: 'stream', none: undefined, empty: [] },
    { by: null, items: items.slice(0, 5001) },
    { items: [] },
    [1],
    'text'
  ]) {
    const pieces = [...jsonPieces(value)];
    expect(pieces.join('')).toBe(jsonLine(value));
    for (const piece of pieces) expect(piece.length).toBeLessThan(400_000);
  }
});
