/** What a small change of a sound directory means for the next start: each reason with its effect and the server's answer. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { OperationControl, uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { decodeIndexMap, encodeIndexMap } from '../../../../src-core/index/index-map.ts';
import { encodeTableFooter, encodeTableHeader } from '../../../../src-core/index/index-table.ts';
import { examineStart, type ExamineStart } from '../../../../src-core/insight/doctor/examine-start.ts';
import type { StartFinding } from '../../../../src-core/insight/doctor/start-finding.ts';
import { writeSampleDatabase } from '../../../../src-core/sample/write-sample-database.ts';
import { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { SAMPLE_NOW, writeText } from '../../../support/restore-fixture.ts';
import {
  bytesOf,
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  int64,
  overwrite,
  sampleInMemory
} from '../../repair/repair-sample.ts';

const FIRST = 'chunk-000000.000000';
const SECOND = 'chunk-000001.000000';
type Change = (memory: MemoryFileSystem) => void;
type Options = Partial<Omit<ExamineStart, 'place'>>;

let sound: MemoryFileSystem;

beforeAll(async () => {
  sound = await sampleInMemory();
});

async function examined(change: Change, options: Options = {}) {
  const memory = copyOf(sound);
  change(memory);
  const place = { fileSystem: memory, dataDirectory: DATABASE };
  return examineStart({ place, isThorough: true, control: uncontrolled(), ...options });
}

async function reason(code: string, change: Change, options: Options = {}): Promise<StartFinding[]> {
  const { findings } = await examined(change, options);
  return findings.filter((finding) => finding.code === code);
}

/** Changes bytes of a file in place. */
function patch(memory: MemoryFileSystem, name: string, offset: number, bytes: Uint8Array): void {
  const all = bytesOf(memory, name);
  all.set(bytes, offset);
  overwrite(memory, name, all);
}

/** What a table or a completed chunk ends with. */
function withHash(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, createHash('md5').update(bytes).digest()]);
}

const int32 = (value: number): Buffer => int64(value).subarray(0, 4);
const lastChunk = (memory: MemoryFileSystem): string =>
  memory
    .list(DATABASE)!
    .map(({ name }) => name)
    .filter((name) => name.startsWith('chunk-'))
    .sort()
    .at(-1)!;

test('a sound directory gives no reason', async () => {
  const { findings, prediction, ok } = await examined(() => undefined);
  expect(findings.map(({ code, effect }) => `${code}: ${effect}`)).toEqual(['existenceFilterMissing: none']);
  expect(prediction.then).toBe('runs');
  expect(ok).toBe(true);
});

