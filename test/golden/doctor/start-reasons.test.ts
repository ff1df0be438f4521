/** Reasons that no recorded start shows: made from golden databases, judged by the rules of the format documents. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { examineStart, type ExamineStart } from '../../../src-core/insight/doctor/examine-start.ts';
import type { FileFacts, LockHolder } from '../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { removeUnpacked, unpackDamaged, unpackDatabase, unpackTruncated } from '../../support/golden.ts';

afterEach(removeUnpacked);

/** A machine whose disk, rights and locks are the test's. */
class Machine extends NodeFileSystem {
  free = 1e12;
  holder: LockHolder | undefined;
  facts: (path: string, facts: FileFacts) => FileFacts = (_, facts) => facts;
  override freeBytes(): number {
    return this.free;
  }
  override lockHolder(): LockHolder | undefined {
    return this.holder;
  }
  override describe(file: string): FileFacts | undefined {
    const facts = super.describe(file);
    return facts && this.facts(file, { ...facts, uid: 0 });
  }
}

function examine(dataDirectory: string, options: Partial<ExamineStart> = {}, fileSystem = new Machine()) {
  const place = { fileSystem, dataDirectory };
  return examineStart({ place, isThorough: false, control: uncontrolled(), ...options });
}

function setCheckpoint(directory: string, name: string, value: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  fs.writeFileSync(path.join(directory, `${name}.chk`), bytes);
}

const plain = () => unpackDatabase({ name: 'plain', folder: 'after' });

it('says that a newer server ends after it has cut the log', async () => {
  const { prediction, findings } = await examine(unpackTruncated('truncate-middle-of-log'), {
    serverVersion: '24.6'
  });
  expect(prediction).toMatchObject({ starts: true, then: 'truncatesAndExits' });
  expect(prediction.words).toMatch(/second attempt/);
  expect(findings).toMatchObject([{ severity: 'hint', code: 'truncatePending', effect: 'truncates' }]);
});

it('says that an older server does not read the chunks of a newer one', async () => {
  const newer = unpackDatabase({ name: 'current-a', folder: 'before' });
  // As they are they ask for a reader of the third format only.
  expect((await examine(newer, { serverVersion: '23.10.6' })).prediction.then).toBe('runs');
  const chunk = path.join(newer, 'chunk-000000.000000');
  const bytes = fs.readFileSync(chunk);
  bytes[1] = 4;
  fs.chmodSync(chunk, 0o644);
  fs.writeFileSync(chunk, bytes);
  const { prediction, findings } = await examine(newer, { serverVersion: '23.10.6' });
  expect(prediction).toMatchObject({ starts: false, then: 'refuses' });
  expect(findings[0]).toMatchObject({ code: 'chunkTooNew', file: 'chunk-000000.000000', offset: 1 });
});

it('says that a truncation within a record removes chunks and then fails', async () => {
  const database = plain();
  setCheckpoint(database, 'truncate', 505586 + 10);
  const { prediction, findings } = await examine(database);
  expect(prediction.then).toBe('refuses');
  const [finding] = findings;
  expect(finding).toMatchObject({ code: 'truncateInsideRecord', command: 'winnow repair' });
  expect(finding?.wouldDo).toMatch(/removes the chunks after/);
});

it('says that a truncation fails over a chunk that was begun after the checkpoints were copied', async () => {
  const database = unpackTruncated('truncate-middle-of-log');
  fs.copyFileSync(path.join(database, 'chunk-000015.000000'), path.join(database, 'chunk-000016.000000'));
  const { prediction, findings } = await examine(database);
  expect(prediction.then).toBe('refuses');
  expect(findings[0]).toMatchObject({
    code: 'surplusChunk',
    serverSays: 'Found excessive TFChunks past writer checkpoint.'
  });
});

it('gives no reason against a start for what a truncation removes', async () => {
  const database = unpackTruncated('truncate-middle-of-log');
  fs.rmSync(path.join(database, 'chunk-000012.000000'));
  expect((await examine(database)).prediction).toMatchObject({ starts: true, then: 'truncatesAndRuns' });
});

