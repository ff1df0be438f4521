/** Passwords as scrypt hashes: deliberately slow, so that a stolen file does not reveal them. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export interface PasswordHash {
  /** Base64. */
  salt: string;
  hash: string;
  /** Work factors of scrypt; stored with the hash so that they can be raised later. */
  cost: number;
  blockSize: number;
  parallelism: number;
}

const COST = 16_384;
const BLOCK_SIZE = 8;
const PARALLELISM = 1;
const KEY_LENGTH = 32;

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const factors = { cost: COST, blockSize: BLOCK_SIZE, parallelism: PARALLELISM };
  const key = await derive(password, salt, factors);
  return { salt: salt.toString('base64'), hash: key.toString('base64'), ...factors };
}

export async function isPassword(password: string, stored: PasswordHash): Promise<boolean> {
  const expected = Buffer.from(stored.hash, 'base64');
  const found = await derive(password, Buffer.from(stored.salt, 'base64'), stored);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** Takes as long as a real check: the time of an answer must not reveal whether a user exists. */
export async function spendPasswordCheck(password: string): Promise<void> {
  await derive(password, Buffer.alloc(16), { cost: COST, blockSize: BLOCK_SIZE, parallelism: PARALLELISM });
}

type Factors = Pick<PasswordHash, 'cost' | 'blockSize' | 'parallelism'>;

function derive(password: string, salt: Buffer, { cost, blockSize, parallelism }: Factors): Promise<Buffer> {
  const options = { N: cost, r: blockSize, p: parallelism, maxmem: 256 * cost * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_LENGTH, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
