// What `npm run scale` measures: a database, a target or a home that is large in one way, and what is asked of it. Each
// subject lays down `count` things in a directory of its own; nothing of it is in the repository.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeBenchDatabase, writeManyChunks } from '../bench/scavenge-database.mjs';
import { writeRuns, writeRunsOfHome } from './write-runs.mjs';
import { writeBackups } from './write-backups.mjs';
import { writeEvents } from './write-events.mjs';

/** What is asked of every database by a command: its name, and its words. `DB`, `OUT`, `BACKUPS`: places. */
const LOOK = {
  inspect: ['inspect', 'DB'],
  chunks: ['chunks', 'DB'],
  doctor: ['doctor', 'DB'],
  plan: ['plan', 'DB', '--single-node'],
  'verify, quick': ['verify', 'DB', '--quick'],
  verify: ['verify', 'DB'],
  usage: ['usage', 'DB'],
  streams: ['streams', 'DB', '--limit', '100'],
  history: ['history', 'DB'],
  'backup create': ['backup', 'create', 'DB', '--to', 'BACKUPS', '--yes'],
  'index rebuild': ['index', 'rebuild', 'DB', '--yes'],
  scavenge: ['scavenge', 'DB', '--single-node', '--yes']
};
/** Without what writes each chunk again: ten thousand of them are flushed one by one, for most of an hour on a busy disk. */
const { scavenge: _scavenge, ...LOOK_AND_COPY } = LOOK;
const words = (...names) => Object.fromEntries(names.map((name) => [name, LOOK[name]]));

/** What the views of the window ask of the engine, by its operation. */
const VIEWS = {
  inspectDatabase: {},
  listChunks: {},
  readStreamsPage: {},
  surveyUsage: {},
  // Without a limit it is what `usage --json` answers, of a million streams a million rows: no view asks for these.
  readUsage: { top: 100 },
  listHistory: {},
  verifyDatabase: { quick: true },
  examineStart: {}
};
const views = (...names) => Object.fromEntries(names.map((name) => [name, VIEWS[name]]));

const MIB = 1024 * 1024;
const STEPS = [100_000, 1_000_000];

/** The same of everything but the number: fewer of them show how time and memory grow. */
const stepOf = (subject, count) => ({
  ...subject,
  ...{ name: `${subject.name}, ${count}`, count, isLong: false, isStep: true }
});

const STREAMS = {
  name: 'streams',
  title: 'streams',
  count: 10_000_000,
  smallCount: 20_000,
  isLong: true,
  prepare: ({ db, count }) =>
    writeBenchDatabase({ dataDirectory: db, sizeBytes: count * 200, streams: count }),
  commands: words('inspect', 'plan', 'verify', 'usage', 'streams', 'index rebuild', 'scavenge'),
  views: views('inspectDatabase', 'readStreamsPage', 'surveyUsage', 'readUsage'),
  bytesEach: 160,
  msEach: 0.03
};

const LONG_STREAM = {
  name: 'long stream',
  title: 'events in one stream',
  count: 20_000_000,
  smallCount: 40_000,
  isLong: true,
  prepare: ({ db, count }) => writeEvents({ dataDirectory: db, count, dataBytes: 20 }),
  commands: {
    ...words('inspect', 'plan', 'verify', 'usage', 'streams', 'index rebuild', 'scavenge'),
    'read, the newest': ['read', 'DB', 'stream-1', '--backward', '--limit', '20'],
    'read, from the middle': ['read', 'DB', 'stream-1', '--from', '1000', '--limit', '20']
  },
  views: {
    ...views('inspectDatabase', 'readStreamsPage', 'surveyUsage', 'readUsage'),
    readEventsPage: { stream: 'stream-1' },
    describeStream: { stream: 'stream-1' }
  },
  bytesEach: 40,
  msEach: 0.02
};

/**
 * `count`: as the page promises; `smallCount`: for a look in seconds. `isLong`: only with --long. `isStep`: not with
 * --small, where it would show nothing new. `bytesEach`: by how much
 * the memory of any of them may grow with each thing; `msEach`: processor time likewise.
 */
