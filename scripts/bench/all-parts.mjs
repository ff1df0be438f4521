// The parts of `npm run bench -- all`: which benches run on which databases, and how long that takes about. In the order of
// their importance, since a run may be given a limit.
import path from 'node:path';
import { parseByteSize } from '../../src-main/cli/byte-size.ts';
import { evenDatabase, manyChunks, skewedDatabase } from './all-databases.mjs';

/** What growth is measured by: rows of the scavenge bench, and questions. */
const GROWTH_ROWS = 'whole,indexRebuild,verification';
const GROWTH_QUESTIONS = 'usage,plan,explain,streams';
/** Above so many streams only some are asked: the others alone would take minutes. */
const MANY_STREAMS = 2_000_000;
const QUESTIONS_OF_MANY = 'plan,explain,streams';
/** A question that takes longer is noted as not answered; the first reading has more time. */
const GROWTH_LIMIT_SECONDS = 60;
const FIRST_LIMIT_SECONDS = 240;
/** Seconds for each million of streams: scavenge, rebuild, verification and questions together. */
const SECONDS_FOR_MILLION = 45;

export const FULL = {
  size: '2GiB',
  streams: 100_000,
  skewedStreams: 154_000,
  sizes: ['512MiB', '2GiB', '8GiB'],
  streamCounts: [10_000, 100_000, 1_000_000, 10_000_000],
  streamsSize: '1GiB',
  chunks: 10_000,
  scavengeRuns: 1,
  answerRuns: 3,
  startRuns: 9
};
/** To try the whole thing; its figures say nothing. */
export const QUICK = {
  size: '64MiB',
  streams: 10_000,
  skewedStreams: 10_000,
  sizes: ['16MiB', '32MiB', '64MiB'],
  streamCounts: [1000, 10_000],
  streamsSize: '16MiB',
  chunks: 300,
  scavengeRuns: 1,
  answerRuns: 1,
  startRuns: 3
};

const gibibytes = (size) => parseByteSize(size) / 2 ** 30;

/**
 * `name`, `seconds` (estimate), `databases`, and `measure`, which gets `bench(name, args)` (runs a bench, gives its JSON) and
 * `at(database)` (its directory), and gives the figures.
 */
export function partsOf(matrix) {
  const even = evenDatabase(matrix.size, matrix.streams);
  const skewed = skewedDatabase(matrix.size, matrix.skewedStreams);
  const large = evenDatabase(matrix.sizes.at(-1), matrix.streams);
  const chunks = manyChunks(matrix.chunks);
  const { scavengeRuns, answerRuns } = matrix;
  const size = gibibytes(matrix.size);
  const growth = [
    ...matrix.sizes.map((one) => growthPart(`size:${one}`, evenDatabase(one, matrix.streams))),
    ...matrix.streamCounts.map((streams) =>
      growthPart(`streams:${streams}`, evenDatabase(matrix.streamsSize, streams))
    )
  ];
  return [
    {
      name: 'scavenge',
      seconds: size * 16 * scavengeRuns + 35,
      databases: [even],
      measure: ({ bench, at }) => bench('scavenge', ['--database', at(even), '--runs', scavengeRuns])
    },
    {
      name: 'answers',
      seconds: size * 20 * answerRuns + 5,
      databases: [skewed],
      measure: ({ bench, at }) =>
        bench('answers', ['--database', at(skewed), '--runs', answerRuns, '--again'])
    },
    {
      name: 'threads',
      seconds: size * 45 + 10,
      databases: [skewed],
      measure: ({ bench, at }) => measureThreads(bench, at(skewed))
    },
    {
      // Chunks are shared out whole and hashed eight side by side: eight of them leave a second thread little.
      name: 'threads:many',
      seconds: gibibytes(large.size) * 12 + 10,
      databases: [large],
      measure: ({ bench, at }) => measureThreads(bench, at(large))
    },
    {
      name: 'start',
      seconds: matrix.chunks * 1e-4 * matrix.startRuns * 1.5 + 5,
      databases: [chunks],
      measure: ({ bench, at }) =>
        bench('command-start', ['--database', at(chunks), '--runs', matrix.startRuns])
    },
    {
      name: 'window',
      seconds: 35,
      databases: [],
      measure: ({ bench, isPackaged }) => bench('start-up', isPackaged ? [] : ['--built'])
    },
    {
      name: 'backup',
      seconds: size * 15 + 5,
      databases: [even],
      measure: ({ bench, at }) => bench('backup', ['--database', at(even), '--runs', 1])
    },
    // What takes longest comes last: a limit then costs one point of the growth.
    ...growth.sort((a, b) => a.seconds - b.seconds)
  ];
}

/** The same with one thread and with two. */
async function measureThreads(bench, directory) {
  const figures = { scavenge: [], usage: [] };
  for (const threads of [1, 2]) {
    const given = ['--database', directory, '--runs', 1, '--threads', threads];
    const rows = ['whole', 'indexRebuild', ...(threads === 1 ? ['verification', 'verificationThreads'] : [])];
    figures.scavenge.push(await bench('scavenge', [...given, '--rows', rows.join()]));
    figures.usage.push(await bench('usage', given));
  }
  return figures;
}

function growthPart(name, database) {
  const millions = database.streams / 1e6;
  return {
    name,
    seconds: gibibytes(database.size) * Math.max(2, 20 - millions * 18) + millions * SECONDS_FOR_MILLION + 8,
    databases: [database],
    measure: async ({ bench, at }) => {
      const given = ['--database', at(database), '--runs', 1];
      const asked = ['--questions', database.streams > MANY_STREAMS ? QUESTIONS_OF_MANY : GROWTH_QUESTIONS];
      const limits = ['--limit', GROWTH_LIMIT_SECONDS, '--first-limit', FIRST_LIMIT_SECONDS];
      return {
        scavenge: await bench('scavenge', [...given, '--rows', GROWTH_ROWS]),
        answers: await bench('answers', [...given, ...asked, ...limits, '--shape', database.shape])
      };
    }
  };
}

/** The parts that one of the names means: itself, or what is before its colon. */
export function selectParts(parts, names) {
  const known = new Set(parts.flatMap(({ name }) => [name, name.split(':')[0]]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(`No such part: ${unknown.join(', ')}. There are: ${[...known].join(', ')}.`);
  }
  return parts.filter(({ name }) => names.includes(name) || names.includes(name.split(':')[0]));
}

export const databasePath = (directory, { key }) => path.join(directory, key);
