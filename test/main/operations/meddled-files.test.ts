/**
 * Whatever another process does to the files of a database while an operation is at work on them, the operation ends, well or
 * with an error that names what is wrong: never with a fault of ours, and with every file closed. The chunks that nobody
 * touched are all there and whole afterwards, the old ones or the new. So it is where the operation is stopped there.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  EngineError,
  NodeFileSystem,
  OperationControl,
  OperationStopped,
  uncontrolled
} from '../../../src-core/index.ts';
import { decodeChunkFileName } from '../../../src-core/chunks/chunk-file-name.ts';
import { CHUNK_HEADER_LENGTH, decodeChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import { examineChunk } from '../../../src-core/repair/examine-chunk.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import type { OperationContext } from '../../../src-main/operations/operation.ts';
import {
  isStreamOperation,
  runReportOperation,
  runStreamOperation
} from '../../../src-main/operations/operation-table.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { unpackDatabase, removeUnpacked } from '../../support/golden.ts';
import { looksWith, type Look } from '../../support/looks.ts';
import { meddle, type Meddling } from '../../support/meddling.ts';
import { Prng } from '../../support/prng.ts';
import { recordCampaign } from '../../support/proof-record.ts';
import { seedList } from '../../support/seeds.ts';
import { Strike } from '../../support/struck-file-system.ts';

const CLOCK_MS = Date.UTC(2026, 10, 21, 12);
const NOW = '2026-11-21T12:00:00Z';
const SEEDS = seedList(1);
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-meddled-'));
afterAll(() => {
  fs.rmSync(root, { recursive: true, force: true });
  removeUnpacked();
});

/** Below the directory of a case: the database `db`, our own data `home`, backups in `backups`. */
type Question = [name: string, before: (at: Places) => Look[], asked: (at: Places) => Look];

interface Places {
  db: string;
  home: string;
  backups: string;
  to: string;
}

const backup = ({ db, backups }: Places): Look => [
  'createBackup',
  { dataDirectory: db, target: backups, threads: 1 }
];
const scavenge = ({ home }: Places, more: object = {}): Look => [
  'runScavenge',
  { scavengePoint: 'detached', now: NOW, threads: 1, winnowHome: home, ...more }
];
const none = (): Look[] => [];
const SAMPLE: Look = [
  'writeSample',
  { sizeBytes: 260_000, chunkSizeBytes: 65_536, now: '2026-01-01T00:00:00Z' }
];

const WRITING: Question[] = [
  ['a scavenge', none, (at) => scavenge(at)],
  ['a scavenge with a new point', none, (at) => scavenge(at, { scavengePoint: 'new' })],
  ['a second scavenge', (at) => [scavenge(at)], (at) => scavenge(at, { startAfresh: true })],
  ['a scavenge that keeps what it replaces', none, (at) => scavenge(at, { keepReplacedMs: 9e8 })],
  [
    'an undo',
    (at) => [scavenge(at, { keepReplacedMs: 9e8 })],
    ({ home }) => ['undoScavenge', { winnowHome: home }]
  ],
  ['what was kept is removed', (at) => [scavenge(at, { keepReplacedMs: 9e8 })], () => ['forgetReplaced', {}]],
  ['a rescue', none, ({ home }) => ['runRescue', { scavengePoint: 'detached', winnowHome: home }]],
  ['an index rebuild', none, () => ['rebuildIndex', {}]],
  ['a prepared start', none, () => ['prepareStartup', {}]],
  ['a repair', none, ({ home }) => ['repairDatabase', { winnowHome: home }]],
  [
    'a repair from a backup',
    (at) => [backup(at)],
    ({ home, backups }) => [
      'repairDatabase',
      { winnowHome: home, acceptLoss: true, fromBackup: { target: backups } }
    ]
  ],
  [
    'a redaction',
    none,
    () => ['redactEvents', { events: [0, 1, 2, 3].map((number) => ({ stream: 'order-000001', number })) }]
  ],
  ['a backup', none, backup],
  ['a second backup', (at) => [backup(at), scavenge(at)], backup],
  ['a check of backups', (at) => [backup(at)], ({ backups }) => ['verifyAllBackups', { target: backups }]],
  ['a list of backups', (at) => [backup(at)], ({ backups }) => ['listBackups', { target: backups }]],
  [
    'a restore',
    (at) => [backup(at)],
    ({ to, backups }) => ['runRestore', { dataDirectory: to, target: backups, applyTruncation: true }]
  ],
  ['a restore over a database', (at) => [backup(at)], ({ backups }) => ['runRestore', { target: backups }]],
  [
    'a rehearsal',
    (at) => [backup(at)],
    ({ backups, to }) => ['rehearseBackup', { target: backups, scratchDirectory: path.dirname(to) }]
  ],
  [
    'an export',
    none,
    ({ to, home }) => [
      'exportDatabase',
      { toDatabase: to, categories: ['order'], chunkSizeBytes: 65_536, winnowHome: home, check: true }
    ]
  ],
  [
    'an extraction',
    none,
    ({ to, home }) => ['extractEvents', { to: `${to}/`, partBytes: 9_000, format: 'csv', winnowHome: home }]
  ],
  ['a bundle', none, ({ to }) => ['runBundle', { to, packFile: `${to}.winnow` }]],
  [
    'an unpacking',
    ({ to }) => [['runBundle', { packFile: `${to}.winnow` }]],
    ({ to }) => ['unpackBundle', { packFile: `${to}.winnow`, to }]
  ],
  ['a survey of usage', none, ({ home }) => ['surveyUsage', { winnowHome: home }]],
  ['a comparison of thresholds', none, ({ home }) => ['compareThresholds', { winnowHome: home }]],
  ['a forecast of growth', none, ({ home }) => ['forecastGrowth', { winnowHome: home }]],
  [
    'an erasure report',
    (at) => [backup(at)],
    ({ home, backups }) => [
      'reportErasure',
      { streams: ['order-000001'], backupTargets: [{ target: backups }], winnowHome: home }
    ]
  ]
];

