/** A redaction against a naive model, on random choices of events of a database with every feature. */
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { runRedaction } from '../../../src-core/redaction/run-redaction.ts';
import type { RedactionQuestion } from '../../../src-core/redaction/redaction-question.ts';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';
import { guidText, naiveRecords, naiveRedaction, type NaiveRecord } from './naive-redaction.ts';
import { seedList } from '../../support/seeds.ts';

const DIRECTORY = '/db';

function redact(fileSystem: FileSystem, question: Partial<RedactionQuestion>) {
  return runRedaction({
    place: { fileSystem, dataDirectory: DIRECTORY },
    question: { eventIds: [], events: [], ...question },
    assumeStopped: false,
    newGuid: guidsFrom(9),
    control: uncontrolled()
  });
}

function filesOf(fileSystem: FileSystem): Map<string, Buffer> {
  const names = (fileSystem.list(DIRECTORY) ?? []).filter(({ isDirectory }) => !isDirectory);
  return new Map(
    names.map(({ name }) => [name, Buffer.from(readWholeFile(fileSystem, `${DIRECTORY}/${name}`)!)])
  );
}

function completedChunks(fileSystem: FileSystem): string[] {
  const { chunkSet } = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  return chunkSet.chunks.filter(({ isLasting }) => isLasting).map(({ fileName }) => fileName);
}

async function refusal(action: Promise<unknown>): Promise<EngineError> {
  const error: unknown = await action.then(
    () => undefined,
    (caught: unknown) => caught
  );
  expect(error).toBeInstanceOf(EngineError);
  return error as EngineError;
}

function recordsOf(fileSystem: FileSystem, wanted: (record: NaiveRecord) => boolean): NaiveRecord[] {
  const files = filesOf(fileSystem);
  return completedChunks(fileSystem).flatMap((name) => naiveRecords(files.get(name)!).filter(wanted));
}

const isOrdinary = ({ stream, dataLength }: NaiveRecord): boolean =>
  !stream.startsWith('$') && dataLength > 0;

