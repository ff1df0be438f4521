/**
 * Paths that are longer than SQLite or the system takes: a command does what it can there, says what it cannot, and takes
 * nothing that it could not read for damage.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runWinnow, type Finished } from './run-winnow.ts';

/** Of a path, on Linux. */
const PATH_MAX = 4096;
const NAME = 'n'.repeat(250);
const STATE_PATH_MAX = 504;
/** For the names in a database. */
const ROOM = 60;

let place = '';
beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'winnow-long-paths-'));
});
afterAll(() => {
  // Below it paths are longer than what Node removes.
  execFileSync('rm', ['-rf', place]);
  removeUnpacked();
});

/** The path of `bytes` of a directory that is not there yet; the one above it is. */
function pathOf(bytes: number): string {
  let above = place;
  while (bytes - above.length > NAME.length + 2) above = path.join(above, NAME);
  mkdirSync(above, { recursive: true });
  return path.join(above, 'd'.repeat(bytes - above.length - 1));
}

const run = (...words: string[]): Promise<Finished> =>
  runWinnow([...words, '--quiet'], { deadlineMs: 60_000 });

describe.runIf(process.platform === 'linux')('a database in a path', () => {
  it('that SQLite does not take: its scavenge state is not checked, not called damaged, and not moved away', async () => {
    const short = unpackDatabase({ name: 'rules', folder: 'before' });
    expect((await run('scavenge', short, '--single-node', '--yes')).exitCode).toBe(0);
    const database = pathOf(STATE_PATH_MAX);
    cpSync(short, database, { recursive: true });
    const state = path.join(database, 'index', 'scavenging', 'scavenging.db');
    const reason = `The path of the scavenge state ${state} is too long: ${state.length} bytes, and SQLite takes 504.`;
    for (const words of [['verify'], ['doctor', '--thorough'], ['repair', '--dry-run']]) {
      const { exitCode, stdout, stderr } = await run(...words, database);
      expect({ words, exitCode, stdout, stderr }).toMatchObject({ words, exitCode: 0 });
      expect(stdout).not.toMatch(/stateInvalid|moved away/);
      if (words[0] !== 'repair') expect(stdout).toContain(`the scavenge state: ${reason}`);
    }
    const { exitCode, stderr } = await run('scavenge', database, '--single-node', '--yes');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 15 });
    expect(stderr).toContain(reason);
  });

  it('that leaves no room for the names below it: what would be written there is refused by its name, and the old index stays', async () => {
    const short = unpackDatabase({ name: 'tables', folder: 'before' });
    // The longest name of this database has room; that of a new index map does not.
    const database = pathOf(PATH_MAX - 1 - ROOM);
    execFileSync('cp', ['-r', short, database]);
    expect((await run('verify', database)).exitCode).toBe(0);
    for (const words of [
      ['index', 'rebuild', database, '--yes'],
      ['backup', 'create', short, '--to', `${database}-${'x'.repeat(20)}`, '--yes']
    ]) {
      const { exitCode, stderr } = await run(...words);
      expect({ words: words.slice(0, 2), exitCode, stderr }).toMatchObject({ exitCode: 15 });
      expect(stderr).toMatch(
        /ENAMETOOLONG[^]*longer than this volume or the system takes. Use a shorter one/
      );
      expect(stderr).not.toMatch(/\n {4}at /);
    }
    const { exitCode, stdout } = await run('verify', database);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  });
});