const LOOKING: Question[] = looksWith('').map(([operation, members], i) => [
  `${operation} ${JSON.stringify(members)}`,
  none,
  ({ home }) => looksWith(home)[i]!
]);

interface Asked {
  calls: number;
  error: unknown;
  openFiles: number;
}

/** Gives way wherever it may, and looks there whether it is to stop. */
function politeControl(signal?: AbortSignal): OperationControl {
  return new OperationControl({
    signal,
    elapsedMs: () => 0,
    yieldTurn: () => Promise.resolve(),
    rate: { owes: true, takeRest: () => 0 }
  });
}

async function ask(
  [operation, members]: Look,
  at: Places,
  strike: Strike,
  control = uncontrolled()
): Promise<Asked> {
  const fileSystem = new CountingFileSystem(strike.fileSystem());
  const others = 'others' in members ? { others: [{ dataDirectory: at.db }] } : {};
  const checked = requests[operation].safeParse({
    dataDirectory: at.db,
    ...members,
    ...others
  });
  expect(checked.error?.message, `the request of ${operation}`).toBeUndefined();
  const context: OperationContext = {
    fileSystem,
    control,
    clock: () => CLOCK_MS,
    log: () => undefined
  };
  let error: unknown;
  try {
    if (isStreamOperation(operation)) {
      for await (const rows of runStreamOperation(operation, checked.data, context))
        expect(rows).toBeDefined();
    } else await runReportOperation(operation, checked.data, context);
  } catch (thrown) {
    error = thrown;
  }
  return { calls: strike.calls, error, openFiles: fileSystem.openFiles };
}

function placesIn(directory: string): Places {
  const [db, home, backups, to] = ['db', 'home', 'backups', 'to'].map((name) => path.join(directory, name));
  return { db: db!, home: home!, backups: backups!, to: to! };
}

function fresh(source: string): string {
  const directory = fs.mkdtempSync(path.join(root, 'case-'));
  fs.cpSync(source, directory, { recursive: true });
  return directory;
}

/** Numbers of the chunks that a whole file holds, or of the one being written. */
async function chunksOf(path_: string): Promise<number[]> {
  const fileName = path.basename(path_);
  const name = decodeChunkFileName(fileName);
  if (!name || !fs.statSync(path_).isFile()) return [];
  const examined = await examineChunk({
    ...{ fileSystem: new NodeFileSystem(), path: path_, fileName },
    control: uncontrolled()
  });
  if (typeof examined === 'string') return examined.endsWith('is not completed') ? [name.chunkNumber] : [];
  return Array.from(
    { length: examined.endNumber - examined.startNumber + 1 },
    (_, i) => examined.startNumber + i
  );
}

/** Of a file that is about to be touched, as its header says; a new file that has no name yet may be any of them. */
function rangeOf(file: string): number[] {
  const isNew = file.endsWith('.tmp');
  const bytes = Buffer.alloc(CHUNK_HEADER_LENGTH);
  const descriptor = fs.openSync(file, 'r');
  fs.readSync(descriptor, bytes, 0, bytes.length, 0);
  fs.closeSync(descriptor);
  const header = decodeChunkHeader(bytes);
  if (typeof header === 'string') return isNew ? Array.from({ length: 99 }, (_, i) => i) : [];
  return Array.from({ length: header.endNumber - header.startNumber + 1 }, (_, i) => header.startNumber + i);
}