describe('a redaction', () => {
  it.each(seedList(8))('leaves what the naive model says, to the byte (seed %d)', async (seed) => {
    const random = new Prng(seed);
    const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY });
    const before = filesOf(fileSystem);
    const chunks = completedChunks(fileSystem);
    const chosen = recordsOf(fileSystem, isOrdinary).filter(() => random.chance(0.1 * seed));
    const ids = new Set(chosen.map(({ id }) => id));
    const { chunks: redacted } = await redact(fileSystem, { eventIds: [...ids].map(guidText) });

    const after = filesOf(fileSystem);
    expect(after.size).toBe(before.size);
    for (const [name, bytes] of before) {
      const isMeant = chunks.includes(name) && naiveRecords(bytes).some(({ id }) => ids.has(id));
      const now = isMeant ? name.replace(/0$/, '1') : name;
      expect(after.get(now)?.equals(isMeant ? naiveRedaction(bytes, ids) : bytes), now).toBe(true);
    }
    expect(redacted.length).toBeGreaterThan(0);
    expect(openDatabase({ fileSystem, dataDirectory: DIRECTORY }).problems).toEqual([]);
  });

  it('finds an event by its stream and number', async () => {
    const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY });
    const { plan } = await redact(fileSystem, { events: [{ stream: 'gone-0', number: 2 }] });
    expect(plan.records.map(({ stream, eventNumber }) => [stream, eventNumber])).toEqual([['gone-0', 2]]);
    const [record] = recordsOf(fileSystem, ({ id }) => guidText(id) === plan.records[0]!.eventId);
    const bytes = filesOf(fileSystem).get('chunk-000000.000001')!;
    expect(bytes.subarray(record!.dataAt, record!.dataAt + record!.dataLength).every((b) => b === 0xff)).toBe(
      true
    );
  });

  it('does nothing a second time', async () => {
    const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY });
    const eventIds = recordsOf(fileSystem, isOrdinary)
      .slice(0, 3)
      .map(({ id }) => guidText(id));
    await redact(fileSystem, { eventIds });
    const once = filesOf(fileSystem);
    const { chunks, plan } = await redact(fileSystem, { eventIds });
    expect(chunks).toEqual([]);
    expect(plan.records.map(({ state }) => state)).toEqual(['redacted', 'redacted', 'redacted']);
    expect([...filesOf(fileSystem).keys()]).toEqual([...once.keys()]);
  });

  it('overwrites data that another tool only marked', async () => {
    const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY });
    const name = completedChunks(fileSystem)[0]!;
    const record = recordsOf(fileSystem, isOrdinary)[0]!;
    const marked = naiveRedaction(filesOf(fileSystem).get(name)!, new Set([record.id]));
    const expected = Buffer.from(marked);
    filesOf(fileSystem)
      .get(name)!
      .copy(marked, record.dataAt, record.dataAt, record.dataAt + record.dataLength);
    const file = fileSystem.open(`${DIRECTORY}/${name}`, 'readWrite');
    const rehashed = naiveRedaction(marked, new Set());
    file.write(rehashed, 0, rehashed.length, 0);
    file.close();
    await redact(fileSystem, { eventIds: [guidText(record.id)] });
    expect(filesOf(fileSystem).get(name.replace(/0$/, '1'))?.equals(expected)).toBe(true);
  });

  it('takes older versions of the chunk and temporary files away, others not', async () => {
    const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY });
    const [first, second] = completedChunks(fileSystem);
    const bytes = filesOf(fileSystem);
    const put = (name: string, content: Buffer) => {
      const file = fileSystem.open(`${DIRECTORY}/${name}`, 'createNew');
      file.write(content, 0, content.length, 0);
      file.close();
    };
    put(first!.replace(/0$/, '3'), bytes.get(first!)!);
    put(second!.replace(/0$/, '5'), bytes.get(second!)!);
    put('a.scavenge.tmp', bytes.get(first!)!);
    const { id } = naiveRecords(bytes.get(first!)!).find(isOrdinary)!;
    const { swept } = await redact(fileSystem, { eventIds: [guidText(id)] });
    expect(swept).toEqual(['a.scavenge.tmp', first]);
    const names = [...filesOf(fileSystem).keys()].filter((name) => /^chunk|tmp$/.test(name));
    expect(names).toContain(first!.replace(/0$/, '4'));
    expect(names).toContain(second!);
    expect(names).not.toContain(first!.replace(/0$/, '3'));
  });

  it('has the removal of what is left over on the disk before it says that it is gone', async () => {
    const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY });
    const [first] = completedChunks(fileSystem);
    const leftover = `${DIRECTORY}/a.scavenge.tmp`;
    fileSystem.open(leftover, 'createNew').close();
    const { id } = naiveRecords(filesOf(fileSystem).get(first!)!).find(isOrdinary)!;
    const told: string[] = [];
    class Watched extends PassThroughFileSystem {
      override remove(path: string): void {
        super.remove(path);
        told.push(`remove ${path}`);
      }
      override syncDirectory(path: string): void {
        super.syncDirectory(path);
        told.push(`sync ${path}`);
      }
    }
    const { swept } = await redact(new Watched(fileSystem), { eventIds: [guidText(id)] });
    expect(swept).toEqual(['a.scavenge.tmp']);
    expect(told.slice(told.indexOf(`remove ${leftover}`))).toEqual([
      `remove ${leftover}`,
      `sync ${DIRECTORY}`
    ]);
  });
});

