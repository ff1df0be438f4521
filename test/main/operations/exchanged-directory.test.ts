/** Verifying while somebody restores: another database is put in the place of the one that is read. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import {
  KEPT_DIRECTORY,
  KEPT_LOCK,
  NodeFileSystem,
  RESTORE_LOCK,
  RESTORE_MARKER,
  UNDO_MARKER
} from '../../../src-core/index.ts';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { testingContext } from '../../support/testing-context.ts';

afterEach(removeUnpacked);

/** Does something once: when a chunk is opened the second time, after its header was read with the directory. */
class ActingFileSystem extends NodeFileSystem {
  hasActed = false;
  readonly #act: () => void;
  readonly #opened = new Set<string>();

  constructor(act: () => void) {
    super();
    this.#act = act;
  }

  override open(file: string, mode: OpenMode): OpenFile {
    const isChunk = path.basename(file).startsWith('chunk-');
    if (isChunk && this.#opened.has(file) && !this.hasActed) {
      this.hasActed = true;
      this.#act();
    }
    this.#opened.add(file);
    return super.open(file, mode);
  }
}

const verify = (dataDirectory: string, act: () => void) =>
  endOf('verifyDatabase', { dataDirectory, threads: 1 }, act);

async function endOf(
  operation: 'verifyDatabase' | 'runScavenge' | 'extractEvents' | 'exportDatabase' | 'compareDatabases',
  asked: { dataDirectory: string; [name: string]: unknown },
  act: () => void,
  { acts = true } = {}
) {
  const { dataDirectory } = asked;
  const fileSystem = new ActingFileSystem(act);
  const context = testingContext(operation, { dataDirectory, fileSystem });
  const run = runReportOperation(operation, requests[operation].parse(asked) as never, context);
  const end: unknown = await run.catch((error: unknown) => error);
  expect(fileSystem.hasActed, JSON.stringify(end)).toBe(acts);
  return end;
}

const CHANGED = { code: 'DatabaseInUse', details: { reason: 'changedWhileRead' } };
const database = (): string => unpackDatabase({ name: 'current-a', folder: 'before' });

/** The file as another one under the same name, as a restore leaves it. */
function exchange(file: string): void {
  fs.copyFileSync(file, `${file}.other`);
  fs.renameSync(`${file}.other`, file);
}

function damageChunks(directory: string): void {
  for (const name of fs.readdirSync(directory)) {
    if (!name.startsWith('chunk-')) continue;
    const file = path.join(directory, name);
    const bytes = fs.readFileSync(file);
    bytes.fill(0xff, 200, 400);
    fs.writeFileSync(file, bytes);
  }
}

it('says of a database that was exchanged that it changed, and tells nothing of it', async () => {
  const directory = database();
  expect(await verify(directory, () => exchange(path.join(directory, 'writer.chk')))).toMatchObject(CHANGED);
});

it('a scavenge that has not begun says the same of a chunk that an undo has removed', async () => {
  const directory = database();
  const asked = {
    dataDirectory: directory,
    scavengePoint: 'detached',
    winnowHome: path.join(directory, 'home')
  };
  const chunk = fs.readdirSync(directory).find((name) => name.startsWith('chunk-'))!;
  expect(await endOf('runScavenge', asked, () => fs.rmSync(path.join(directory, chunk)))).toMatchObject(
    CHANGED
  );
});

it('tells no damage that an undo may be the reason of, which began and ended meanwhile', async () => {
  const directory = database();
  const chunk = fs.readdirSync(directory).find((name) => name.startsWith('chunk-000000.'))!;
  fs.renameSync(path.join(directory, chunk), path.join(directory, 'chunk-000000.000007'));
  const end = await verify(directory, () => {
    fs.renameSync(path.join(directory, 'chunk-000000.000007'), path.join(directory, 'chunk-000000.000006'));
    damageChunks(directory);
  });
  expect(end).toMatchObject(CHANGED);
});

it('tells no damage that a restore may be the reason of, which began meanwhile', async () => {
  const directory = database();
  const end = await verify(directory, () => {
    fs.writeFileSync(path.join(directory, RESTORE_MARKER), '{}');
    damageChunks(directory);
  });
  expect(end).toMatchObject(CHANGED);
});

/** What is found while another process of ours, or a server, holds one file of the directory locked. */
async function verifyWhileLocked(directory: string, file: string): Promise<unknown> {
  const lock = path.join(directory, file);
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  fs.appendFileSync(lock, '');
  const release = new NodeFileSystem().tryLock(lock)!;
  try {
    return await verify(directory, () => undefined);
  } finally {
    release();
  }
}

it.each([
  ['restore', RESTORE_MARKER, RESTORE_LOCK],
  ['undo', UNDO_MARKER, path.join(KEPT_DIRECTORY, KEPT_LOCK)]
])('tells no damage while the %s that had begun before is at work', async (_work, marker, lock) => {
  const directory = database();
  fs.writeFileSync(path.join(directory, marker), '{}');
  expect(await verifyWhileLocked(directory, lock)).toMatchObject(CHANGED);
});

it('an unfinished restore is told as that where a server holds the directory', async () => {
  const directory = database();
  fs.writeFileSync(path.join(directory, RESTORE_MARKER), '{}');
  fs.writeFileSync(path.join(directory, RESTORE_LOCK), '');
  const findings = [expect.objectContaining({ code: 'restoreUnfinished' })] as unknown;
  expect(await verifyWhileLocked(directory, 'writer.chk')).toMatchObject({ ok: false, findings });
});

it.each(['extractEvents', 'exportDatabase'] as const)(
  '%s makes nothing of a mixture, and leaves nothing that could be continued',
  async (operation) => {
    const directory = database();
    const output = `${directory}-output`;
    fs.mkdirSync(output);
    const to = path.join(output, 'made');
    const asked = {
      dataDirectory: directory,
      to,
      toDatabase: to,
      format: 'jsonl',
      categories: operation === 'exportDatabase' ? ['order'] : []
    };
    const begin = () => fs.writeFileSync(path.join(directory, RESTORE_MARKER), '{}');
    expect(await endOf(operation, asked, begin)).toMatchObject(CHANGED);
    expect(fs.readdirSync(output)).toEqual([]);
    fs.rmSync(output, { recursive: true });
  }
);

it('a file in the place of a database is told of as that', async () => {
  const directory = database();
  const asked = { dataDirectory: path.join(directory, 'writer.chk'), others: [{ dataDirectory: directory }] };
  const end = await endOf('compareDatabases', asked, () => undefined, { acts: false });
  expect(end).toMatchObject({ code: 'DatabaseNotFound' });
});

it('a difference that a restore may be the reason of is not told', async () => {
  const directory = database();
  const other = database();
  damageChunks(other);
  const asked = { dataDirectory: directory, others: [{ dataDirectory: other }] };
  const begin = () => fs.writeFileSync(path.join(directory, RESTORE_MARKER), '{}');
  expect(await endOf('compareDatabases', asked, begin)).toMatchObject(CHANGED);
});

it('a restore that was left unfinished before is told as what it is', async () => {
  const directory = database();
  fs.writeFileSync(path.join(directory, RESTORE_MARKER), '{}');
  const findings = [expect.objectContaining({ code: 'restoreUnfinished' })] as unknown;
  expect(await verify(directory, () => undefined)).toMatchObject({ ok: false, findings });
});

it('damage stays damage where nobody exchanges anything', async () => {
  const directory = database();
  expect(await verify(directory, () => damageChunks(directory))).toMatchObject({ ok: false });
});
