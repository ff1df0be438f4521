/** Signed backups from the command line: what is made, what is said, and what is refused. */
import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contentOf, type BackupTarget } from '../../../src-core/backup/backup-target.ts';
import { requireSignature } from '../../../src-core/backup/manifest-signature.ts';
import type { EngineError } from '../../../src-core/errors.ts';
import { readTrust } from '../../../src-main/backup/signing/signing-keys.ts';
import { BACKUP_SCHEMAS } from '../../../src-main/contract/operations/backup-reports.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { useS3Credentials } from '../../support/s3-credentials.ts';
import { S3_BUCKET, startS3Server } from '../../support/s3-server.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-signed-'));
let db: string;
beforeAll(() => {
  db = unpackDatabase({ name: 'plain', folder: 'after' });
});
afterAll(() => {
  vi.unstubAllEnvs();
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

const winnow = (words: string[], environment: Record<string, string> = {}) =>
  runWinnow(words, { environment: { WINNOW_HOME: path.join(root, 'home'), ...environment } });

interface Pair {
  secret: string;
  open: string;
}

function makePair(name: string): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pair = { secret: path.join(root, `${name}.pem`), open: path.join(root, `${name}.pub`) };
  fs.writeFileSync(pair.secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  fs.writeFileSync(pair.open, publicKey.export({ type: 'spki', format: 'pem' }));
  return pair;
}

const ours = makePair('ours');
const others = makePair('others');

/** A target that holds nothing but this signature. */
function holding(signature: Uint8Array): BackupTarget {
  return {
    description: 'a target',
    trust: readTrust({ verifyKeys: [ours.open] }, { signs: false }),
    describe: (name: string) => Promise.resolve({ name, size: signature.length }),
    read: () => contentOf(signature)
  } as unknown as BackupTarget;
}

const everyByte = (bytes: Uint8Array) => Array.from(bytes, (_, at) => [at, at % 8] as const);

function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[at]! ^= 1 << bit;
  return changed;
}

async function create(target: string, words: string[], environment: Record<string, string> = {}) {
  const made = await winnow(
    ['backup', 'create', db, '--to', target, '--yes', '--json', ...words],
    environment
  );
  expect([made.exitCode, made.stderr]).toEqual([0, expect.any(String)]);
  return BACKUP_SCHEMAS['backup-create'].parse(jsonOf(made)).backups[0]!;
}

it('signs a backup, says so, and restores it only if the key proves it', async () => {
  const target = path.join(root, 'one');
  const { id, signature } = await create(target, ['--sign-key', ours.secret]);
  expect(signature?.state).toBe('signed');
  expect(signature?.key).toMatch(/^SHA256:/);
  expect(fs.readdirSync(path.join(target, id)).sort()).toContain('signature.json');

  const proved = await winnow([
    'backup',
    'verify',
    target,
    '--verify-key',
    others.open,
    '--verify-key',
    ours.open
  ]);
  expect([proved.exitCode, proved.stdout]).toEqual([
    0,
    expect.stringContaining(`Signed with the key ${signature!.key}`)
  ]);
  const claimed = await winnow(['backup', 'verify', target]);
  expect([claimed.exitCode, claimed.stdout]).toEqual([0, expect.stringContaining('not compared')]);

  const to = path.join(root, 'restored');
  const restore = ['restore', target, '--to', to, '--yes'];
  const refused = await winnow([...restore, '--verify-key', others.open]);
  expect([refused.exitCode, refused.stderr]).toEqual([
    12,
    expect.stringContaining('signed with another key')
  ]);
  expect(fs.existsSync(to)).toBe(false);
  expect((await winnow([...restore, '--verify-key', ours.open])).exitCode).toBe(0);
  const rehearsed = await winnow(['backup', 'rehearse', target], { WINNOW_BACKUP_VERIFY_KEY: ours.open });
  expect(rehearsed.exitCode).toBe(0);
});

it('refuses keys that are none, and a verify key without one that signs', async () => {
  const target = path.join(root, 'refused');
  const words = ['backup', 'create', db, '--to', target, '--yes'];
  for (const more of [
    ['--sign-key', ours.open],
    ['--sign-key', path.join(root, 'missing')]
  ]) {
    const { exitCode, stderr } = await winnow([...words, ...more]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('openssl genpkey')]);
  }
  const { exitCode, stderr } = await winnow(words, { WINNOW_BACKUP_VERIFY_KEY: ours.open });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the secret key that signs')]);
  expect(fs.existsSync(target)).toBe(false);
});

