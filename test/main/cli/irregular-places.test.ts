/**
 * Pipes, sockets, devices, directories, links that lead nowhere and files without rights at every place where a file of a node or
 * of a backup is expected, under the commands that read it, through the real command: each ends, names the place or answers, has
 * no error of its own, and leaves everything as it was.
 * A fifth of all pairs of place and command, the kinds in turns; all of them with WINNOW_PLACES=all.
 */
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync
} from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { PLACE_KINDS, putInPlace, type PlaceKind } from '../../support/irregular-file.ts';
import { runWinnow } from './run-winnow.ts';

const DEADLINE_MS = 120_000;
/** Commands at a time. */
const BESIDE = 3;
const SHARE = process.env['WINNOW_PLACES'] === 'all' ? 1 : 5;
const NOBODY = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const KINDS = PLACE_KINDS.filter((kind) => isRoot || kind !== 'a file without rights');

/** What differs from one command to the next: a directory of its own, in which the case lies. */
interface Case {
  readonly words: readonly string[];
  readonly place: string;
  readonly kind: PlaceKind;
}

let scratch: string;
let database: string;
let table: string;
let target: string;
let backup: string;
let stream: string;
const TABLE = /[0-9a-f]{8}-[0-9a-f-]{27}/;

const DATABASE_PLACES = (): string[] => [
  'chunk-000000.000000',
  'chunk-000006.000000',
  ...['writer.chk', 'chaser.chk', 'epoch.chk', 'truncate.chk', 'proposal.chk', 'tag.chk'],
  ...['index/indexmap', `index/${table}`, `index/${table}.bloomfilter`],
  'index/scavenging/scavenging.db',
  ...['index/stream-existence/streamExistenceFilter.chk', 'index/stream-existence/streamExistenceFilter.dat'],
  'winnow-restore.json'
];
const DATABASE_COMMANDS = [
  'inspect DB',
  'chunks DB',
  'records DB',
  'streams DB',
  'read DB STREAM',
  'index DB',
  'index entries DB',
  'verify DB',
  'usage DB',
  'thresholds DB',
  'forecast DB',
  'plan DB --single-node',
  'erasure DB --stream some-stream',
  'history DB',
  'doctor DB',
  'startup DB',
  'repair DB --dry-run',
  'repair DB --yes',
  'scavenge DB --yes --scavenge-point existing',
  'rescue DB --yes',
  'index rebuild DB --yes',
  'backup create DB --to OUT/backups --yes',
  'extract DB --to OUT/events.jsonl',
  'diff DB OTHER',
  'restore --to DB --undo --yes'
].map((line) => line.split(' '));

const BACKUP_PLACES = [
  'manifest.json',
  'signature.json',
  'data/chunk-000000.000000',
  'data/writer.chk',
  'index/indexmap'
];
const BACKUP_COMMANDS = [
  'backup list DB',
  'backup verify DB@ID',
  'backup verify DB@ID --verify-key PUBLIC',
  'backup prune DB --keep-last 1 --yes',
  'backup create OTHER --to DB --yes --mode differential --moved',
  'backup scavenge DB --backup ID --yes',
  'backup rehearse DB@ID --scratch OUT/rehearsal',
  'restore DB@ID --to OUT/restored --yes',
  'restore DB@ID --to OUT/restored --yes --verify-key PUBLIC',
  'extract DB@ID --to OUT/events.jsonl',
  'diff OTHER DB@ID',
  'erasure OTHER --stream some-stream --backup DB'
].map((line) => line.split(' '));

/** Files that a command is told to read: their place is a file of its own. */
const KEY_COMMANDS = [
  'backup verify DB@ID --verify-key KEY',
  'backup create OTHER --to OUT/signed --sign-key KEY --yes',
  'backup create OTHER --to OUT/encrypted --key-file KEY --yes',
  'restore DB@ID --to OUT/restored --yes --key-file KEY',
  'backup rekey DB --new-keys KEY --yes',
  'erasure OTHER --stream some-stream --backup DB --key-file KEY',
  'inspect --config KEY',
  'plan --config KEY'
].map((line) => line.split(' '));

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'winnow-places-'));
  chmodSync(scratch, 0o755);
  database = unpackDatabase({ name: 'tables', folder: 'before' });
  table = TABLE.exec(readFileSync(path.join(database, 'index/indexmap'), 'latin1'))![0];
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = path.join(scratch, 'sign.pem');
  writeFileSync(secret, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(path.join(scratch, 'sign.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  target = path.join(scratch, 'target');
  const words = ['backup', 'create', database, '--to', target, '--sign-key', secret, '--yes'];
  const { exitCode, stderr } = await runWinnow(words, { deadlineMs: DEADLINE_MS });
  expect(exitCode, stderr).toBe(0);
  const streams = await runWinnow(['streams', database, '--json'], { deadlineMs: DEADLINE_MS });
  const names = streams.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { stream: string }).stream);
  stream = names.find((name) => !name.startsWith('$'))!;
  backup = readdirSync(target).find((name) => existsSync(path.join(target, name, 'manifest.json')))!;
}, DEADLINE_MS);
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  removeUnpacked();
});

