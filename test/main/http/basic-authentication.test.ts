/** How many passwords may be tried, however they arrive. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BasicAuthentication } from '../../../src-main/access/basic-authentication.ts';
import { UserStore } from '../../../src-main/access/user-store.ts';
import { basic } from './running-server.ts';

const ATTEMPTS = 10;
const PASSWORD = 'correct horse';
let directory: string;
let users: UserStore;
let nowMs: number;
let door: BasicAuthentication;
beforeEach(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-authentication-'));
  users = new UserStore(path.join(directory, 'users.json'));
  await users.add('ops', ['$ops'], PASSWORD);
  nowMs = 0;
  door = new BasicAuthentication(users, () => nowMs);
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

async function kindsOf(headers: string[], address = 'here'): Promise<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const { kind } of await Promise.all(headers.map((header) => door.identify(header, address)))) {
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

it('of many wrong passwords at once no more are looked at than of as many in turn', async () => {
  const guesses = Array.from({ length: 95 }, (_, index) => basic('ops', `guess ${index}`));
  expect(await kindsOf(guesses.slice(0, 60))).toEqual({ wrong: ATTEMPTS, throttled: 50 });
  expect(await kindsOf(guesses.slice(60))).toEqual({ throttled: 35 });
  nowMs += 60_000;
  expect(await kindsOf(guesses)).toMatchObject({ wrong: ATTEMPTS });
});

it('the right password among the guesses beyond the bound is not told from a wrong one', async () => {
  const guesses = Array.from({ length: 40 }, (_, index) => basic('ops', `guess ${index}`));
  const answers = await Promise.all(
    [...guesses, basic('ops', PASSWORD)].map((one) => door.identify(one, 'here'))
  );
  expect(answers.at(-1)?.kind).toBe('throttled');
});

it('a right password does not count, however often it comes at once', async () => {
  const right = Array.from({ length: 50 }, () => basic('ops', PASSWORD));
  expect(await kindsOf(right)).toEqual({ user: 50 });
  await users.add('joe', [], PASSWORD);
  expect(await kindsOf([basic('joe', PASSWORD)])).toEqual({ user: 1 });
  expect(await kindsOf(Array.from({ length: 12 }, (_, index) => basic('ops', `guess ${index}`)))).toEqual({
    wrong: ATTEMPTS,
    throttled: 2
  });
});

it('who guesses makes only the own address wait', async () => {
  const guesses = Array.from({ length: 12 }, (_, index) => basic('ops', `guess ${index}`));
  await kindsOf(guesses);
  expect(await kindsOf([basic('ops', PASSWORD)])).toEqual({ throttled: 1 });
  expect(await kindsOf([basic('ops', PASSWORD)], 'elsewhere')).toEqual({ user: 1 });
});