describe('a target with a backup from before, and signed ones', () => {
  const target = path.join(root, 'chain');
  const ids: string[] = [];
  beforeAll(async () => {
    ids.push((await create(target, [])).id);
    // Nobody vouches for the first one: the second shares nothing with it.
    const second = await create(target, ['--sign-key', ours.secret]);
    expect(second).toMatchObject({ mode: 'full', notes: [{ code: 'notDifferential' }] });
    ids.push(second.id);
    const third = await create(target, [], {
      WINNOW_BACKUP_SIGN_KEY: ours.secret,
      WINNOW_BACKUP_VERIFY_KEY: ours.open
    });
    expect(third).toMatchObject({ mode: 'differential', basedOn: second.id });
    ids.push(third.id);
  });

  it('names the one that is not signed, and leaves it alone when pruning', async () => {
    const key = ['--verify-key', ours.open, '--json'];
    const list = BACKUP_SCHEMAS['backup-list'].parse(
      jsonOf(await winnow(['backup', 'list', target, ...key]))
    );
    expect(list.backups.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(list.damaged.map(({ id }) => id)).toEqual([ids[0]]);
    expect(list.damaged[0]?.message).toContain('is not signed');
    const all = await winnow(['backup', 'verify', target, '--all', ...key]);
    expect(all.exitCode).toBe(1);
    expect(jsonOf(all)).toMatchObject({ findings: [{ code: 'notSigned', backup: ids[0] }] });
    const prune = await winnow(['backup', 'prune', target, '--keep-last', '2', '--dry-run', ...key]);
    expect(jsonOf(prune)).toMatchObject({ removed: [], warnings: [{ code: 'notProved' }] });
    // Without keys all is as it was.
    const plain = await winnow(['backup', 'verify', `${target}@${ids[0]}`, '--json']);
    expect(plain.exitCode).toBe(0);
    expect(jsonOf(plain)).not.toHaveProperty('signature');
  });

  it('refuses one whose signature was removed, replaced, or is that of another backup', async () => {
    const of = (id: string, name: string): string => path.join(target, id, name);
    const [, second, third] = ids as [string, string, string];
    const verify = async (id: string) => {
      const { exitCode, stderr } = await winnow([
        'backup',
        'verify',
        `${target}@${id}`,
        '--verify-key',
        ours.open
      ]);
      return { exitCode, stderr };
    };
    const refused = async (word: string): Promise<void> => {
      const { exitCode, stderr } = await verify(third);
      expect([exitCode, stderr]).toEqual([12, expect.stringContaining(word)]);
    };
    const signature = fs.readFileSync(of(third, 'signature.json'));
    const manifest = fs.readFileSync(of(third, 'manifest.json'));
    fs.rmSync(of(third, 'signature.json'));
    await refused('is not signed');
    fs.copyFileSync(of(second, 'signature.json'), of(third, 'signature.json'));
    await refused('was changed');
    // Both of another backup: signed, but not under this name.
    fs.copyFileSync(of(second, 'manifest.json'), of(third, 'manifest.json'));
    await refused(second);
    fs.writeFileSync(of(third, 'signature.json'), signature);
    fs.writeFileSync(of(third, 'manifest.json'), manifest);
    expect((await verify(third)).exitCode).toBe(0);
  });

  it('finds a file that was replaced by another one of the same size', async () => {
    const file = path.join(target, ids[2]!, 'data', 'writer.chk');
    const bytes = fs.readFileSync(file);
    fs.rmSync(file);
    fs.writeFileSync(file, Buffer.from(bytes).fill(1));
    // By its id: of backups of one second nobody knows which is the newest while one of them cannot be trusted.
    const words = ['backup', 'verify', `${target}@${ids[2]}`, '--verify-key', ours.open];
    const { exitCode, stdout } = await winnow(words);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('SHA-256 differs')]);
    fs.writeFileSync(file, bytes);
  });

  it('finds every changed byte of a manifest and of its signature', async () => {
    const id = ids[2]!;
    const manifest = fs.readFileSync(path.join(target, id, 'manifest.json'));
    const signature = fs.readFileSync(path.join(target, id, 'signature.json'));
    const check = (bytes: Uint8Array, beside: Uint8Array) => requireSignature(holding(beside), id, bytes);
    await check(manifest, signature);
    const reasonOf = (checked: Promise<void>): Promise<unknown> =>
      checked.then(
        () => 'nothing',
        (error: unknown) => (error as EngineError).details['reason']
      );
    for (const [at, bit] of everyByte(manifest)) {
      const reason = await reasonOf(check(flipped(manifest, at, bit), signature));
      if (reason !== 'signatureWrong') expect.fail(`byte ${at} of the manifest: ${String(reason)}`);
    }
    for (const [at, bit] of everyByte(signature)) {
      const reason = await reasonOf(check(manifest, flipped(signature, at, bit)));
      expect(['signatureWrong', 'otherKey'], `byte ${at} of the signature`).toContain(reason);
    }
  });
});