export const SUBJECTS = [
  {
    name: 'chunks',
    title: 'chunks of 16 KiB',
    count: 10_000,
    smallCount: 200,
    prepare: ({ db, count }) => writeManyChunks({ dataDirectory: db, chunks: count }),
    commands: LOOK_AND_COPY,
    views: views(...Object.keys(VIEWS)),
    bytesEach: 48 * 1024,
    msEach: 20
  },
  {
    name: 'chunks scavenged',
    title: 'chunks of 16 KiB, each written again by a scavenge',
    count: 10_000,
    smallCount: 200,
    isStep: true,
    prepare: ({ db, count }) => writeManyChunks({ dataDirectory: db, chunks: count }),
    commands: { scavenge: [...LOOK.scavenge, '--scavenge-point', 'new'] },
    views: {},
    bytesEach: 48 * 1024,
    msEach: 20
  },
  ...STEPS.map((count) => stepOf(STREAMS, count)),
  STREAMS,
  ...STEPS.map((count) => stepOf(LONG_STREAM, count)),
  LONG_STREAM,
  {
    name: 'large event',
    title: 'bytes in one event',
    count: 16 * MIB - 1024,
    smallCount: MIB,
    prepare: ({ db, count }) =>
      writeEvents({ dataDirectory: db, count: 1, dataBytes: count, chunkSizeBytes: 64 * MIB }),
    commands: {
      ...words('inspect', 'plan', 'verify', 'usage', 'streams', 'backup create', 'index rebuild', 'scavenge'),
      records: ['records', 'DB'],
      'read, with its data': ['read', 'DB', 'stream-1', '--data', 'utf8', '--json'],
      'read, in hexadecimal': ['read', 'DB', 'stream-1', '--data', 'hex', '--json'],
      extract: ['extract', 'DB', '--to', 'OUT.jsonl', '--yes']
    },
    views: {
      ...views('inspectDatabase', 'readStreamsPage', 'surveyUsage', 'readUsage'),
      readEventsPage: { stream: 'stream-1' },
      searchRecords: { text: 'none', limit: 10 }
    },
    bytesEach: 16,
    msEach: 0.0005
  },
  {
    name: 'runs in the log',
    title: 'scavenges that the log tells of',
    count: 100_000,
    smallCount: 1000,
    prepare: ({ db, count }) => writeRuns({ dataDirectory: db, count }),
    commands: words('inspect', 'history', 'plan', 'doctor', 'verify, quick', 'scavenge'),
    views: views('inspectDatabase', 'listHistory', 'examineStart'),
    bytesEach: 4096,
    msEach: 0.25
  },
  {
    name: 'runs in the home',
    title: 'scavenges that Winnow recorded',
    count: 100_000,
    smallCount: 1000,
    prepare: async ({ db, home, count }) => {
      await writeManyChunks({ dataDirectory: db, chunks: 20 });
      writeRunsOfHome({ dataDirectory: db, home, count });
    },
    commands: words('inspect', 'history', 'plan', 'scavenge'),
    views: views('inspectDatabase', 'listHistory'),
    bytesEach: 8192,
    msEach: 0.2
  },
  {
    name: 'backups',
    title: 'backups of one node in a target',
    count: 300,
    smallCount: 12,
    prepare: async ({ db, backups, home, count }) => {
      await writeManyChunks({ dataDirectory: db, chunks: 20 });
      await writeBackups({ dataDirectory: db, target: backups, count, winnowHome: home });
    },
    commands: {
      'backup list': ['backup', 'list', 'BACKUPS'],
      'backup create': LOOK['backup create'],
      'backup verify': ['backup', 'verify', 'BACKUPS'],
      'backup prune, shown': ['backup', 'prune', 'BACKUPS', '--keep-last', '3', '--dry-run'],
      restore: ['restore', 'BACKUPS', '--to', 'OUT', '--yes'],
      'backup prune': ['backup', 'prune', 'BACKUPS', '--keep-last', '3', '--yes']
    },
    views: { listBackups: { target: 'BACKUPS' } },
    bytesEach: 512 * 1024,
    msEach: 100
  },
  {
    name: 'findings',
    title: 'files left behind, each a finding, in data directory and index',
    count: 100_000,
    smallCount: 1000,
    prepare: async ({ db, count }) => {
      await writeManyChunks({ dataDirectory: db, chunks: 20 });
      for (let i = 0; i < count / 2; i++) writeFileSync(path.join(db, `${guidOf(i)}.scavenge.tmp`), '');
      for (let i = 0; i < count / 2; i++) writeFileSync(path.join(db, 'index', guidOf(i)), '');
    },
    commands: {
      ...words('inspect', 'chunks', 'verify', 'verify, quick', 'doctor'),
      'repair, shown': ['repair', 'DB', '--dry-run'],
      'index rebuild': LOOK['index rebuild'],
      scavenge: LOOK.scavenge
    },
    views: views('inspectDatabase', 'listChunks', 'verifyDatabase', 'examineStart'),
    bytesEach: 8192,
    msEach: 0.1
  }
];

const guidOf = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Places of a subject below its directory. */
export function placesIn(directory) {
  const at = (name) => path.join(directory, name);
  mkdirSync(at('home'), { recursive: true });
  return { db: at('db'), home: at('home'), backups: at('backups'), out: at('out') };
}
