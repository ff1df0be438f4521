/** Restores through the engine's door on real files: several nodes, the trap of the scavenge state, owners. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import type { RestoreSource } from '../../../src-core/restore/restore-source.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { testBackups } from '../../core/backup/backup-environment.ts';
import { filesOf } from '../../support/database-content.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { restore, sourceOf } from '../../support/restore-fixture.ts';
import { scavengeEnvironment, scavengeRequest } from '../../support/scavenge-environment.ts';
import { streamContentOf } from '../../support/stream-content.ts';

const fileSystem = new NodeFileSystem();
const directories: string[] = [];

afterEach(() => {
  removeUnpacked();
  for (const directory of directories.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

function temporaryDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-restore-'));
  directories.push(directory);
  return directory;
}

async function backedUp(dataDirectory: string): Promise<RestoreSource> {
  const directory = path.join(temporaryDirectory(), 'backups');
  const { request, environment } = testBackups(fileSystem, { dataDirectory, directory });
  return sourceOf(fileSystem, directory, await runBackup(request, environment));
}

it('one backup is restored to three nodes, which then hold the same', async () => {
  const dataDirectory = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  const source = await backedUp(dataDirectory);
  const streams = await streamContentOf(fileSystem, dataDirectory);
  const targets = [
    path.join(temporaryDirectory(), 'empty'),
    unpackDatabase({ name: 'plain', folder: 'after' }),
    unpackDatabase({ name: 'rules', folder: 'before' })
  ];
  const files: Record<string, string>[] = [];
  for (const target of targets) {
    await restore({ fileSystem, source, dataDirectory: target, appliesTruncation: true });
    expect(await streamContentOf(fileSystem, target)).toEqual(streams);
    files.push(filesOf(target));
  }
  expect(files[1]).toEqual(files[0]);
  expect(files[2]).toEqual(files[0]);
});

describe('a restore over a database that was scavenged since', () => {
  const MAX_COUNT = 3;
  const EVENTS = 40;

  /** `victim` has no metadata when the backup is taken, and a limit that was scavenged when it is restored. */
  async function story() {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    await appended(dataDirectory, 'victim', EVENTS);
    const source = await backedUp(dataDirectory);
    const live = await streamContentOf(fileSystem, dataDirectory);
    await appended(dataDirectory, '$$victim', 1, {
      eventType: '$metadata',
      data: `{"$maxCount":${MAX_COUNT}}`
    });
    await scavenged(dataDirectory);
    const state = path.join(dataDirectory, 'index', 'scavenging');
    expect(fs.existsSync(path.join(state, 'scavenging.db'))).toBe(true);
    const outcome = await restore({ fileSystem, source, dataDirectory, appliesTruncation: true });
    return { dataDirectory, live, state, aside: outcome.movedAside[0]! };
  }

  async function appended(
    dataDirectory: string,
    stream: string,
    count: number,
    { eventType = 'made', data = '{"n":1}' }: { eventType?: string; data?: string } = {}
  ): Promise<void> {
    const database = openDatabase({ fileSystem, dataDirectory });
    const index = await database.openIndex(uncontrolled());
    const newGuid = () => randomUUID();
    const writer = LogWriter.open({ fileSystem, directory: dataDirectory, newGuid }, database.chunkSet);
    const appender = new EventAppender({
      writer,
      lastEventNumber: (name) => index.lastEventNumber(name),
      now: () => ticksFromIso('2026-11-30T00:00:00Z')!,
      newGuid
    });
    for (let i = 0; i < count; i++) {
      appender.append(stream, [{ eventType, data: new TextEncoder().encode(data) }]);
    }
    writer.flush();
    writer.close();
    database.close();
  }

  const scavenged = (dataDirectory: string) =>
    runScavenge(
      scavengeRequest(dataDirectory, { scavengePoint: 'new', now: '2026-12-01T00:00:00Z', singleNode: true }),
      scavengeEnvironment()
    );

  it('is scavenged without the loss of one live event', async () => {
    const { dataDirectory, live, state } = await story();
    expect(fs.existsSync(state)).toBe(false);
    expect(await streamContentOf(fileSystem, dataDirectory)).toEqual(live);
    await scavenged(dataDirectory);
    const after = await streamContentOf(fileSystem, dataDirectory);
    for (const [stream, lines] of live) expect(after.get(stream), stream).toEqual(lines);
    expect(after.get('victim')).toHaveLength(EVENTS + 1);
  });

  it('would be refused the next scavenge with the state of the lost history left in place', async () => {
    const { dataDirectory, live, state, aside } = await story();
    fs.cpSync(path.join(aside, 'index', 'scavenging'), state, { recursive: true });
    await expect(scavenged(dataDirectory)).rejects.toMatchObject({
      remedy: expect.stringMatching(/afresh/) as string
    });
    expect(await streamContentOf(fileSystem, dataDirectory)).toEqual(live);
  });
});

describe('restored files', () => {
  it('get the owner of the old ones, no matter who restores', async () => {
    const dataDirectory = unpackDatabase({ name: 'plain', folder: 'after' });
    const source = await backedUp(unpackDatabase({ name: 'rules', folder: 'after-t0' }));
    const root = process.getuid!() === 0;
    // Only root may give files away; another user restores its own.
    const [uid, gid] = root ? [54_321, 54_322] : [process.getuid!(), process.getgid!()];
    const all = () => ['', ...fs.readdirSync(dataDirectory, { recursive: true, encoding: 'utf8' })];
    for (const name of all()) {
      const file = path.join(dataDirectory, name);
      fs.chownSync(file, uid, gid);
      if (fs.statSync(file).isFile()) fs.chmodSync(file, 0o640);
    }
    fs.chmodSync(dataDirectory, 0o750);
    const { movedAside } = await restore({ fileSystem, source, dataDirectory });
    for (const directory of [...movedAside, path.join(movedAside[0]!, 'index')]) {
      expect(fs.statSync(directory)).toMatchObject({ uid, gid });
    }
    expect(fs.statSync(movedAside[0]!).mode & 0o777).toBe(0o750);
    for (const name of all()) {
      const facts = fs.statSync(path.join(dataDirectory, name));
      expect([facts.uid, facts.gid], name).toEqual([uid, gid]);
      if (facts.isFile()) expect(facts.mode & 0o777, name).toBe(0o640);
    }
    expect(fs.statSync(dataDirectory).mode & 0o777).toBe(0o750);
  });
});
