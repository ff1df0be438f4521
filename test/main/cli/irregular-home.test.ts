/**
 * Pipes, devices, directories and links to nothing in the place of every file of WINNOW_HOME, through the real command: none
 * hangs, none has an error of its own, nothing is written where a link leads. What is kept for speed only is made again in its
 * place.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { putIrregular, type IrregularKind } from '../../support/irregular-file.ts';
import { runWinnow, type Finished } from './run-winnow.ts';

const DEADLINE_MS = 60_000;
/** Commands at a time. */
const BESIDE = 3;
/** Of a home that has more than these runs have made. */
const OTHER_FILES = [
  ...['clusters.json', 'clusters.json.lock', 'nodes.json', 'nodes.json.lock', 'users.json', 'licence.json'],
  ...[
    'window.json',
    'health/nodes.json',
    'clusters/live/auto-scavenge.jsonl',
    'clusters/live/coordinator.lock'
  ]
];
const KINDS = ['/dev/zero', 'a directory', 'a link to nothing', '/dev/full'] as const;
type Kind = (typeof KINDS)[number] | 'a named pipe';

let scratch: string;
let database: string;
/** Below a home. */
let files: string[];

const commandsOf = (): string[][] => [
  ['inspect', database],
  ['verify', database],
  ['streams', database],
  ['usage', database],
  ['thresholds', database],
  ['forecast', database],
  ['history', database],
  ['plan', database, '--single-node'],
  ['doctor', database],
  ['repair', database, '--dry-run'],
  ['erasure', database, '--stream', 'some-stream'],
  ['config', database],
  ['backup', 'create', database, '--to', 'TARGET', '--yes'],
  ['activity'],
  ['support-log'],
  ['fleet'],
  ['cluster', 'list'],
  ['user', 'list']
];

const run = (words: string[], home: string): Promise<Finished> =>
  runWinnow(words, { deadlineMs: DEADLINE_MS, environment: { WINNOW_HOME: home } });

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'winnow-home-'));
  database = unpackDatabase({ name: 'rules', folder: 'before' });
  const home = path.join(scratch, 'home');
  for (const words of commandsOf().slice(1, 6)) await run(words, home);
  const made = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('code-cache'))
    .map(({ parentPath, name }) => path.relative(home, path.join(parentPath, name)));
  files = [...new Set([...made, ...OTHER_FILES])];
}, 4 * DEADLINE_MS);
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  removeUnpacked();
});

async function homeOf(kind: Kind, name: string): Promise<{ home: string; outside: string }> {
  const home = path.join(scratch, name);
  const outside = path.join(scratch, `${name}-outside`);
  for (const below of files) {
    const file = path.join(home, below);
    mkdirSync(path.dirname(file), { recursive: true });
    if (kind === 'a link to nothing') symlinkSync(outside, file);
    else await putIrregular(file, kind satisfies IrregularKind);
  }
  return { home, outside };
}

async function fault(words: string[], kind: Kind, name: string): Promise<string | undefined> {
  const { home, outside } = await homeOf(kind, name);
  const target = path.join(scratch, `${name}-backups`);
  const { exitCode, stderr } = await run(
    words.map((word) => word.replace('TARGET', target)),
    home
  );
  const what = `${words[0]} ${words[1] ?? ''}, ${kind}`;
  rmSync(home, { recursive: true, force: true });
  if (exitCode === null) return `${what}: does not end`;
  if (exitCode === 70 || /\n\s+at .*:\d+/.test(stderr)) return `${what}: ${stderr}`;
  // Refused with the name of a file, or answered as if it were not there.
  if (exitCode === 2 && !stderr.includes(home)) return `${what}: names no file: ${stderr}`;
  if (![0, 1, 2, 15].includes(exitCode)) return `${what}: exit code ${exitCode}: ${stderr}`;
  return existsSync(outside) ? `${what}: wrote where the link leads` : undefined;
}

describe.runIf(process.platform === 'linux')('a home without one regular file', () => {
  it('lets every command end, with an answer or with the name of what is no file', async () => {
    expect(files.filter((name) => /^(digests|health|proofs)\//.test(name)).length).toBeGreaterThan(4);
    const left = commandsOf().flatMap((words, at): [string[], Kind][] => [
      [words, 'a named pipe'],
      ...(at % 2 === 0 ? [[words, KINDS[(at / 2) % KINDS.length]!] satisfies [string[], Kind]] : [])
    ]);
    const faults: string[] = [];
    let count = 0;
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) {
        const found = await fault(next[0], next[1], `h${count++}`);
        if (found !== undefined) faults.push(found);
      }
    };
    await Promise.all(Array.from({ length: BESIDE }, work));
    expect(count).toBe(1.5 * commandsOf().length);
    expect(faults).toEqual([]);
  }, 600_000);
});
