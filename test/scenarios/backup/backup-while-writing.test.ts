/**
 * Twenty backups at random moments of a database that another process appends to. Each one, restored by hand and cut
 * as the first start cuts it, is a beginning of the source's log that reaches at least as far as the log was
 * acknowledged when the backup began.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { applyTruncation } from '../../../src-core/log/apply-truncation.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { startCopyThreads } from '../../../src-main/threads/copy-threads.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import { nodeLinks } from '../../../src-main/threads/node-links.ts';
import { contentOf } from '../../support/database-content.ts';
import { Prng } from '../../support/prng.ts';
import { control, testBackups, writeDatabase } from '../../core/backup/backup-environment.ts';
import { restoreByHand } from './restore-by-hand.ts';

const BACKUPS = 20;
const SEED = 20261121;
const WRITER = fileURLToPath(new URL('./writing-process.ts', import.meta.url));
const fileSystem = new NodeFileSystem();
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-backup-'));
const dataDirectory = path.join(root, 'node');
const directory = path.join(root, 'backups');

afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

/** A process that appends, and how far it has acknowledged. */
class WritingProcess {
  acknowledged = 0;
  errors = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;

  constructor() {
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WRITER, dataDirectory], {
      stdio: ['pipe', 'pipe', 'pipe']
    });
    let text = '';
    this.#child.stdout!.on('data', (data: Buffer) => {
      text += data.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      if (lines.length > 0) this.acknowledged = Number(lines.at(-1));
    });
    this.#child.stderr!.on('data', (data: Buffer) => (this.errors += data.toString()));
    this.#ended = new Promise((resolve) => this.#child.on('close', resolve));
  }

  async begun(): Promise<void> {
    while (this.acknowledged === 0) await pause(5);
  }

  async end(): Promise<void> {
    this.#child.stdin!.end();
    expect(await this.#ended, this.errors).toBe(0);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('backups taken while another process appends miss nothing that was acknowledged before', async () => {
  await writeDatabase(fileSystem, { directory: dataDirectory, sizeBytes: 128 * 1024 });
  const threads = startCopyThreads(2);
  const { request, environment } = testBackups(fileSystem, { dataDirectory, mode: 'auto', threads: 2 });
  const target = new LocalBackupTarget({
    fileSystem,
    directory,
    links: nodeLinks,
    copier: threads,
    parallelFiles: 2,
    copierFromBytes: 0
  });
  const random = new Prng(SEED);
  const writer = new WritingProcess();
  await writer.begun();
  const taken: { manifest: Manifest; acknowledged: number }[] = [];
  try {
    for (let i = 0; i < BACKUPS; i++) {
      await pause(random.below(60));
      const { acknowledged } = writer;
      taken.push({ acknowledged, manifest: await runBackup(request, { ...environment, target }) });
    }
  } finally {
    await writer.end();
    await threads.close();
  }

  const source = (await contentOf(dataDirectory)).records;
  for (const { manifest, acknowledged } of taken) {
    const { findings } = await verifyBackup({ manifest, target, control: control() });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
    const restored = path.join(root, 'restored');
    restoreByHand(path.join(directory, manifest.id), restored);
    await applyTruncation({ fileSystem, dataDirectory: restored, control: control() });
    const database = openDatabase({ fileSystem, dataDirectory: restored });
    database.requireWhole();
    expect(database.problems).toEqual([]);
    expect(database.log.end).toBeGreaterThanOrEqual(acknowledged);
    database.close();
    const { records } = await contentOf(restored);
    expect(records).toEqual(source.slice(0, records.length));
    fs.rmSync(restored, { recursive: true });
  }
  expect(taken[0]!.manifest.mode).toBe('full');
  expect(taken.slice(1).every(({ manifest }) => manifest.mode === 'differential')).toBe(true);
  // The log grew by several chunks meanwhile: the backups are not twenty of one state.
  expect(new Set(taken.map(({ manifest }) => manifest.files.length)).size).toBeGreaterThan(2);
});