it('names an epoch.chk that leads to no epoch', async () => {
  const database = plain();
  setCheckpoint(database, 'epoch', 505586);
  const { prediction, findings } = await examine(database);
  expect(prediction.then).toBe('refuses');
  expect(findings).toMatchObject([{ code: 'epochCheckpointInvalid', command: 'winnow repair' }]);
});

it('warns of a start that would take the log for empty', async () => {
  const database = unpackDatabase({ name: 'fresh', folder: 'after' });
  for (const name of ['writer', 'chaser', 'epoch']) fs.rmSync(path.join(database, `${name}.chk`));
  const { prediction, findings, ok } = await examine(database);
  expect(ok).toBe(false);
  expect(prediction.words).toMatch(/empty log/);
  expect(findings.map(({ code }) => code)).toContain('logOverwritten');
});

it('names the index of another node', async () => {
  const database = unpackDatabase({ name: 'killed-clean-tables', folder: 'after-recovery' });
  const other = unpackDatabase({ name: 'tables', folder: 'before' });
  const index = path.join(database, 'index');
  fs.rmSync(index, { recursive: true });
  fs.cpSync(path.join(other, 'index'), index, { recursive: true });
  // Far enough that the length of the index is no reason by itself.
  const map = path.join(index, 'indexmap');
  const lines = fs.readFileSync(map, 'utf8').split('\n');
  lines[2] = '1000/1000';
  const rest = `\n${lines.slice(1).join('\n')}`;
  fs.writeFileSync(map, createHash('md5').update(rest).digest('hex').toUpperCase() + rest);
  const { findings } = await examine(database);
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'indexEntryWithoutRecord', command: 'winnow index rebuild' })
  );
});

it('reads damage that the server does not come to as no reason against the start', async () => {
  const database = unpackDatabase({ name: 'tables', folder: 'before' });
  const chunk = path.join(database, 'chunk-000001.000000');
  const bytes = fs.readFileSync(chunk);
  bytes[5000] = bytes[5000]! ^ 0xff;
  fs.chmodSync(chunk, 0o644);
  fs.writeFileSync(chunk, bytes);
  const skipping = await examine(database, { serverArguments: ['--skip-db-verify'] });
  expect(skipping.prediction).toMatchObject({ starts: true, then: 'runs' });
  expect((await examine(database)).prediction).toMatchObject({ starts: false, then: 'diesLater' });
});

it('leaves out what is too much for a quick look, and names it', async () => {
  const database = unpackDamaged('damaged-a-record-data-byte');
  const quick = await examine(database, { quickBytes: 0 });
  expect(quick.prediction.then).toBe('runs');
  expect(quick.prediction.words).toMatch(/as far as checked/);
  expect(quick.notChecked.join()).toMatch(/hashes of chunks: \d+ bytes,records .*: \d+ bytes/);
  const thorough = await examine(database, { quickBytes: 0, isThorough: true });
  expect(thorough.prediction.then).toBe('diesLater');
  expect(thorough.estimate.work.map(({ what }) => what)).toEqual([
    'openChunks',
    'readLogIntoIndex',
    'rebuildFilter',
    'hashChunks'
  ]);
});

it('names a restore that has not ended', async () => {
  const database = plain();
  fs.writeFileSync(path.join(database, 'winnow-restore.json'), '{"phase":"moving","backup":"b1"}');
  const { prediction, findings } = await examine(database);
  expect(prediction.then).toBe('refuses');
  expect(findings).toContainEqual(expect.objectContaining({ code: 'restoreUnfinished' }));
});

it('says that a server has the directory open, and judges its next start', async () => {
  const machine = new Machine();
  machine.holder = { by: 'kurrentd', pid: 4711 };
  const { prediction, findings } = await examine(plain(), {}, machine);
  expect(prediction.then).toBe('runs');
  expect(findings).toMatchObject([{ severity: 'hint', code: 'inUse', message: /kurrentd \(process 4711\)/ }]);
});

