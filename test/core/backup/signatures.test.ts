/** Signatures of manifests and the register of signed backups, in memory: what keys prove, and what a stranger can change. */
import { generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { manifestObject, signatureObject } from '../../../src-core/backup/backup-layout.ts';
import {
  addToRegister,
  beginRegister,
  registerFaults,
  REGISTER_OBJECT,
  renewRegister,
  requireRegister,
  takeOffRegister
} from '../../../src-core/backup/backup-register.ts';
import { readCatalogue, readManifest } from '../../../src-core/backup/catalogue.ts';
import { contentOf } from '../../../src-core/backup/backup-target.ts';
import type { BackupSigner, BackupTrust, BackupVerifier } from '../../../src-core/backup/backup-trust.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import {
  decodeSignature,
  describeSignature,
  encodeSignature,
  mayBuildOn,
  requireSignature,
  requireSigner,
  signatureState,
  signedIds,
  unprovedIds,
  writeManifest
} from '../../../src-core/backup/manifest-signature.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const ONE = '20260101T000000Z-0001';
const TWO = '20260102T000000Z-0002';
const MANIFEST = new TextEncoder().encode('{"a manifest":1}\n');

interface Keys extends BackupSigner, BackupVerifier {}
function keysOf(letter: string): Keys {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } =
    generateKeyPairSync('ed25519');
  return {
    fingerprint: `SHA256:${letter.repeat(43)}`,
    sign: (bytes) => sign(null, bytes, privateKey),
    verify: (bytes, signature) => verify(null, bytes, publicKey, signature)
  };
}
const own = keysOf('A');
const stranger = keysOf('B');
const SIGNING: BackupTrust = { signer: own, verifiers: [own], isRequired: true };

let fileSystem: MemoryFileSystem;
beforeEach(() => {
  fileSystem = new MemoryFileSystem();
});

/** The same target, as someone sees it who has these keys. */
function seenWith(trust: BackupTrust | undefined): LocalBackupTarget {
  const target = new LocalBackupTarget({ fileSystem, directory: '/target' });
  return trust ? Object.assign(target, { trust }) : target;
}

async function writeObject(name: string, bytes: Uint8Array | string): Promise<void> {
  await seenWith(undefined).write(name, contentOf(Buffer.from(bytes)));
}

async function refusalOf(work: () => unknown): Promise<EngineError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('the file of a signature', () => {
  const bytes = encodeSignature(own.fingerprint, new Uint8Array(64).fill(7));

  it('has one spelling', () => {
    expect(decodeSignature(bytes)).toEqual({
      key: own.fingerprint,
      signature: Buffer.from(new Uint8Array(64).fill(7))
    });
    const text = new TextDecoder().decode(bytes);
    const document = JSON.parse(text) as object;
    for (const other of [
      ...['', 'no JSON', 'null', '7', '{}', text.trim(), text.replace(':1', ': 1')],
      ...[{ key: 7 }, { key: 'SHA256:short' }, { signature: 7 }, { signature: '' + '?'.repeat(9) }].map(
        (change) => `${JSON.stringify({ ...document, ...change })}\n`
      )
    ]) {
      expect(decodeSignature(new TextEncoder().encode(other)), other).toBeUndefined();
    }
    expect(decodeSignature(Uint8Array.of(0xff, 0xfe))).toBeUndefined();
  });

  it('is wrong with any of its bits changed', () => {
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.with(at, bytes[at]! ^ 1);
      const found = decodeSignature(changed);
      const isOther =
        found && (found.key !== own.fingerprint || Buffer.from(found.signature).some((b) => b !== 7));
      expect(found === undefined || isOther, `byte ${at}`).toBe(true);
    }
  });
});

