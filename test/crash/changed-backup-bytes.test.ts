/**
 * A signed backup of a small database: one byte of its manifest, of its signature or of a file in it is changed, by its lowest and by
 * its highest bit. A verification of the target finds each of them, also without a key where it is not the signature
 * that was changed. In each run every 7th byte of manifest and signature, and every 97th one of the other files; all of them
 * by `npm run crash -- --all`. (All bits of a manifest: test/core/backup/manifest.test.ts.)
 */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { registerFaults, REGISTER_OBJECT } from '../../src-core/backup/backup-register.ts';
import type { BackupSigner, BackupTrust, BackupVerifier } from '../../src-core/backup/backup-trust.ts';
import { readCatalogue } from '../../src-core/backup/catalogue.ts';
import { LocalBackupTarget } from '../../src-core/backup/local-target.ts';
import { runBackup } from '../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../src-core/backup/verify-backup.ts';
import { control, TARGET, testBackups, writeDatabase } from '../core/backup/backup-environment.ts';
import { fileNodes, withFlip } from '../support/byte-fixture.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { recordCampaign, sampled } from '../support/proof-record.ts';

const MASKS = [0x01, 0x80];
const SAMPLED = { documents: 13, files: 193 };
const SEED = 13;
const DOCUMENTS = /\.json$/;

function newKeys(): BackupSigner & BackupVerifier {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    fingerprint: `SHA256:${'A'.repeat(43)}`,
    sign: (bytes) => sign(null, bytes, privateKey),
    verify: (bytes, signature) => verify(null, bytes, publicKey, signature)
  };
}

test('a changed byte of a backup is found, in its manifest without a key, too', async () => {
  const memory = new MemoryFileSystem();
  await writeDatabase(memory, { sizeBytes: 24 * 1024 });
  const { request, environment, target } = testBackups(memory);
  const own = newKeys();
  const trust: BackupTrust = { signer: own, verifiers: [own], isRequired: true };
  const { id } = await runBackup(request, { ...environment, target: Object.assign(target, { trust }) });

  const counts = { files: 0, bytes: 0, cases: 0, found: 0, listed: 0 };
  const unknown: string[] = [];
  for (const [file, node] of fileNodes(memory, TARGET)) {
    if (file.endsWith('.lock')) continue;
    counts.files++;
    const isOfKeys = file.endsWith('signature.json') || file === REGISTER_OBJECT;
    const step = sampled(DOCUMENTS.test(file) ? SAMPLED.documents : SAMPLED.files);
    for (let at = SEED % step; at < node.bytes.size; at += step) {
      counts.bytes++;
      for (const mask of MASKS) {
        counts.cases++;
        const says = () => verified(memory, isOfKeys ? trust : undefined);
        if ((await withFlip(node, at, mask, says)) !== 'sound') counts.found++;
        else unknown.push(`${file} at ${at}, changed by ${mask}`);
      }
    }
  }
  recordCampaign({
    name: 'one byte of a backup changed',
    promise: 'bytes',
    operation: 'backup verify',
    faults: 'lowest or highest bit of a byte',
    counts,
    seed: SEED
  });
  expect(await verified(memory, trust)).toBe('sound');
  expect(await verified(memory, undefined)).toBe('sound');
  expect(unknown).toEqual([]);
  expect(counts.files).toBeGreaterThan(9);
  expect(fileNodes(memory, TARGET).map(([file]) => file)).toContain(`${id}/manifest.json`);
});

/** What `backup verify --all` goes by. */
async function verified(memory: MemoryFileSystem, trust: BackupTrust | undefined): Promise<string> {
  const target = new LocalBackupTarget({ fileSystem: memory, directory: TARGET });
  if (trust) Object.assign(target, { trust });
  const { backups, damaged } = await readCatalogue(target);
  if (damaged.length > 0) return damaged[0]!.error.code;
  for (const manifest of backups) {
    const { findings } = await verifyBackup({ manifest, target, control: control() });
    const [damage] = findings.filter(({ severity }) => severity === 'damage');
    if (damage) return damage.code;
  }
  const faults = await registerFaults(
    target,
    backups.map((backup) => backup.id)
  );
  return faults[0]?.code ?? 'sound';
}