it('names files that the owner of writer.chk may not write, and chunks of other users', async () => {
  const machine = new Machine();
  machine.facts = (file, facts) => ({
    ...facts,
    uid: file.endsWith('chunk-000003.000000') ? 0 : 1001,
    mode: file.endsWith('chaser.chk') ? 0o444 : facts.mode
  });
  const { prediction, findings } = await examine(plain(), {}, machine);
  expect(prediction.then).toBe('refuses');
  expect(findings.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'notWritable chaser.chk',
    'notOwnedByServerUser chunk-000003.000000'
  ]);
});

it('names a disk without room for a start', async () => {
  const machine = new Machine();
  machine.free = 1000;
  expect((await examine(plain(), {}, machine)).findings).toMatchObject([
    { code: 'diskFull', effect: 'refuses' }
  ]);
  const current = unpackDatabase({ name: 'restored', folder: 'after-start2' });
  machine.free = 1024 * 1024 - 1 + 1;
  expect(
    (await examine(current, {}, machine)).findings.filter(({ code }) => code.startsWith('disk'))
  ).toEqual([]);
});

it('says that a server which merges farther rebuilds the index', async () => {
  const database = unpackDatabase({ name: 'tables', folder: 'before' });
  const map = path.join(database, 'index', 'indexmap');
  const lines = fs.readFileSync(map, 'utf8').split('\n');
  lines[3] = '2';
  const rest = `\n${lines.slice(1).join('\n')}`;
  fs.writeFileSync(map, createHash('md5').update(rest).digest('hex').toUpperCase() + rest);
  expect((await examine(database)).findings).toMatchObject([{ code: 'indexMergeLevelRaised' }]);
  const asked = await examine(database, { serverArguments: ['--max-auto-merge-index-level', '5'] });
  expect(asked.prediction.then).toBe('rebuildsIndex');
  const same = await examine(database, { serverArguments: ['--max-auto-merge-index-level=2'] });
  expect(same.prediction.then).toBe('runs');
});

it.each([
  ['eight zero bytes', 8],
  ['empty files', 0]
])('says that with all checkpoints zero every chunk goes: %s', async (_, length) => {
  const database = unpackTruncated('truncate-inside-scavenged-merged-chunk');
  for (const name of ['writer', 'chaser', 'epoch', 'proposal', 'truncate'])
    fs.writeFileSync(path.join(database, `${name}.chk`), Buffer.alloc(length));
  const chunks = fs.readdirSync(database).filter((name) => /^chunk-\d{6}\.\d{6}$/.test(name));
  const { prediction, findings, ok } = await examine(database);
  expect(ok).toBe(false);
  expect(prediction.then).toBe('truncatesAndRuns');
  expect(prediction.words).toContain('deletes the whole log');
  const deleted = chunks.sort().reverse();
  expect(prediction.deletes).toEqual(
    deleted.map((file) => ({ file, bytes: fs.statSync(path.join(database, file)).size }))
  );
  expect(findings).toContainEqual(
    expect.objectContaining({ severity: 'damage', code: 'truncatePending', command: 'winnow repair' })
  );
});

it('says that a truncation at the writer deletes a scavenged chunk that lies there', async () => {
  const database = unpackTruncated('truncate-inside-scavenged-merged-chunk');
  for (const name of ['writer', 'chaser', 'truncate']) setCheckpoint(database, name, 4 * 65536);
  setCheckpoint(database, 'epoch', -1);
  for (const name of fs.readdirSync(database)) {
    const number = Number(/^chunk-(\d{6})\./.exec(name)?.[1] ?? 0);
    if (number > 4) fs.rmSync(path.join(database, name));
  }
  const { prediction, findings } = await examine(database);
  expect(prediction.deletes.map(({ file }) => file)).toEqual(['chunk-000004.000002']);
  expect(findings.find(({ code }) => code === 'truncatePending')).toMatchObject({ severity: 'damage' });
});

it('changes nothing, not even where a start would', async () => {
  const database = unpackTruncated('truncate-inside-scavenged-merged-chunk');
  fs.rmSync(path.join(database, 'proposal.chk'));
  const before = stateOf(database);
  await examine(database, { isThorough: true });
  expect(stateOf(database)).toEqual(before);
});

function stateOf(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const { mode, mtimeMs } = fs.statSync(file);
      const digest = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
      return `${path.relative(directory, file)} ${mode} ${mtimeMs} ${digest}`;
    })
    .sort();
}