describe('a signed backup', () => {
  beforeEach(async () => {
    await writeManifest(seenWith(SIGNING), ONE, MANIFEST);
  });
  const stateWith = (trust: BackupTrust | undefined, manifest = MANIFEST): Promise<unknown> =>
    signatureState(seenWith(trust), ONE, manifest);

  it('is proved, claimed, of another key or wrong, by the keys and the bytes that are there', async () => {
    expect(await stateWith(SIGNING)).toEqual({ state: 'signed', key: own.fingerprint });
    expect(await stateWith(undefined)).toEqual({ state: 'claimed', key: own.fingerprint });
    expect(await stateWith({ verifiers: [], isRequired: false })).toMatchObject({ state: 'claimed' });
    expect(await stateWith({ verifiers: [stranger], isRequired: true })).toEqual({
      state: 'otherKey',
      key: own.fingerprint
    });
    expect(await stateWith(SIGNING, Uint8Array.of(1))).toEqual({ state: 'wrong', key: null });
    await writeObject(signatureObject(ONE), 'x'.repeat(5000));
    expect(await stateWith(SIGNING)).toEqual({ state: 'wrong', key: null });
    await writeObject(signatureObject(ONE), 'x');
    expect(await stateWith(SIGNING)).toEqual({ state: 'wrong', key: null });
  });

  it('is described only where a key or a signature is there', async () => {
    expect(await describeSignature(seenWith(undefined), ONE)).toMatchObject({ state: 'claimed' });
    await writeObject(manifestObject(TWO), MANIFEST);
    expect(await describeSignature(seenWith(undefined), TWO)).toBeUndefined();
    expect(await describeSignature(seenWith(SIGNING), TWO)).toEqual({ state: 'notSigned', key: null });
    expect(await describeSignature(seenWith(SIGNING), '20260103T000000Z-0003')).toBeUndefined();
  });

  it('is refused by who asks for proof, with the reason and its file; who asks for none reads it', async () => {
    await writeObject(manifestObject(TWO), MANIFEST);
    const reasons = async (trust: BackupTrust, id: string, manifest = MANIFEST): Promise<unknown[]> => {
      const { code, details } = await refusalOf(() => requireSignature(seenWith(trust), id, manifest));
      return [code, details['reason'], details['file']];
    };
    expect(await reasons(SIGNING, TWO)).toEqual(['LogCorrupt', 'notSigned', manifestObject(TWO)]);
    expect(await reasons(SIGNING, ONE, Uint8Array.of(1))).toEqual([
      ...['LogCorrupt', 'signatureWrong', signatureObject(ONE)]
    ]);
    const other: BackupTrust = { verifiers: [stranger], isRequired: true };
    expect(await reasons(other, ONE)).toEqual(['LogCorrupt', 'otherKey', signatureObject(ONE)]);
    await requireSignature(seenWith(SIGNING), ONE, MANIFEST);
    await requireSignature(seenWith({ verifiers: [stranger], isRequired: false }), TWO, MANIFEST);
    await requireSignature(seenWith(undefined), TWO, MANIFEST);
  });

  it('is the only one whose manifest is read by who has a key, unless it must only be known of', async () => {
    await writeObject(manifestObject(TWO), MANIFEST);
    const reasonOf = async (reading?: { acceptsUnproved: boolean }): Promise<unknown> =>
      (await refusalOf(() => readManifest(seenWith(SIGNING), TWO, reading))).details['reason'];
    expect(await reasonOf()).toBe('notSigned');
    // It is no manifest, which is only seen once it is read.
    expect(await reasonOf({ acceptsUnproved: true })).not.toBe('notSigned');
    const { damaged } = await readCatalogue(seenWith(SIGNING));
    expect(damaged.map(({ id, error }) => [id, error.details['reason']])).toContainEqual([TWO, 'notSigned']);
  });

  it('is the only one that counts as proved, and on which a signed one is built', async () => {
    await writeObject(manifestObject(TWO), MANIFEST);
    const missing = '20260103T000000Z-0003';
    expect(await signedIds(seenWith(SIGNING), [ONE, TWO, missing])).toEqual([ONE]);
    expect(await unprovedIds(seenWith(SIGNING), [ONE, TWO])).toEqual(new Set([TWO]));
    expect(await unprovedIds(seenWith(undefined), [ONE, TWO])).toEqual(new Set());
    const may = (trust: BackupTrust | undefined, id: string) => mayBuildOn(seenWith(trust), id);
    expect([await may(SIGNING, ONE), await may(SIGNING, TWO), await may(SIGNING, missing)]).toEqual([
      ...[true, false, false]
    ]);
    expect(await may(undefined, TWO)).toBe(true);
  });

  it('is not made by a run that asks for proof and has no key to sign with', async () => {
    const reading: BackupTrust = { verifiers: [own], isRequired: true };
    expect((await refusalOf(() => requireSigner(seenWith(reading)))).code).toBe('InvalidRequest');
    requireSigner(seenWith(SIGNING));
    requireSigner(seenWith({ verifiers: [], isRequired: false }));
    requireSigner(seenWith(undefined));
  });
});

