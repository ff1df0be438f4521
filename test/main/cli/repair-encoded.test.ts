/** A chunk that is taken from a backup of every kind: compressed, encrypted, differential, on a disk and in an object store. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { useS3Credentials } from '../../support/s3-credentials.ts';
import { S3_BUCKET, startS3Server, type S3Server } from '../../support/s3-server.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const CHUNK = 'chunk-000007.000000';
const PASSWORD = 'correct horse battery';
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-repair-encoded-'));
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

it.each(['disk', 'store'] as const)(
  'comes from the differential, compressed and encrypted backup on a %s, with key file or password',
  async (kind) => {
    const db = unpackDatabase({ name: 'plain', folder: 'after' });
    const chunk = path.join(db, CHUNK);
    const whole = fs.readFileSync(chunk);
    const target = kind === 'disk' ? path.join(root, 'backups') : `s3://${S3_BUCKET}/repairs`;
    const store = kind === 'disk' ? [] : ['--s3-endpoint', server.endpoint];
    const [keyFile, sealed] = [path.join(root, `${kind}.key`), path.join(root, `${kind}.sealed`)];
    expect((await winnow(['backup', 'key', keyFile])).exitCode).toBe(0);
    const right = { WINNOW_BACKUP_PASSWORD: PASSWORD };
    expect((await winnow(['backup', 'key', sealed, '--in', target, ...store], right)).exitCode).toBe(0);
    const repair = ['repair', db, '--from-backup', target, ...store];

    for (const [key, opens, environment] of [
      [keyFile, ['--key-file', keyFile], {}],
      [sealed, [], right]
    ] as const) {
      const create = [
        'backup',
        'create',
        db,
        '--to',
        target,
        ...store,
        '--key-file',
        key,
        '--compress',
        '--yes'
      ];
      expect((await winnow([...create, '--mode', 'full'])).exitCode).toBe(0);
      const again = await winnow([...create, '--mode', 'differential', '--json']);
      expect(jsonOf(again)).toMatchObject({ backups: [{ mode: 'differential' }] });
      fs.rmSync(chunk);

      const refused = await winnow([...repair, '--yes']);
      expect(refused.exitCode).toBe(14);
      expect(refused.stderr).toContain('no key was given');
      const wrong = await winnow([...repair, '--yes'], { WINNOW_BACKUP_PASSWORD: 'incorrect horse' });
      expect(wrong.exitCode).toBe(14);
      expect(wrong.stderr).toContain('does not open the key');
      expect(fs.existsSync(chunk)).toBe(false);

      const planned = await winnow([...repair, ...opens, '--dry-run', '--json'], environment);
      expect(jsonOf(planned)).toMatchObject({ unrepaired: [], actions: [{ file: CHUNK }] });
      expect(planned.stdout).not.toContain('horse');
      expect((await winnow([...repair, ...opens, '--yes'], environment)).exitCode).toBe(0);
      expect(fs.readFileSync(chunk).equals(whole)).toBe(true);
    }
  }
);