/** Of the database, wherever its files are while an operation exchanges them. */
async function wholeChunks(directory: string): Promise<Set<number>> {
  const found = new Set<number>();
  for (const file of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (/^(backups|to|home)/.test(file)) continue;
    for (const number of await chunksOf(path.join(directory, file))) found.add(number);
  }
  return found;
}

const never = (): Strike => new Strike(0, () => undefined);

/** Runs that were disturbed. */
let runs = 0;

it.each([...WRITING, ...LOOKING].map((question, i) => [...question, i] as const))(
  '%s',
  async (_name, before, asked, i) => {
    const first = fs.mkdtempSync(path.join(root, 'first-'));
    // A log with explicit transactions and without tables, or one with tables.
    const source = i % 2 === 0 ? { name: 'transactions', folder: 'before' } : undefined;
    if (source) fs.cpSync(unpackDatabase(source), path.join(first, 'db'), { recursive: true });
    else {
      expect((await ask(SAMPLE, placesIn(first), never())).error).toBeUndefined();
    }
    for (const place of ['home', 'backups']) fs.mkdirSync(path.join(first, place));
    // Paths are kept in what is prepared: it is prepared in place for each case.
    const prepared = async (): Promise<string> => {
      const directory = fresh(first);
      for (const step of before(placesIn(directory)))
        expect((await ask(step, placesIn(directory), never())).error).toBeUndefined();
      return directory;
    };
    const whole = await prepared();
    const { calls, error } = await ask(asked(placesIn(whole)), placesIn(whole), never());
    expect(error).toBeUndefined();
    for (const seed of SEEDS) {
      const prng = new Prng(seed * 1000 + i);
      const directory = await prepared();
      const there = await wholeChunks(directory);
      let what: Meddling | undefined;
      // Before the first of them: what it finds is damaged already.
      const at = prng.chance(0.3) ? 1 : 1 + prng.below(calls);
      const stopping = new AbortController();
      const isStopped = prng.chance(0.15);
      const strike = new Strike(at, () => {
        if (isStopped) return stopping.abort();
        what = meddle(directory, prng, (file) => {
          for (const number of rangeOf(file)) there.delete(number);
        });
      });
      const end = await ask(
        asked(placesIn(directory)),
        placesIn(directory),
        strike,
        politeControl(stopping.signal)
      );
      const label = `seed ${seed}, before call ${at} of ${calls}: ${isStopped ? 'stopped' : `${what?.file} ${what?.words}`}: ${String((end.error as Error | undefined)?.stack)}`;
      if (end.error instanceof EngineError) expect(end.error.code, label).not.toBe('AssertionFailed');
      else if (!(end.error instanceof OperationStopped)) expect(end.error, label).toBeUndefined();
      expect(end.openFiles, label).toBe(0);
      const left = await wholeChunks(directory);
      runs++;
      expect(
        [...there].filter((number) => !left.has(number)),
        `${label}: chunks that are gone`
      ).toEqual([]);
      fs.rmSync(directory, { recursive: true, force: true });
    }
  }
);

it.each<Look>([
  ['surveyUsage', {}],
  ['usageOfStreams', { streams: ['order-000001'] }],
  ['forecastGrowth', {}],
  ['planScavenge', { scavengePoint: 'detached' }]
])(
  '%s answers, and closes what it opened, where a directory is in the place of a filter',
  async (operation, members) => {
    const at = placesIn(fs.mkdtempSync(path.join(root, 'filter-')));
    expect((await ask(SAMPLE, at, never())).error).toBeUndefined();
    const index = path.join(at.db, 'index');
    for (const name of fs.readdirSync(index).filter((file) => file.endsWith('.bloomfilter'))) {
      fs.rmSync(path.join(index, name));
      fs.mkdirSync(path.join(index, name));
    }
    const { error, openFiles } = await ask([operation, { ...members, winnowHome: at.home }], at, never());
    expect(error).toBeUndefined();
    expect(openFiles).toBe(0);
  }
);

it('so often were files disturbed', () => {
  recordCampaign({
    name: 'operations, the files of which another process changes',
    promise: 'badMachine',
    operation: 'every operation of the engine',
    faults: 'a file removed, cut, enlarged, overwritten or replaced before a call',
    counts: { cases: runs },
    seed: 1
  });
});
