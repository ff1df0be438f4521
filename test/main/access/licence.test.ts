import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLicence, type Licence } from '../../../src-main/access/licence.ts';

const NOW = new Date('2026-08-01T10:00:00Z');
let directory: string;
let trustedKeyFile: string;
let privateKey: CryptoKey;

beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-licence-'));
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  privateKey = pair.privateKey;
  trustedKeyFile = path.join(directory, 'key.json');
  fs.writeFileSync(trustedKeyFile, JSON.stringify(await exportJWK(pair.publicKey)));
});
afterAll(() => fs.rmSync(directory, { recursive: true }));

function token(claims: JWTPayload, expiry: string | null = '2026-09-01', key = privateKey): Promise<string> {
  const signed = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA' });
  if (expiry !== null) signed.setExpirationTime(new Date(expiry));
  return signed.sign(key);
}

function check(key: string | undefined): Promise<Licence> {
  return readLicence({ key, file: undefined, trustedKeyFile }, NOW);
}

async function reasonOf(key: string | undefined): Promise<string> {
  const licence = await check(key);
  return licence.isValid ? 'valid' : licence.reason;
}

describe('a licence', () => {
  it.each([[{ AUTO_SCAVENGE: true }], [{ ALL: true }], [{ auto_scavenge: 'true' }], [{ All: 'True' }]])(
    'is valid with the claim %j until it expires',
    async (claims) => {
      const licence = await check(await token({ ...claims, sub: 'Example Ltd' }));
      expect(licence).toMatchObject({ isValid: true, holder: 'Example Ltd', isEvaluation: false });
      expect(licence.isValid && licence.expiresAt.toISOString()).toBe('2026-09-01T00:00:00.000Z');
    }
  );

  it.each([[{}], [{ AUTO_SCAVENGE: false }], [{ OTHER: true }]])(
    'does not grant auto-scavenge with %j',
    async (claims) => {
      expect(await reasonOf(await token(claims))).toBe('it does not grant AUTO_SCAVENGE');
    }
  );

  it('is refused when it expired, and when it never does', async () => {
    expect(await reasonOf(await token({ ALL: true }, '2026-07-01'))).toBe('it expired on 2026-07-01');
    expect(await reasonOf(await token({ ALL: true }, null))).toBe('its claim "exp" is missing or wrong');
  });

  it('is refused when somebody else signed it, or changed it', async () => {
    const other = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const foreign = await token({ ALL: true }, '2026-09-01', other.privateKey);
    expect(await reasonOf(foreign)).toBe('its signature does not match its issuer');
    const [head, , signature] = (await token({ ALL: true })).split('.');
    const claims = Buffer.from('{"ALL":true,"exp":4000000000}').toString('base64url');
    expect(await reasonOf(`${head}.${claims}.${signature}`)).toBe('its signature does not match its issuer');
  });

  it.each(['none', 'HS256'])('is refused with the algorithm %s', async (alg) => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = `${part({ alg })}.${part({ ALL: true, exp: 4_000_000_000 })}.${alg === 'none' ? '' : 'AAAA'}`;
    expect(await reasonOf(forged)).toBe('it is not signed with EdDSA');
  });

  it.each(['', '   ', undefined])('counts as none when it is %j', async (key) => {
    expect(await reasonOf(key)).toBe('no licence is given');
  });

  it('that is no token at all is refused without repeating it', async () => {
    expect(await reasonOf('secret words')).toBe('it is not a signed token');
  });

  it('may lie in a file; one that is missing is named', async () => {
    const file = path.join(directory, 'license.jwt');
    fs.writeFileSync(file, `${await token({ ALL: true })}\n`);
    expect((await readLicence({ key: undefined, file, trustedKeyFile }, NOW)).isValid).toBe(true);
    const missing = await readLicence({ key: undefined, file: `${file}.no`, trustedKeyFile }, NOW);
    expect(missing).toMatchObject({ isValid: false, source: `${file}.no` });
  });
});

it('the evaluation licence is valid, and in force only where it is chosen', async () => {
  const chosen = await readLicence({ key: undefined, file: 'evaluation' }, new Date('2027-01-01'));
  expect(chosen).toMatchObject({ isValid: true, isEvaluation: true });
  expect((await readLicence({ key: undefined, file: undefined }, NOW)).isValid).toBe(false);
});
