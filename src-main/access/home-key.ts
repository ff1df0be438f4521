/**
 * The key with which processes of one WINNOW_HOME call each other: it is in a file that only the owner of that directory can
 * read, and is valid for the life of one service. A process that can read it could change the users too, so it has the
 * rights of an operator.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { BasicAuthentication, Identification } from './basic-authentication.ts';

const KEY_BYTES = 32;
const SCHEME = 'Bearer ';

export function newHomeKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/** A value of the header Authorization. */
export function homeAuthorization(key: string): string {
  return `${SCHEME}${key}`;
}

/** Accepts the users, and any caller with the key. */
export function withHomeKey(
  users: Pick<BasicAuthentication, 'identify'>,
  key: string
): Pick<BasicAuthentication, 'identify'> {
  const wanted = Buffer.from(homeAuthorization(key));
  return {
    identify: (authorization, address): Promise<Identification> => {
      const given = Buffer.from(authorization ?? '');
      const isKey = given.length === wanted.length && timingSafeEqual(given, wanted);
      if (!isKey) return users.identify(authorization, address);
      return Promise.resolve({ kind: 'user', caller: { name: 'this home', roles: ['$ops'] } });
    }
  };
}
