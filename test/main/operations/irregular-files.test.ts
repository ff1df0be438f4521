/**
 * Pipes, devices, sockets and directories where a file of a database or of a backup is expected: real ones, asked for by
 * the engine in its own thread, as every door does. An open that waits would never answer.
 */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import { startWorkerEngine, type EngineHost } from '../../../src-main/engine/engine-host.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { IRREGULAR_KINDS, putIrregular, type IrregularKind } from '../../support/irregular-file.ts';

type Ask = (engine: EngineHost, dataDirectory: string) => Promise<unknown>;
const ASKED = {
  inspect: (engine, dataDirectory) => engine.call('inspectDatabase', { dataDirectory }),
  chunks: (engine, dataDirectory) => engine.call('listChunks', { dataDirectory, computeWeights: true }),
  verify: (engine, dataDirectory) => engine.call('verifyDatabase', { dataDirectory }),
  doctor: (engine, dataDirectory) => engine.call('examineStart', { dataDirectory }),
  streams: (engine, dataDirectory) => engine.call('readStreamsPage', { dataDirectory }),
  scavenge: (engine, dataDirectory) =>
    engine.call('runScavenge', { dataDirectory, scavengePoint: 'existing' }),
  backup: (engine, dataDirectory) =>
    engine.call('createBackup', { dataDirectory, target: path.join(scratch, 'others'), mode: 'full' }),
  undo: (engine, dataDirectory) => engine.call('undoRestore', { dataDirectory })
} satisfies Record<string, Ask>;

const ANSWER_MS = 30_000;
let scratch: string;
let engine: EngineHost;
beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'winnow-irregular-'));
  engine = startWorkerEngine();
});
afterAll(async () => {
  await engine.close();
  rmSync(scratch, { recursive: true, force: true });
  removeUnpacked();
});

/** With tables, or with the state of a scavenge that was killed. */
function newDatabase(name = ''): string {
  const isState = name.includes('scavenging');
  return unpackDatabase(
    isState ? { name: 'killed-scavenge', folder: 'at-kill' } : { name: 'tables', folder: 'before' }
  );
}

/** `CHUNK` and `TABLE`: the first one that is in use. */
function namedIn(database: string, name: string): string {
  const chunks = readdirSync(database).filter((entry) => entry.startsWith('chunk-000000.'));
  const named = path.join(database, name.replace('CHUNK', chunks.sort().at(-1)!));
  if (!named.includes('TABLE')) return named;
  const map = readFileSync(path.join(database, 'index', 'indexmap'), 'latin1');
  return named.replace('TABLE', /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(map)![0]);
}

async function refusalOf(answer: Promise<unknown>): Promise<EngineError> {
  const error: unknown = await answer.then(
    (value) => new Error(`it was answered: ${JSON.stringify(value).slice(0, 300)}`),
    (thrown: unknown) => thrown
  );
  if (!(error instanceof EngineError)) throw error;
  return error;
}