describe('the log', () => {
  test.each<[string, string, Change, Options, Partial<StartFinding>]>([
    [
      'a chaser.chk that is no position refuses',
      'checkpointInvalid',
      (memory) => overwrite(memory, 'chaser.chk', int64(-5)),
      {},
      { effect: 'refuses', file: 'chaser.chk' }
    ],
    [
      'a checkpoint file that is too long is cut',
      'checkpointInvalid',
      (memory) => overwrite(memory, 'proposal.chk', Buffer.alloc(9)),
      {},
      { effect: 'none', wouldDo: 'It pads or cuts it to eight bytes and uses them.' }
    ],
    [
      'an encrypted chunk needs the plug-in',
      'encrypted',
      (memory) => patch(memory, SECOND, 34, Uint8Array.of(4, 1)),
      {},
      {
        effect: 'none',
        file: SECOND,
        wouldDo: expect.stringContaining('encryption plug-in') as string,
        command: null
      }
    ],
    [
      'first chunks that are not there refuse',
      'archiveGap',
      (memory) => memory.remove(`${DATABASE}/${FIRST}`),
      { serverVersion: '24.10.0' },
      { effect: 'refuses', serverSays: null, command: null }
    ],
    [
      'for a server with an archive they may lie there',
      'archiveGap',
      (memory) => memory.remove(`${DATABASE}/${FIRST}`),
      { serverVersion: '25.0.0' },
      { effect: 'refuses', wouldDo: expect.stringContaining('name the archive') as string, command: null }
    ],
    [
      'a missing chunk refuses, in the words of the server',
      'chunkMissing',
      (memory) => memory.remove(`${DATABASE}/${SECOND}`),
      {},
      { effect: 'refuses', serverSays: `${DATABASE}/${SECOND} not found.` }
    ],
    [
      'a chunk without version that claims to be merged refuses',
      'chunkHeaderInvalid',
      (memory) => {
        patch(memory, FIRST, 10, int32(1));
        patch(memory, FIRST, 14, int32(1));
        memory.remove(`${DATABASE}/${SECOND}`);
      },
      {},
      { effect: 'refuses', file: FIRST, offset: 10 }
    ],
    [
      'an undo that has not ended refuses',
      'undoUnfinished',
      (memory) => writeText(memory, `${DATABASE}/winnow-undo.json`, '{}'),
      {},
      { effect: 'refuses', wouldDo: expect.stringContaining('until the undo has ended') as string }
    ],
    [
      'a chunk of another owner than the superuser goes on under the superuser',
      'notOwnedByServerUser',
      (memory) => memory.changeOwner(`${DATABASE}/writer.chk`, 0, 0),
      {},
      { effect: 'none', wouldDo: 'It continues if it runs as the superuser.', severity: 'hint' }
    ],
    [
      'a chunk of another owner refuses',
      'notOwnedByServerUser',
      (memory) => memory.changeOwner(`${DATABASE}/${FIRST}`, 7, 7),
      {},
      { effect: 'refuses', severity: 'damage' }
    ],
    [
      'a chunk that was filled to the brim is completed',
      'chunkNotCompleted',
      (memory) => {
        const last = lastChunk(memory);
        const bytes = Buffer.alloc(128 + CHUNK_SIZE + 128);
        bytes.set(bytesOf(memory, last).subarray(0, 128 + CHUNK_SIZE));
        overwrite(memory, last, bytes);
        for (const name of ['writer', 'chaser']) overwrite(memory, `${name}.chk`, int64(4 * CHUNK_SIZE));
      },
      {},
      { effect: 'none', wouldDo: 'It writes the footer and continues with the next chunk.', command: null }
    ],
    [
      'one leftover is removed',
      'temporaryFile',
      (memory) => writeText(memory, `${DATABASE}/a.scavenge.tmp`, 'dear'),
      {},
      {
        message: 'a.scavenge.tmp (4 bytes) is left over from an interrupted rewrite.',
        wouldDo: 'It removes it.'
      }
    ],
    [
      'several leftovers are removed together',
      'temporaryFile',
      (memory) => {
        for (const name of ['a', 'b', 'c']) writeText(memory, `${DATABASE}/${name}.scavenge.tmp`, 'dear');
      },
      {},
      {
        message: 'a.scavenge.tmp and 2 more (12 bytes) are left over from an interrupted rewrite.',
        wouldDo: 'It removes them.'
      }
    ]
  ])('%s', async (_name, code, change, options, expected) => {
    const found = await reason(code, change, options);
    expect(found).toMatchObject([expected]);
  });

  test('without a record and without checkpoints is not called overwritten', async () => {
    const { findings } = await examined((memory) => {
      for (const { name } of memory
        .list(DATABASE)!
        .filter(({ name: file }) => /^chunk-(?!000000)/.test(file)))
        memory.remove(`${DATABASE}/${name}`);
      for (const name of ['writer', 'chaser', 'epoch']) memory.remove(`${DATABASE}/${name}.chk`);
      overwrite(
        memory,
        FIRST,
        Buffer.concat([bytesOf(memory, FIRST).subarray(0, 128), Buffer.alloc(CHUNK_SIZE + 128)])
      );
      memory.removeDirectory(`${DATABASE}/index`);
    });
    expect(findings.map(({ code }) => code)).not.toContain('logOverwritten');
  });
});