describe('the register', () => {
  beforeEach(async () => {
    await writeManifest(seenWith(SIGNING), ONE, MANIFEST);
    await writeManifest(seenWith(SIGNING), TWO, MANIFEST);
  });
  const codes = async (
    proved: readonly string[],
    trust: BackupTrust | undefined = SIGNING
  ): Promise<string[]> =>
    (await registerFaults(seenWith(trust), proved)).map(({ code, file }) => `${code} ${file}`);

  it('shows a signed backup that someone removed, and only to who has a key', async () => {
    expect(await codes([ONE, TWO])).toEqual([]);
    expect(await codes([TWO])).toEqual([`backupRemoved ${ONE}`]);
    expect(await codes([TWO], { verifiers: [], isRequired: false })).toEqual([]);
    const { code, details } = await refusalOf(() => requireRegister(seenWith(SIGNING), [TWO]));
    expect([code, details['reason'], details['file']]).toEqual(['LogCorrupt', 'backupRemoved', ONE]);
    await requireRegister(seenWith(SIGNING), [ONE, TWO]);
  });

  it('does not name what was taken off before it was removed', async () => {
    await takeOffRegister(seenWith(undefined), [ONE]);
    expect(await codes([TWO])).toEqual([`backupRemoved ${ONE}`]);
    await takeOffRegister(seenWith(SIGNING), [ONE]);
    expect(await codes([TWO])).toEqual([]);
    await takeOffRegister(seenWith(SIGNING), [ONE]);
    expect(await codes([TWO])).toEqual([]);
  });

  it('that is missing or wrong is told, and stays so for a person to see', async () => {
    const register = new TextDecoder().decode(await read(REGISTER_OBJECT));
    const document = JSON.parse(register) as { backups: string[] };
    const spoiled = [
      ...['', 'no JSON', 'null', '[]', register.trim()],
      ...[
        { backups: 7 },
        { key: 7 },
        { signature: 7 },
        { backups: [...document.backups, 'no id'] },
        { backups: [...document.backups, 7] },
        { backups: document.backups.slice(1) },
        { key: stranger.fingerprint }
      ].map((change) => `${JSON.stringify({ ...document, ...change })}\n`)
    ];
    for (const text of spoiled) {
      await writeObject(REGISTER_OBJECT, text);
      await addToRegister(seenWith(SIGNING), '20260103T000000Z-0003');
      await takeOffRegister(seenWith(SIGNING), [ONE]);
      expect(new TextDecoder().decode(await read(REGISTER_OBJECT))).toBe(text);
      expect(await codes([ONE, TWO]), text).toEqual([`registerWrong ${REGISTER_OBJECT}`]);
    }
    fileSystem.remove(`/target/${REGISTER_OBJECT}`);
    expect(await codes([ONE, TWO])).toEqual([`registerMissing ${REGISTER_OBJECT}`]);
    expect(await codes([])).toEqual([]);
    await beginRegister(seenWith(SIGNING), '20260103T000000Z-0003');
    expect(await codes([ONE, TWO])).toEqual([`registerMissing ${REGISTER_OBJECT}`]);
  });

  it('is begun beside backups that are not signed', async () => {
    fileSystem.removeDirectory('/target');
    await writeObject(manifestObject(ONE), MANIFEST);
    await beginRegister(seenWith(undefined), TWO);
    expect(await seenWith(undefined).describe(REGISTER_OBJECT)).toBeUndefined();
    await beginRegister(seenWith(SIGNING), TWO);
    await addToRegister(seenWith(SIGNING), TWO);
    expect(await codes([])).toEqual([`backupRemoved ${TWO}`]);
  });

  it('is renewed by a person who has the key that signs, and by nobody else', async () => {
    await writeObject(REGISTER_OBJECT, 'no JSON');
    const reading: BackupTrust = { verifiers: [own], isRequired: true };
    expect((await refusalOf(() => renewRegister(seenWith(reading), [TWO]))).code).toBe('InvalidRequest');
    expect((await refusalOf(() => renewRegister(seenWith(undefined), [TWO]))).code).toBe('InvalidRequest');
    await renewRegister(seenWith(SIGNING), [TWO]);
    expect(await codes([TWO])).toEqual([]);
  });

  async function read(name: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const part of seenWith(undefined).read(name)) parts.push(Uint8Array.from(part));
    return Buffer.concat(parts);
  }
});
