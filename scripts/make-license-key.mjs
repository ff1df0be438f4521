// Makes a key pair and a licence for tests: node scripts/make-license-key.mjs DIR [--days N] [--claim NAME]...
// Writes DIR/public-key.json (for --trust-license-key), DIR/private-key.json and DIR/license.jwt.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    days: { type: 'string', default: '30' },
    claim: { type: 'string', multiple: true, default: ['AUTO_SCAVENGE'] },
    holder: { type: 'string', default: 'tests' }
  }
});
const [directory] = positionals;
if (directory === undefined) {
  console.error('Usage: node scripts/make-license-key.mjs DIR [--days N] [--claim NAME]... [--holder NAME]');
  process.exit(2);
}

const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
const claims = Object.fromEntries(values.claim.map((name) => [name, true]));
const expiry = Math.floor(Date.now() / 1000) + Number(values.days) * 86_400;
const token = await new SignJWT(claims)
  .setProtectedHeader({ alg: 'EdDSA' })
  .setSubject(values.holder)
  .setIssuedAt()
  .setExpirationTime(expiry)
  .sign(privateKey);

mkdirSync(directory, { recursive: true });
const write = (name, text, mode) => writeFileSync(path.join(directory, name), `${text}\n`, { mode });
write('public-key.json', JSON.stringify(await exportJWK(publicKey)), 0o644);
write('private-key.json', JSON.stringify(await exportJWK(privateKey)), 0o600);
write('license.jwt', token, 0o600);