describe('the machine', () => {
  const asUser =
    (mode: number, uid: number, gid: number): Change =>
    (memory) => {
      memory.changeOwner(`${DATABASE}/chaser.chk`, uid, gid);
      memory.changeMode(`${DATABASE}/chaser.chk`, mode);
    };

  test.each<[string, Change, string[]]>([
    ['its owner may not write', asUser(0o444, 1000, 1000), ['chaser.chk']],
    ['only its owner may write, who is another', asUser(0o644, 7, 7), ['chaser.chk']],
    ['the group of writer.chk may write', asUser(0o664, 7, 1000), []],
    ['the group of writer.chk may not write', asUser(0o644, 7, 1000), ['chaser.chk']],
    ['another group may write', asUser(0o664, 7, 7), ['chaser.chk']],
    ['all may write', asUser(0o666, 7, 7), []],
    ['the directory may not be written to', (memory) => memory.changeMode(DATABASE, 0o555), ['null']]
  ])('a file is as good as read-only where %s', async (_name, change, files) => {
    const found = await reason('notWritable', change);
    expect(found.map(({ file }) => String(file))).toEqual(files);
    for (const { effect, remedy } of found) {
      expect(effect).toBe('refuses');
      expect(remedy).toMatch(/^Give the directory and its files to the user of the server/);
    }
  });

  const withFree =
    (bytes: number, change: Change = () => undefined): Change =>
    (memory) => {
      memory.freeBytes = () => bytes;
      change(memory);
    };
  /** The log ends where a chunk does: the next one is made before the node is ready. */
  const atBoundary: Change = (memory) => {
    memory.remove(`${DATABASE}/${lastChunk(memory)}`);
    const end = Number(/\d+/.exec(lastChunk(memory))![0]) * CHUNK_SIZE + CHUNK_SIZE;
    for (const name of ['writer', 'chaser']) overwrite(memory, `${name}.chk`, int64(end));
  };
  /** Without a manifest that can be read, all that lies there counts. */
  const withKept: Change = (memory) => {
    const kept = `${DATABASE}/winnow-replaced/20261121T050000Z`;
    writeText(memory, `${kept}/manifest.json`, 'no JSON');
    writeText(memory, `${kept}/data/chunk-000000.000000`, 'replaced');
  };

  test.each<[string, Change, Options, RegExp, RegExp]>([
    [
      'no room at all',
      withFree(0),
      {},
      /^0 bytes are free .* needs 1048576\.$/,
      /shows which chunks free the most\.$/
    ],
    [
      'no room, but for what is kept',
      withFree(9, withKept),
      {},
      /^9 bytes are free/,
      /8 bytes are what scavenges replaced/
    ]
  ])('%s ends the start', async (_name, change, options, message, remedy) => {
    const [found] = await reason('diskFull', change, options);
    expect(found?.effect).toBe('refuses');
    expect(found?.message).toMatch(message);
    expect(found?.remedy).toMatch(remedy);
  });

  test('where the log ends with a chunk, what the next one needs is named, and never less than any start needs', async () => {
    const [found] = await reason('diskFull', withFree(2 ** 19, atBoundary));
    expect(found?.message).toMatch(/^524288 bytes are free .* needs 1048576\.$/);
    expect(await reason('diskFull', withFree(2 ** 21, atBoundary))).toEqual([]);
  });

  test('less than one more chunk is a hint as long as the chunk being written has room', async () => {
    const memory = new MemoryFileSystem();
    memory.makeDirectory('/node');
    await writeSampleDatabase({
      fileSystem: memory,
      dataDirectory: DATABASE,
      sizeBytes: 20_000,
      chunkSizeBytes: 4 * 2 ** 20,
      seed: 3,
      now: SAMPLE_NOW,
      control: uncontrolled()
    });
    memory.freeBytes = () => 2 ** 21;
    const { findings, prediction } = await examineStart({
      place: { fileSystem: memory, dataDirectory: DATABASE },
      isThorough: true,
      control: uncontrolled()
    });
    expect(prediction.starts).toBe(true);
    expect(findings.filter(({ code }) => code === 'diskNearlyFull')).toMatchObject([
      {
        severity: 'hint',
        effect: 'none',
        message: expect.stringMatching(
          /^2097152 bytes are free .* less than one more chunk \(4194304\)/
        ) as string,
        wouldDo: 'It starts, and ends when it has to create the next chunk.'
      }
    ]);
  });

  test('a refusal of a running server is looked at twice: it counts only if it is seen twice', async () => {
    let looks = 0;
    const { findings, prediction } = await examined((memory) => {
      memory.lockAs(`${DATABASE}/writer.chk`, { by: 'EventStore', pid: 12 });
      memory.freeBytes = () => (looks++ === 0 ? 0 : 2 ** 40);
    });
    expect(looks).toBe(2);
    expect(findings.map(({ code }) => code)).toEqual(['inUse', 'existenceFilterMissing']);
    expect(prediction.starts).toBe(true);
  });
});

