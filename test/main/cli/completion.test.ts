/** Completion of names: what `winnow complete` answers, and what a real shell offers with our script. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COMMAND_LINE } from '../../support/command-line.ts';
import { runWinnow } from './run-winnow.ts';

let directory: string;
let sample: string;
let environment: Record<string, string>;
beforeAll(async () => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-completion-'));
  sample = path.join(directory, 'sample');
  environment = { WINNOW_HOME: path.join(directory, 'home') };
  await runWinnow(['sample', sample, '--size', '200KiB', '--chunk-size', '64KiB', '--yes'], { environment });
  for (const name of ['north', 'south']) {
    const node = path.join(directory, name);
    fs.cpSync(sample, node, { recursive: true });
    const made = await runWinnow(['cluster', 'register', name, node, '--yes'], { environment });
    expect(made, made.stderr).toMatchObject({ exitCode: 0 });
  }
});
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

const complete = async (...words: string[]): Promise<string[]> => {
  const { exitCode, stdout, stderr } = await runWinnow(['complete', ...words], { environment });
  expect(exitCode, stderr).toBe(0);
  return stdout.split('\n').filter((name) => name !== '');
};

describe('winnow complete', () => {
  it('knows the clusters by their first letters', async () => {
    expect(await complete('cluster')).toEqual(['north', 'south']);
    expect(await complete('cluster', 's')).toEqual(['south']);
  });

  it('knows the streams of the database that the words name, quoted or not', async () => {
    // A shell is not kept waiting: on a busy machine nothing is offered in time, until the list of streams is known.
    const all = await vi.waitFor(
      async () => {
        const offered = await complete('stream', 'order-', '--', 'winnow', 'read', sample);
        expect(offered.length).toBeGreaterThan(1);
        return offered;
      },
      { timeout: 60_000, interval: 10 }
    );
    expect(all.every((name) => name.startsWith('order-'))).toBe(true);
    expect(await complete('stream', "'order-", '--', 'winnow', 'read', sample)).toEqual(all);
    expect(await complete('stream', String.raw`order\-`, '--', 'winnow', 'read', sample)).toEqual(all);
  });

  it('offers nothing where there is nothing to offer', async () => {
    expect(await complete('stream', 'order-')).toEqual([]);
    expect(await complete('stream', 'order-', '--', 'winnow', 'read', directory)).toEqual([]);
    expect(await complete('stream', 'x', '--', 'winnow', 'read', '--config', 'nowhere.yaml')).toEqual([]);
  });
});

describe('bash', () => {
  /** What it offers for the last of these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const { stdout: script } = await runWinnow(['completion', 'bash']);
    const run = [
      `winnow() { "${process.execPath}" "${COMMAND_LINE}" "$@"; }`,
      script,
      'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _winnow; printf "%s\\n" "${COMPREPLY[@]}"'
    ].join('\n');
    const { status, stdout, stderr } = spawnSync('bash', ['-c', run, 'bash', ...words], {
      encoding: 'utf8',
      env: { ...process.env, ...environment }
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return stdout.split('\n').filter((name) => name !== '');
  }

  it('offers clusters, streams and options', async () => {
    expect(await offered('winnow', 'cluster', 'status', 'n')).toEqual(['north']);
    const streams = await offered('winnow', 'read', sample, '$');
    expect(streams.length).toBeGreaterThan(0);
    expect(streams.every((name) => name.startsWith('$'))).toBe(true);
    expect(await offered('winnow', 'explain', sample, '--stream', 'order-')).toEqual(
      await complete('stream', 'order-', '--', 'winnow', 'explain', sample)
    );
    expect(await offered('winnow', 'scavenge', '--scavenge-point', 'd')).toEqual(['detached']);
  });
});
