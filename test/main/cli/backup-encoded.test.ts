/** Encrypted backups and object stores from the command line: options, exit codes, and what is never said. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { useS3Credentials } from '../../support/s3-credentials.ts';
import { S3_BUCKET, startS3Server, type S3Server } from '../../support/s3-server.ts';
import { BACKUP_SCHEMAS } from '../../../src-main/contract/operations/backup-reports.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-encoded-'));
const key = path.join(root, 'node.key');
const target = `s3://${S3_BUCKET}/nodes/one`;
let server: S3Server;

beforeAll(async () => {
  useS3Credentials();
  server = await startS3Server();
});
afterAll(async () => {
  await server.remove();
  vi.unstubAllEnvs();
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

const winnow = (words: string[], environment: Record<string, string> = {}) =>
  runWinnow(words, { environment: { WINNOW_HOME: path.join(root, 'home'), ...environment } });

it('makes a key, keeps an encrypted backup in a store, and asks for the key with exit code 14', async () => {
  const db = unpackDatabase({ name: 'plain', folder: 'after' });
  const made = await winnow(['backup', 'key', key, '--json']);
  expect(made.exitCode).toBe(0);
  const { publicKey } = BACKUP_SCHEMAS['backup-key'].parse(jsonOf(made));
  expect(fs.readFileSync(key, 'utf8')).toContain(publicKey);

  const store = ['--s3-endpoint', server.endpoint];
  const created = await winnow([
    ...['backup', 'create', db, '--to', target, ...store],
    // On a busy machine it takes long enough for a line of progress.
    ...['--compress', '--key-file', key, '--yes', '--json', '--quiet']
  ]);
  expect(created.stderr).toBe('');
  expect(created.exitCode).toBe(0);
  const { id } = (jsonOf(created) as { backups: { id: string }[] }).backups[0]!;

  const list = await winnow(['backup', 'list', target, '--json'], { AWS_ENDPOINT_URL: server.endpoint });
  expect(jsonOf(list)).toMatchObject({ target, backups: [{ id, encodings: [`age:${publicKey}`, 'zstd'] }] });
  const glance = await winnow(['backup', 'verify', `${target}@${id}`, ...store]);
  expect(glance.exitCode).toBe(0);
  expect(glance.stdout).toContain('give --key-file');

  // Every chunk is fetched, decrypted and decompressed.
  const compared = ['diff', db, target, ...store, '--read-all', '--quiet'];
  expect((await winnow(compared)).exitCode).toBe(14);
  const same = await winnow([...compared, '--key-file', key]);
  expect(same.stdout).toContain('hold the same log.');
  expect(same.exitCode).toBe(0);

  const to = path.join(root, 'restored');
  const restore = ['restore', target, ...store, '--to', to, '--apply-truncation', '--yes'];
  const refused = await winnow(restore);
  expect(refused.exitCode).toBe(14);
  expect(refused.stderr).toContain('--key-file');
  expect((await winnow([...restore, '--key-file', key])).exitCode).toBe(0);
  expect(fs.existsSync(path.join(to, 'writer.chk'))).toBe(true);
});

it('says with exit code 15 that credentials are not accepted, and never what they are', async () => {
  const environment = { AWS_ACCESS_KEY_ID: 'AKIAUNKNOWN', AWS_SECRET_ACCESS_KEY: 'wJalr-a-secret' };
  const words = ['backup', 'list', target, '--s3-endpoint', server.endpoint];
  const { exitCode, stdout, stderr } = await winnow([...words, '--json'], environment);
  expect(exitCode).toBe(15);
  expect(stdout + stderr).toContain('AWS_ACCESS_KEY_ID');
  expect(stdout + stderr).not.toMatch(/AKIAUNKNOWN|wJalr/);
});

it('goes on after it was killed, although its lease is still there', async () => {
  const db = unpackDatabase({ name: 'tables', folder: 'before' });
  const place = `s3://${S3_BUCKET}/nodes/two`;
  const words = ['backup', 'create', db, '--to', place, '--s3-endpoint', server.endpoint, '--yes', '--json'];
  const killed = await runWinnow([...words, '--throttle', '1MiB', '--progress', 'json'], {
    environment: { WINNOW_HOME: path.join(root, 'home') },
    onStderr: (text, child) => {
      if (text.includes('copying the log')) child.signal('SIGKILL');
    }
  });
  expect(killed.exitCode).toBeNull();
  const list = await winnow(['backup', 'list', place, '--s3-endpoint', server.endpoint, '--json']);
  const { unfinished } = jsonOf(list) as { unfinished: string[] };
  expect(unfinished).toHaveLength(1);
  const created = await winnow(words);
  // Elsewhere the lease of a killed run is waited for.
  expect(created.exitCode).toBe(process.platform === 'linux' ? 0 : 11);
  if (process.platform !== 'linux') return;
  expect(jsonOf(created)).toMatchObject({ backups: [{ id: unfinished[0] }] });
  expect((await winnow(['backup', 'verify', place, '--s3-endpoint', server.endpoint])).exitCode).toBe(0);
});

it('opens backups by a password alone, whose key lies sealed in the target', async () => {
  const db = unpackDatabase({ name: 'plain', folder: 'after' });
  const [directory, publicOnly] = [path.join(root, 'sealed'), path.join(root, 'public.txt')];
  const right = { WINNOW_BACKUP_PASSWORD: 'correct horse battery' };
  const short = await winnow(['backup', 'key', publicOnly, '--in', directory], {
    WINNOW_BACKUP_PASSWORD: 'x'
  });
  expect(short.exitCode).toBe(2);
  expect((await winnow(['backup', 'key', publicOnly, '--in', directory], right)).exitCode).toBe(0);
  expect(fs.readFileSync(publicOnly, 'utf8')).not.toContain('SECRET');
  expect(fs.statSync(publicOnly).mode & 0o777).toBe(0o600);
  // A file that cannot be made is said before the target gets a key that nobody has the public one of.
  for (const file of [publicOnly, path.join(root, 'missing', 'public.txt')]) {
    const refused = await winnow(['backup', 'key', file, '--in', directory], right);
    expect(refused.exitCode).toBe(15);
    expect(refused.stderr).toContain('Name a ');
  }
  expect(fs.readdirSync(path.join(directory, 'winnow-keys'))).toHaveLength(1);
  const create = ['backup', 'create', db, '--to', directory, '--key-file', publicOnly, '--yes'];
  expect((await winnow(create)).exitCode).toBe(0);

  const to = path.join(root, 'by-password');
  const restore = ['restore', directory, '--to', to, '--yes'];
  expect((await winnow(restore)).exitCode).toBe(14);
  const wrong = await winnow(restore, { WINNOW_BACKUP_PASSWORD: 'incorrect horse' });
  expect(wrong.exitCode).toBe(14);
  expect(wrong.stderr).toContain('does not open the key');
  expect(fs.existsSync(to)).toBe(false);
  expect((await winnow(restore, right)).exitCode).toBe(0);
  expect((await winnow(['backup', 'verify', directory], right)).stdout).not.toContain('--key-file');
  const record = await winnow(['activity', '--json']);
  expect(record.stdout).toContain('runRestore');
  expect(record.stdout).not.toContain('horse');
});