describe.runIf(process.platform === 'linux')('what is no file in a database', () => {
  const wantsFile = IRREGULAR_KINDS.filter((kind) => kind !== 'a directory');

  it.each<[name: string, asked: (keyof typeof ASKED)[], kinds: readonly IrregularKind[]]>([
    ['CHUNK', ['inspect', 'chunks', 'verify', 'doctor', 'streams', 'scavenge', 'backup'], wantsFile],
    ['writer.chk', ['inspect', 'verify', 'doctor', 'scavenge', 'backup'], IRREGULAR_KINDS],
    ['truncate.chk', ['inspect', 'verify', 'doctor', 'scavenge'], IRREGULAR_KINDS],
    ['index/indexmap', ['inspect', 'verify', 'doctor', 'streams', 'scavenge', 'backup'], IRREGULAR_KINDS],
    ['index/TABLE', ['inspect', 'verify', 'doctor', 'scavenge', 'backup'], wantsFile],
    ['index/TABLE.bloomfilter', ['backup'], wantsFile],
    ['winnow-restore.json', ['inspect', 'verify', 'doctor', 'scavenge', 'undo'], IRREGULAR_KINDS],
    ['index/scavenging/scavenging.db', ['scavenge'], IRREGULAR_KINDS],
    ['index/scavenging/scavenging.db-wal', ['scavenge'], IRREGULAR_KINDS]
  ])(
    'is refused by its name: %s',
    async (name, asked, kinds) => {
      let turn = 0;
      const database = newDatabase(name);
      const file = namedIn(database, name);
      for (const what of asked) {
        const kind = kinds[turn++ % kinds.length]!;
        const found = await putIrregular(file, kind);
        const { code, message } = await refusalOf(ASKED[what](engine, database));
        expect({ what, kind, code, message }).toEqual({
          what,
          kind,
          code: 'StorageFailed',
          message: `${file} is ${found}, not a regular file.`
        });
      }
    },
    10 * ANSWER_MS
  );

  it.each(IRREGULAR_KINDS)(
    'is a filter that is not used, where one of a table belongs: %s',
    async (kind) => {
      const database = newDatabase();
      const file = namedIn(database, 'index/TABLE.bloomfilter');
      const found = await putIrregular(file, kind);
      await engine.call('readUsage', { dataDirectory: database, by: 'stream' });
      for (const ask of [ASKED.inspect, ASKED.streams]) await ask(engine, database);
      const finding = {
        severity: 'hint',
        code: 'filterNotAFile',
        message: `The filter ${path.basename(file)} is not used: it is ${found}, not a regular file.`
      };
      expect((await ASKED.verify(engine, database)).findings).toContainEqual(
        expect.objectContaining(finding)
      );
      expect((await ASKED.doctor(engine, database)).findings.map(({ code }) => code)).toContain(
        'filterNotAFile'
      );
      await engine.call('repairDatabase', { dataDirectory: database });
      expect((await ASKED.verify(engine, database)).findings.map(({ code }) => code)).not.toContain(
        'filterNotAFile'
      );
      expect(statSync(file).isFile()).toBe(true);
    },
    4 * ANSWER_MS
  );

  it.each(['strange', 'index/strange', 'index/scavenging/strange', 'chunk-000000.000000.old'])(
    'is passed over, and named where every byte is looked for: %s',
    async (name) => {
      const database = newDatabase();
      const file = path.join(database, name);
      await putIrregular(file, 'a named pipe');
      for (const ask of [ASKED.inspect, ASKED.verify, ASKED.doctor]) await ask(engine, database);
      const report = await engine.call('reportErasure', {
        dataDirectory: database,
        streams: ['some-stream']
      });
      expect(report.complete).toBe(false);
      expect(report.notExamined).toContainEqual({
        place: name,
        why: `${file} is a named pipe, not a regular file.`
      });
    },
    4 * ANSWER_MS
  );

  it('is only a stage of its own in the eyes of an inspection: a scavenge state', async () => {
    const database = newDatabase('scavenging');
    await putIrregular(path.join(database, 'index/scavenging/scavenging.db'), 'a named pipe');
    const { scavengeState } = await ASKED.inspect(engine, database);
    expect(scavengeState?.stage).toBe('unreadable');
  });
});

describe.runIf(process.platform === 'linux')('what is no file in a backup', () => {
  it(
    'is refused by its name, or a finding',
    async () => {
      const target = path.join(scratch, 'target');
      const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
      const { backups } = await engine.call('createBackup', { dataDirectory, target, mode: 'full' });
      const { id } = backups[0]!;
      const places = readdirSync(target, { recursive: true, encoding: 'utf8' });
      const chunk = path.join(
        target,
        places.find((entry) => entry.includes('chunk-000000.'))!
      );
      const manifest = path.join(
        target,
        places.find((entry) => /manifest.*\.json$/.test(entry))!
      );
      await putIrregular(path.join(target, 'strange'), 'a named pipe');
      await putIrregular(path.join(target, id, 'strange'), 'a socket');

      await putIrregular(chunk, 'a named pipe');
      const { findings } = await engine.call('verifyBackup', { target, id });
      expect(findings.map(({ message }) => message).join('\n')).toContain('chunk-000000.000000 has 0 bytes');
      const restored = path.join(scratch, 'restored');
      const refused = await refusalOf(engine.call('runRestore', { target, id, dataDirectory: restored }));
      expect(refused.message).toContain('a named pipe');

      await putIrregular(manifest, '/dev/zero');
      for (const answer of [
        engine.call('listBackups', { target }),
        engine.call('verifyBackup', { target, id })
      ]) {
        expect((await refusalOf(answer)).message).toContain('manifest.json is a device, not a regular file');
      }
    },
    4 * ANSWER_MS
  );

  it(
    'is refused where a copy made by hand is restored',
    async () => {
      const copy = path.join(scratch, 'copy');
      cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), copy, { recursive: true });
      const chunk = namedIn(copy, 'CHUNK');
      await putIrregular(chunk, 'a named pipe');
      const dataDirectory = path.join(scratch, 'from-copy');
      const { message } = await refusalOf(engine.call('planRestore', { target: copy, dataDirectory }));
      expect(message).toContain(`${chunk} is a named pipe`);
    },
    ANSWER_MS
  );
});