describe('the index', () => {
  const table = (memory: MemoryFileSystem): string =>
    memory.list(`${DATABASE}/index`)!.find(({ name }) => /^[0-9a-f-]{36}$/.test(name))!.name;
  const writeMap = (memory: MemoryFileSystem, lines: (all: string[]) => string[]): void => {
    const written = bytesOf(memory, 'index/indexmap').toString().trimEnd().split('\n');
    const text = `${lines(written.slice(1)).join('\n')}\n`;
    const hash = createHash('md5').update(`\n${text}`).digest('hex').toUpperCase();
    overwrite(memory, 'index/indexmap', Buffer.from(`${hash}\n${text}`));
  };
  /** Gives the table of a change of its entries, with its checksum. */
  const writeTable = (memory: MemoryFileSystem, change: (bytes: Buffer) => Buffer): void => {
    const name = `index/${table(memory)}`;
    overwrite(memory, name, withHash(change(bytesOf(memory, name).subarray(0, -16))));
  };

  test.each<[string, string, Change, Options, Partial<StartFinding>]>([
    [
      'a table of the first version is rebuilt by a server that reads it no more',
      'tableInvalid',
      (memory) => patch(memory, `index/${table(memory)}`, 1, Uint8Array.of(1)),
      { serverVersion: '24.10.0' },
      { effect: 'rebuildsIndex', severity: 'damage' }
    ],
    [
      'a table of the first version is nothing to an older server',
      'tableInvalid',
      (memory) => patch(memory, `index/${table(memory)}`, 1, Uint8Array.of(1)),
      { serverVersion: '23.10.0' },
      { effect: 'none', severity: 'hint', command: null }
    ],
    [
      'a table that an older server cannot read is rebuilt',
      'tableTooNew',
      () => undefined,
      { serverVersion: '4.0.0' },
      { effect: 'rebuildsIndex', offset: 1 }
    ],
    [
      'a map whose version is no number ends the server',
      'indexMapInvalid',
      (memory) => writeMap(memory, ([, ...rest]) => ['two', ...rest]),
      {},
      {
        effect: 'refuses',
        remedy: 'Rebuild the index from the log: the server does not do so by itself here.'
      }
    ],
    [
      'a map with another fault is rebuilt',
      'indexMapInvalid',
      (memory) => writeMap(memory, ([version, , ...rest]) => [version!, 'no check points', ...rest]),
      {},
      { effect: 'rebuildsIndex', serverSays: 'ReadIndex is corrupted... Error while loading IndexMap.' }
    ],
    [
      'a few entries that lead astray are noticed by nobody',
      'indexEntryWithoutRecord',
      (memory) =>
        writeTable(memory, (bytes) => {
          bytes.writeBigInt64LE(bytes.readBigInt64LE(128 + 16) + 1n, 128 + 16);
          return bytes;
        }),
      {},
      {
        effect: 'none',
        command: 'winnow verify',
        message: expect.stringMatching(/^1 of \d+ checked index entries lead to no record/) as string
      }
    ]
  ])('%s', async (_name, code, change, options, expected) => {
    expect(await reason(code, change, options)).toMatchObject([expected]);
  });
});

test.each([
  [
    ['--max-auto-merge-index-level', '-1'],
    /must be attached with "="\.$/,
    'Write the value of MaxAutoMergeIndexLevel directly after "=".'
  ],
  [
    ['--max-truncation', '--insecure'],
    /the value of MaxTruncation is not a whole number\.$/,
    'Write a whole number, or leave the setting out.'
  ],
  [['--max-truncation', '-1'], /must be attached with "="\.$/, 'Write it as --max-truncation=-1.'],
  [
    ['--max-truncation=all'],
    /the value of MaxTruncation is not a whole number\.$/,
    'Write a whole number, or leave the setting out.'
  ],
  [
    ['--max-auto-merge-index-level', 'ten'],
    /the value of MaxAutoMergeIndexLevel is not/,
    'Write a whole number, or leave the setting out.'
  ]
])(
  'the command line %j is refused, with the word that is wrong',
  async (serverArguments, message, remedy) => {
    const found = await reason('serverOptionInvalid', () => undefined, { serverArguments });
    expect(found).toMatchObject([{ effect: 'refuses', remedy }]);
    expect(found[0]?.message).toMatch(message);
  }
);