/** Each thing below a directory, with its rights, and of what is no directory its size and time; links as they are. */
function contentOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const facts = lstatSync(path.join(directory, name));
      const { size, mtimeMs, mode, ino } = facts;
      return `${name} ${ino} ${mode} ${facts.isDirectory() ? '' : `${size} ${mtimeMs}`}`;
    })
    .sort();
}

/** What a command may add to a target though it fails: a backup that the next run resumes, and what a check found. */
const mayBeAdded = (words: readonly string[], line: string): boolean =>
  (words[0] === 'backup' && words[1] === 'create') || line.includes('/results.json ');

function giveToNobody(directory: string): void {
  for (const name of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
    chownSync(path.join(directory, name), NOBODY.uid, NOBODY.gid);
  }
}

/** What is wrong with how a command met the place; undefined when nothing is. */
async function fault(
  { words, place, kind }: Case,
  original: string,
  name: string
): Promise<string | undefined> {
  const own = path.join(scratch, name);
  const [subject, other, out, home] = ['subject', 'other', 'out', 'home'].map((part) => path.join(own, part));
  mkdirSync(out!, { recursive: true });
  mkdirSync(home!);
  cpSync(original, subject!, { recursive: true });
  if (words.some((word) => word.includes('OTHER'))) cpSync(database, other!, { recursive: true });
  const isNobody = kind === 'a file without rights';
  if (isNobody) giveToNobody(own);
  const file = path.join(subject!, place);
  const nothing = path.join(own, 'nothing');
  await putInPlace(file, kind, nothing);
  const before = contentOf(subject!);
  const { exitCode, stdout, stderr } = await runWinnow(
    words.map((word) =>
      word
        .replace('DB', subject!)
        .replace('OTHER', other!)
        .replace('OUT', out!)
        .replace('ID', backup)
        .replace('KEY', file)
        .replace('STREAM', stream)
        .replace('PUBLIC', path.join(scratch, 'sign.pub'))
    ),
    {
      deadlineMs: DEADLINE_MS,
      environment: { WINNOW_HOME: home, HOME: home, TMPDIR: out },
      ...(isNobody ? { user: NOBODY } : {})
    }
  );
  const said = `${stdout}\n${stderr}`;
  const what = `${words.join(' ')}, ${place}: ${kind}, exit code ${exitCode}`;
  const after = contentOf(subject!);
  const changed = [
    ...before.filter((line) => !after.includes(line)),
    ...after.filter((line) => !before.includes(line) && !mayBeAdded(words, line))
  ];
  const isWritten = existsSync(nothing);
  rmSync(own, { recursive: true, force: true });
  if (exitCode === null) return `${what}: does not end`;
  if (exitCode === 70 || /Internal error|\n\s+at .*:\d+/.test(said)) return `${what}: ${stderr}`;
  if (isWritten) return `${what}: wrote where the link leads`;
  // What counts as missing may be told in other words: a link to nothing, and a directory.
  const isMissing = kind === 'a link to nothing' || kind === 'a directory';
  if (exitCode !== 0 && !isMissing && !said.includes(path.basename(place)))
    return `${what}: does not name it: ${said.slice(0, 600)}`;
  if (exitCode > 1 && changed.length > 0)
    return `${what}: changed ${changed.join(', ')}: ${stderr.slice(0, 600)}`;
  return undefined;
}

/** Of the pairs of place and command a share, each with a kind in its turn. */
function casesOf(commands: readonly string[][], places: readonly string[]): Case[] {
  return places.flatMap((place, row) =>
    commands
      .map((words, column) => ({
        words,
        place,
        kind: KINDS[(row + 3 * column) % KINDS.length]!,
        turn: row + column
      }))
      .filter(({ turn }) => turn % SHARE === 0)
      // An undo reads only what says that a restore is unfinished.
      .filter(({ words }) => !words.includes('--undo') || place === 'winnow-restore.json')
  );
}

async function faultsOf(cases: Case[], original: string, name: string): Promise<string[]> {
  const faults: string[] = [];
  let count = 0;
  // So many as make each kind come up.
  expect(cases.length).toBeGreaterThanOrEqual(KINDS.length);
  const work = async (): Promise<void> => {
    for (let next = cases.shift(); next; next = cases.shift()) {
      const found = await fault(next, original, `${name}${count++}`);
      if (found !== undefined) faults.push(found);
    }
  };
  await Promise.all(Array.from({ length: BESIDE }, work));
  return faults;
}

describe.runIf(process.platform === 'linux')('what is no file that can be read', () => {
  it('in a database: every command ends, names it, and changes nothing', async () => {
    expect(await faultsOf(casesOf(DATABASE_COMMANDS, DATABASE_PLACES()), database, 'd')).toEqual([]);
  }, 1_800_000);

  it('in a backup: every command ends, names it, and changes nothing', async () => {
    const places = BACKUP_PLACES.map((place) => path.join(backup, place));
    expect(await faultsOf(casesOf(BACKUP_COMMANDS, places), target, 'b')).toEqual([]);
  }, 1_800_000);

  it('as a key or a configuration: every command ends, names it, and changes nothing', async () => {
    const cases = KEY_COMMANDS.flatMap((words, row): Case[] =>
      KINDS.filter((_, turn) => (row + turn) % SHARE === 0).map((kind) => ({ words, place: 'a.key', kind }))
    );
    expect(await faultsOf(cases, target, 'k')).toEqual([]);
  }, 1_800_000);
});
