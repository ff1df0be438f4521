/** A directory that is registered as a member of a cluster, where a scavenge by itself would write a point to its log. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { jsonOf, runWinnow, type Finished } from '../cli/run-winnow.ts';

let home: string;
let member: string;

beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-member-'));
  member = unpackDatabase({ name: 'rules', folder: 'before' });
  const other = unpackDatabase({ name: 'rules', folder: 'before' });
  await winnow('cluster', 'register', 'trio', member, other, '--yes');
});
afterAll(() => {
  removeUnpacked();
  fs.rmSync(home, { recursive: true, force: true });
});

function winnow(...words: string[]): Promise<Finished> {
  return runWinnow(words, { environment: { WINNOW_HOME: home } });
}

describe('winnow scavenge of a registered member', () => {
  it.each([[['--threshold', '0']], [['--single-node']]])(
    'with %j is refused with the name of the cluster and what to do',
    async (options) => {
      const refused = await winnow('scavenge', member, ...options, '--yes', '--json');
      expect(refused.exitCode).toBe(2);
      const { error } = jsonOf(refused) as { error: { message: string; remedy: string } };
      expect(error.message).toContain('the cluster "trio"');
      expect(error.remedy).toContain('winnow cluster scavenge trio');
      expect(error.remedy).toContain('detached');
    }
  );
});

describe('winnow user add', () => {
  it('takes the roles as the server writes them', async () => {
    const roles = ['$ops', '$admins', '$admin', 'ops'].flatMap((role) => ['--role', role]);
    expect((await winnow('user', 'add', 'alice', ...roles, '--dry-run')).exitCode).toBe(0);
  });

  it('names the roles there are for any other word', async () => {
    const refused = await winnow('user', 'add', 'alice', '--role', '$root', '--dry-run');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('ops ($ops), admin ($admins) or none');
  });
});