it('finds a signed backup that someone removed, but not one that was pruned', async () => {
  const target = path.join(root, 'removed');
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) ids.push((await create(target, ['--sign-key', ours.secret])).id);
  const key = ['--verify-key', ours.open];
  const prune = ['backup', 'prune', target, '--keep-last', '3', '--yes', ...key];
  expect((await winnow(prune)).exitCode).toBe(2);
  expect((await winnow([...prune, '--sign-key', ours.secret])).exitCode).toBe(0);
  const verify = async () => {
    const all = await winnow(['backup', 'verify', target, '--all', '--quick', '--json', ...key]);
    const report = BACKUP_SCHEMAS['backup-verify-all'].parse(jsonOf(all));
    const faults = report.findings.filter(({ severity }) => severity === 'damage');
    return { exitCode: all.exitCode, faults: faults.map(({ code, file }) => [code, file]) };
  };
  expect(await verify()).toEqual({ exitCode: 0, faults: [] });

  // In the middle; a new backup does not hide it, and nothing is pruned meanwhile.
  fs.rmSync(path.join(target, ids[2]!), { recursive: true });
  await create(target, ['--sign-key', ours.secret]);
  expect(await verify()).toEqual({ exitCode: 1, faults: [['backupRemoved', ids[2]]] });
  const newest = await winnow(['backup', 'verify', target, '--quick', ...key]);
  expect([newest.exitCode, newest.stderr]).toEqual([12, expect.stringContaining(ids[2]!)]);
  expect((await winnow([...prune, '--sign-key', ours.secret])).exitCode).toBe(12);
  expect((await winnow([...prune, '--sign-key', ours.secret, '--accept-missing'])).exitCode).toBe(0);
  expect(await verify()).toEqual({ exitCode: 0, faults: [] });

  const register = path.join(target, 'winnow-signed', 'register.json');
  const bytes = fs.readFileSync(register);
  fs.writeFileSync(register, bytes.toString().replace(ids[1]!, ids[0]!));
  expect((await verify()).faults).toEqual([['registerWrong', 'winnow-signed/register.json']]);
  fs.rmSync(register);
  await create(target, ['--sign-key', ours.secret]);
  expect((await verify()).faults).toEqual([['registerMissing', 'winnow-signed/register.json']]);
});

it('signs in an object store as in a directory', async () => {
  useS3Credentials();
  const server = await startS3Server();
  try {
    const target = `s3://${S3_BUCKET}/signed`;
    const store = ['--s3-endpoint', server.endpoint];
    await create(target, [...store, '--sign-key', ours.secret]);
    const verified = await winnow(['backup', 'verify', target, ...store, '--verify-key', ours.open]);
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining('Signed with the key')]);
    const to = path.join(root, 'from-store');
    const restore = ['restore', target, ...store, '--to', to, '--yes', '--verify-key'];
    expect((await winnow([...restore, others.open])).exitCode).toBe(12);
    expect((await winnow([...restore, ours.open])).exitCode).toBe(0);
  } finally {
    await server.remove();
  }
});
