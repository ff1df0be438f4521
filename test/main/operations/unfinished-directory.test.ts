/** A directory that a restore or an undo left half way: whatever is read of it says so, once. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { runWinnow } from '../cli/run-winnow.ts';
import { testingContext } from '../../support/testing-context.ts';

afterEach(removeUnpacked);

const RESTORE = ['winnow-restore.json', '{"phase":"movingIn","backup":"/backups@1"}'] as const;
const UNDO = ['winnow-undo.json', '{}'] as const;

function withMarker([name, content]: readonly [string, string]): string {
  const dataDirectory = unpackDatabase({ name: 'transactions', folder: 'before' });
  fs.writeFileSync(path.join(dataDirectory, name), content);
  return dataDirectory;
}

it.each([
  [
    'a restore',
    RESTORE,
    /^A restore of \/backups@1 into .* is unfinished: what is read here may be of two databases/
  ],
  ['an undo', UNDO, /^Undoing a scavenge of .* is unfinished: what is read here may be of two databases/]
])('%s is told by each list', async (_, marker, words) => {
  const dataDirectory = withMarker(marker);
  for (const name of ['listChunks', 'readStreamsPage', 'inspectIndex'] as const) {
    const said: string[] = [];
    const context = testingContext(name, { dataDirectory, onLog: ({ message }) => said.push(message) });
    const request = requests[name].parse({ dataDirectory });
    await runReportOperation(name, request, context);
    expect(
      said.filter((line) => words.test(line)),
      name
    ).toHaveLength(1);
  }
});

it('a restore that has not moved anything yet, or nothing more, is no matter of what is read', async () => {
  for (const phase of ['copying', 'preparing', 'finishing']) {
    const dataDirectory = withMarker([RESTORE[0], JSON.stringify({ phase, backup: '/backups@1' })]);
    const { exitCode, stderr } = await runWinnow(['streams', dataDirectory]);
    expect({ exitCode, stderr }, phase).toEqual({ exitCode: 0, stderr: '' });
  }
});

it('the command says so beside an answer that may be empty', async () => {
  const dataDirectory = withMarker(RESTORE);
  const { exitCode, stderr } = await runWinnow(['streams', dataDirectory]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('is unfinished: what is read here may be of two databases, or missing.');
});