describe('a redaction is refused before it writes', () => {
  async function expectUntouched(
    choose: (fileSystem: FileSystem) => Partial<RedactionQuestion>
  ): Promise<EngineError> {
    const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY });
    const good = guidText(recordsOf(fileSystem, isOrdinary)[0]!.id);
    const question = choose(fileSystem);
    const before = filesOf(fileSystem);
    const error = await refusal(
      redact(fileSystem, { ...question, eventIds: [good, ...(question.eventIds ?? [])] })
    );
    expect(filesOf(fileSystem)).toEqual(before);
    return error;
  }

  it('for an event that is not there', async () => {
    const error = await expectUntouched(() => ({ eventIds: ['00000000-0000-0000-0000-00000000abcd'] }));
    expect(error).toMatchObject({ code: 'InvalidRequest' });
    expect(error.message).toContain('00000000-0000-0000-0000-00000000abcd');
  });

  it('for an event of the chunk that is being written', async () => {
    const error = await expectUntouched(() => ({ events: [{ stream: 'after', number: 0 }] }));
    expect(error.message).toContain('still being written');
    expect(error.remedy).toContain('--scavenge-point new');
  });

  it('for metadata of a stream', async () => {
    const error = await expectUntouched(() => ({ events: [{ stream: '$$count', number: 0 }] }));
    expect(error.message).toContain('system stream');
  });

  it('for a chunk with a wrong byte, which a new hash would hide', async () => {
    const error = await expectUntouched((fileSystem) => {
      const name = completedChunks(fileSystem)[0]!;
      const record = recordsOf(fileSystem, isOrdinary)[1]!;
      const file = fileSystem.open(`${DIRECTORY}/${name}`, 'readWrite');
      file.write(Buffer.from([0x00]), 0, 1, record.dataAt);
      file.close();
      return {};
    });
    expect(error).toMatchObject({ code: 'LogCorrupt' });
  });
});

describe('a redaction leaves the old chunk where its disk', () => {
  /** The database with some methods of its disk replaced, and what a redaction of one event of it ends with. */
  async function refusedOn(change: (disk: FileSystem) => Partial<FileSystem>): Promise<EngineError> {
    const fileSystem = await writeCrashDatabase({ dataDirectory: DIRECTORY });
    const before = filesOf(fileSystem);
    const id = guidText(recordsOf(fileSystem, isOrdinary)[0]!.id);
    const own = change(fileSystem);
    const disk = new Proxy<FileSystem>(fileSystem, {
      get(target, name) {
        const member: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      }
    });
    const error = await refusal(redact(disk, { eventIds: [id] }));
    expect(filesOf(fileSystem)).toEqual(before);
    return error;
  }

  it('has no room for the copy', async () => {
    const error = await refusedOn(() => ({ freeBytes: () => 1000 }));
    expect(error).toMatchObject({ code: 'StorageFailed', details: { osCode: 'ENOSPC', freeBytes: 1000 } });
  });

  it('does not let this user give the copy its owner', async () => {
    const error = await refusedOn(() => ({
      changeOwner: () => {
        throw new EngineError({
          code: 'StorageFailed',
          message: 'No.',
          remedy: 'No.',
          details: { osCode: 'EPERM' }
        });
      }
    }));
    expect(error.message).toContain('may not create files for that owner');
    expect(error.details.osCode).toBe('EPERM');
  });

  it('gives other bytes than were written', async () => {
    const error = await refusedOn((disk) => ({
      open: (path, mode) => {
        const file = disk.open(path, mode);
        const write = file.write.bind(file);
        if (mode === 'createNew' && path.endsWith('.tmp')) {
          file.write = (bytes, offset, length, position) => {
            const other = Buffer.from(bytes.subarray(offset, offset + length));
            if (position <= 300 && position + length > 300) other[300 - position]! ^= 1;
            write(other, 0, length, position);
          };
        }
        return file;
      }
    }));
    expect(error.message).toContain('is not what is read again');
  });

  it('holds another whole chunk where the copy was written', async () => {
    const error = await refusedOn((disk) => ({
      open: (path, mode) => {
        const isReadAgain = mode === 'read' && path.endsWith('.tmp');
        // What was redacted is whole too, and has another hash.
        return disk.open(isReadAgain ? `${DIRECTORY}/chunk-000000.000000` : path, mode);
      }
    }));
    expect(error.message).toContain('is not what is read again');
  });
});
