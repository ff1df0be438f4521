/** What the machine means for the next start: rights, room, and a server that is at work. */
import { describe, expect, test } from 'vitest';
import { uncontrolled } from '../../../../src-core/database/operation-control.ts';
import { examineStart } from '../../../../src-core/insight/doctor/examine-start.ts';
import { writeSampleDatabase } from '../../../../src-core/sample/write-sample-database.ts';
import { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { SAMPLE_NOW, writeText } from '../../../support/restore-fixture.ts';
import { CHUNK_SIZE, DATABASE, int64, overwrite } from '../../repair/repair-sample.ts';
import { examined, lastChunk, reason, type Change, type Options } from './changed-start.ts';

const LARGE_CHUNK = 4 * 2 ** 20;

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
    ['the group of writer.chk may not write, though others may', asUser(0o646, 7, 1000), ['chaser.chk']],
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
  /** A log of one chunk that is larger than what any start needs. */
  async function largeChunks(): Promise<MemoryFileSystem> {
    const memory = new MemoryFileSystem();
    memory.makeDirectory('/node');
    await writeSampleDatabase({
      fileSystem: memory,
      dataDirectory: DATABASE,
      sizeBytes: 20_000,
      chunkSizeBytes: LARGE_CHUNK,
      seed: 3,
      now: SAMPLE_NOW,
      control: uncontrolled()
    });
    return memory;
  }

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

  test.each([
    [2 ** 20 - 1, ['diskFull']],
    [2 ** 20, []]
  ])('%i bytes are free: any start needs 1048576', async (bytes, codes) => {
    const { findings, prediction } = await examined(withFree(bytes));
    expect(findings.map(({ code }) => code).filter((code) => code.startsWith('disk'))).toEqual(codes);
    expect(prediction.starts).toBe(codes.length === 0);
  });

  test.each([
    [-1, true, ['diskFull']],
    [0, true, []],
    [-1, false, ['diskNearlyFull']],
    [0, false, []]
  ])(
    'one more chunk and %i bytes are free: it is needed for the start only where the log ends with one (%s)',
    async (more, endsWithChunk, codes) => {
      const memory = await largeChunks();
      if (endsWithChunk)
        for (const name of ['writer', 'chaser']) overwrite(memory, `${name}.chk`, int64(LARGE_CHUNK));
      memory.freeBytes = () => LARGE_CHUNK + more;
      const { findings } = await examineStart({
        place: { fileSystem: memory, dataDirectory: DATABASE },
        isThorough: true,
        control: uncontrolled()
      });
      expect(findings.map(({ code }) => code).filter((code) => code.startsWith('disk'))).toEqual(codes);
    }
  );

  test('less than one more chunk is a hint as long as the chunk being written has room', async () => {
    const memory = await largeChunks();
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