test('a table without entries is not hashed, as by the server', async () => {
  const { findings, prediction } = await examined((memory) => {
    const empty = '0b1b7a2e-0000-4000-8000-000000000001';
    const bytes = Buffer.concat([encodeTableHeader(4), encodeTableFooter(4, 0), Buffer.alloc(16, 7)]);
    overwrite(memory, `index/${empty}`, bytes);
    const map = decodeIndexMap(bytesOf(memory, 'index/indexmap'));
    const tables = [...map.tables, { level: 0, position: 1, file: empty }];
    overwrite(memory, 'index/indexmap', encodeIndexMap({ ...map, tables }));
  });
  expect(findings.map(({ code }) => code)).not.toContain('tableHashMismatch');
  expect(prediction.then).toBe('runs');
});

describe('the records that the index does not hold yet', () => {
  const POSITION = 3 * CHUNK_SIZE;
  const LAST = 'chunk-000003.000000';
  /** A control whose slice is always used up. */
  const due = (): OperationControl => {
    let now = 0;
    return new OperationControl({ elapsedMs: () => (now += 1000), yieldTurn: () => Promise.resolve() });
  };

  test.each([
    ['before them is not met', () => POSITION, 'none', 'It does not read this place when it starts'],
    ['among them is met', (readFrom: number) => readFrom, 'refuses', 'reads the log for its index']
  ])('a fault %s', async (_name, at, effect, wouldDo) => {
    const { facts } = await examined(() => undefined);
    const { readFrom } = facts.index;
    expect(readFrom).toBeGreaterThan(POSITION);
    const change: Change = (memory) => patch(memory, LAST, 128 + at(readFrom) - POSITION, int32(3));
    for (const control of [uncontrolled(), due()]) {
      const [found] = await reason('recordInvalid', change, { control });
      expect(found).toMatchObject({ effect, file: LAST });
      expect(found?.wouldDo).toContain(wouldDo);
    }
  });

  test.each([
    ['that the index holds', () => undefined],
    [
      'that the index does not hold',
      (memory: MemoryFileSystem) => memory.removeDirectory(`${DATABASE}/index`)
    ]
  ])('a chunk %s and that calls itself scavenged without a map is taken for empty', async (_name, change) => {
    const { findings, prediction, ok } = await examined((memory) => {
      const bytes = bytesOf(memory, SECOND);
      bytes.writeInt32LE(1, 14);
      memory.remove(`${DATABASE}/${SECOND}`);
      overwrite(memory, 'chunk-000001.000001', withHash(bytes.subarray(0, -16)));
      // The chain of epochs leads through the chunk.
      overwrite(memory, 'epoch.chk', int64(-1));
      change(memory);
    });
    const found = findings.filter(({ severity }) => severity === 'damage');
    expect(new Set(found.map(({ file }) => file))).toEqual(new Set(['chunk-000001.000001']));
    expect(found.map(({ code }) => code)).toContain('chunkFooterInvalid');
    for (const { effect, wouldDo } of found) {
      expect(effect).toBe('none');
      expect(wouldDo).toBe('It treats the chunk as empty and continues: readers miss its records.');
    }
    expect(prediction.starts).toBe(true);
    expect(ok).toBe(false);
  });

  test('what does not fit a quick look is named, apart from what the server does not read either', async () => {
    const { notChecked, isPartial, prediction } = await examined(
      (memory) => memory.removeDirectory(`${DATABASE}/index`),
      { isThorough: false, quickBytes: 0, serverArguments: ['--skip-db-verify'] }
    );
    expect(notChecked).toContain('hashes of chunks: the server skips them too');
    expect(
      notChecked.filter((what) => /^records that the index does not hold yet: \d+ bytes$/.test(what))
    ).toHaveLength(1);
    expect(notChecked.filter((what) => /^hashes of chunks: \d+ bytes$/.test(what))).toEqual([]);
    expect(isPartial).toBe(true);
    expect(prediction.words).toMatch(/^This node will start, as far as checked/);
  });

  test('a chunk that a running server replaces meanwhile is named as not checked', async () => {
    const memory = copyOf(sound);
    let now = 0;
    const control = new OperationControl({
      elapsedMs: () => (now += 1000),
      yieldTurn: () => Promise.resolve(),
      onProgress: ({ phase }) => {
        if (phase === 'chunks') memory.remove(`${DATABASE}/${FIRST}`);
      }
    });
    const place = { fileSystem: memory, dataDirectory: DATABASE };
    const { notChecked, findings } = await examineStart({ place, isThorough: true, control });
    expect(notChecked).toContain(`${FIRST}: it was replaced meanwhile`);
    expect(findings.map(({ effect }) => effect)).toEqual(['none']);
  });
});
