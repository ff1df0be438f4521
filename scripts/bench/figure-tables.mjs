// The tables of docs/performance.md from the figures of one run of `npm run bench -- all`: text by the name of its place. A
// part that has no figures gives undefined, which leaves what the document says.
import {
  countOfText,
  countText,
  memoryText,
  paragraphText,
  ratioText,
  sizeText,
  tableText,
  timeText
} from './figure-text.mjs';
import { ROWS } from './scavenge-table.mjs';
import { SERVER } from './server-figures.mjs';

const QUESTIONS = {
  firstReading: 'weights, nothing known: every chunk is read, hashed and kept',
  usage: 'usage',
  plan: 'plan (detached)',
  thresholds: 'thresholds, which measures the disk too',
  explain: 'explain a stream',
  streams: 'streams, first page',
  weights: 'weights'
};
/** Of starting, ms. */
const START_TARGETS = { help: 120, inspect: 400, worker: 30, firstContent: 500, nothingToDo: 150 };
const WINDOW_REST_MB = 220;
const ANSWER_TARGET_MS = 300;
/** What a further thread should add. */
const THREAD_GAIN = 0.85;
const MANY = 16;

export function tablesOf({ parts, ...run }) {
  const of = (name) => (parts[name]?.status === 'done' ? parts[name].figures : undefined);
  const made = (table, ...names) => {
    const all = names.map(of);
    return all.every((one) => one !== undefined) ? table(...all) : undefined;
  };
  return {
    machine: machineText(run, parts),
    scavenge: made(scavengeTable, 'scavenge'),
    server: made(serverTable, 'threads'),
    threads: made(threadsTable, 'threads'),
    threadsOfMany: made(threadsTable, 'threads:many'),
    answers: made(answersTable, 'answers'),
    backup: made(backupTable, 'backup'),
    start: made((start) => startTable(start, of('scavenge'), of('window')), 'start')
  };
}

function machineText({ machine, date, commit, isQuick }, parts) {
  const { processor, processors, memoryBytes, kernel, node } = machine;
  const done = Object.entries(parts).filter(([, { status }]) => status === 'done');
  const load = Math.max(0, ...done.map(([, part]) => part.load));
  const others = Map.groupBy(
    done.filter(([, part]) => part.commit !== commit),
    ([, part]) => part.commit
  );
  const named = [...others].map(([other, parts]) => `${parts.map(([name]) => name).join(', ')} ${other}`);
  const earlier = named.length === 0 ? '' : ` (of an earlier one: ${named.join('; ')})`;
  return [
    ...(isQuick ? ['**A quick run on small databases: these figures say nothing.**'] : []),
    paragraphText(
      `Measured on ${date.slice(0, 10)} at commit ${commit}${earlier}: ${processors} processors (${processor}), ` +
        `${sizeText(memoryBytes)} of memory, ${kernel}, Node ${node}. Load when a part began: at most ${load.toFixed(1)}.`
    )
  ].join('\n\n');
}

/** A table with a paragraph before it. */
const introduced = (paragraph, head, lines) => `${paragraphText(paragraph)}\n\n${tableText(head, lines)}`;

const databaseText = ({ logBytes, records, streams }) =>
  `${sizeText(logBytes)}, ${countOfText(records, 'record')}, ${countOfText(streams, 'stream')}`;

function scavengeTable({ facts, runs, threads, rows }) {
  const lines = ROWS.filter(({ name }) => rows[name]).map(({ name, title, target, limitMs, targetShare }) => {
    const { ms, ratio, floorMs, peakBytes, share } = rows[name];
    return [
      title,
      share === undefined ? timeText(ms) : `${(share * 100).toFixed(1)} % at work`,
      timeText(floorMs),
      ratioText(ratio),
      targetShare ?? (limitMs === undefined ? ratioText(target) : timeText(limitMs)),
      timeText(SERVER.even[name]),
      ratioText(middle(SERVER.even[name]) / ms),
      memoryText(peakBytes)
    ];
  });
  const head = ['Phase', 'Time', 'Floor', 'Of the floor', 'Target', 'Server', 'Times as fast', 'Peak memory'];
  return introduced(
    `${databaseText(facts)}; ${countOfText(threads, 'thread')}, ${runs === 1 ? 'one run' : `medians of ${runs} runs`}. ` +
      `The server's peak was ${memoryText(SERVER.even.peakBytes)}, and with several threads it took ` +
      `${timeText(SERVER.even.wholeSeveralThreads)}.`,
    head,
    lines
  );
}

const middle = (range) => (range === undefined ? NaN : (range[0] + range[1]) / 2);

/** Our times and the server's, each divided by the time of plain hashing on its machine. */
function serverTable({ scavenge, usage }) {
  const [one, two] = scavenge;
  const hashing = usage[0].hashing;
  const rows = [
    ['whole scavenge, one thread', one.rows.whole, SERVER.skewed.whole, 1 / 5],
    ['whole scavenge, two threads', two.rows.whole, SERVER.skewed.wholeTwoThreads, 1 / 8],
    ['index rebuild', two.rows.indexRebuild, SERVER.skewed.indexRebuild, 1 / 10]
  ];
  const lines = rows.map(([title, { ms, peakBytes }, server, target]) => [
    title,
    timeText(ms),
    ratioText(ms / hashing),
    timeText(server),
    ratioText(server / SERVER.skewed.hashing),
    ratioText(ms / hashing / (server / SERVER.skewed.hashing)),
    ratioText(target),
    memoryText(peakBytes)
  ]);
  const head = [
    '',
    'Winnow',
    'Times hashing',
    'Server',
    'Times hashing',
    'Of the server',
    'Target',
    'Peak memory'
  ];
  return introduced(
    `${databaseText(one.facts)}. MD5 of its chunks in one thread takes ${timeText(hashing)} here and took ` +
      `${timeText(SERVER.skewed.hashing)} where the server was measured.`,
    head,
    lines
  );
}

function threadsTable({ scavenge, usage }) {
  const [one, two] = scavenge.map(({ rows }) => rows);
  const bytes = scavenge[0].facts.logBytes;
  const pairs = [
    ['first reading: usage, nothing known', usage[0].first, usage[1].first],
    ['usage from digests', usage[0].again, usage[1].again],
    ['accumulation', one.whole.accumulationMs, two.whole.accumulationMs],
    ['chunk execution', one.whole.chunkExecutionMs, two.whole.chunkExecutionMs],
    ['index execution', one.whole.indexExecutionMs, two.whole.indexExecutionMs],
    ['whole scavenge', one.whole.ms, two.whole.ms],
    ['index rebuild', one.indexRebuild.ms, two.indexRebuild.ms],
    ['verification', one.verification?.ms, one.verificationThreads?.ms]
  ];
  const lines = pairs
    .filter(([, first, second]) => first > 0 && second > 0)
    .map(([title, first, second]) => {
      const alone = shareOfOneThread(first, second);
      const many = first * (alone + (1 - alone) / MANY);
      return [
        title,
        timeText(first),
        timeText(second),
        ratioText(first / second - 1),
        `${(alone * 100).toFixed(0)} %`,
        timeText(many),
        ratioText(first / many),
        (bytes / many / 1e6).toFixed(2)
      ];
    });
  const head = [
    '',
    'One thread',
    'Two',
    'Gain',
    'In one thread only',
    'Sixteen',
    'Times as fast',
    'GB/s of log'
  ];
  return introduced(
    `${databaseText(scavenge[0].facts)}. A further thread should gain ${THREAD_GAIN}.`,
    head,
    lines
  );
}

/** The share of the work that is not spread, by what one and two threads take (Amdahl). */
export function shareOfOneThread(oneMs, twoMs) {
  return Math.min(1, Math.max(0, (2 * twoMs) / oneMs - 1));
}

function answersTable({ facts, bytes, chunks, hashingMs, rows }) {
  const lines = Object.entries(QUESTIONS)
    .filter(([name]) => rows[name])
    .map(([name, title]) => {
      const { ms, peakBytes } = rows[name];
      const again = rows[`${name}Again`];
      const target = name === 'firstReading' ? hashingMs * 2 : ANSWER_TARGET_MS;
      return [
        title,
        timeText(ms),
        ratioText(ms / hashingMs),
        again ? timeText(again.ms) : '',
        timeText(target),
        memoryText(peakBytes)
      ];
    });
  return introduced(
    `${facts ? databaseText(facts) : sizeText(bytes)} in ${countOfText(chunks, 'chunk')}; hashing them one after the other ` +
      `takes ${timeText(hashingMs)} (MD5 of \`node:crypto\`, one thread).`,
    ['Question', 'Time', 'Times hashing', 'Asked again', 'Target', 'Peak memory'],
    lines
  );
}

function backupTable({ bytes, rows }) {
  const lines = rows.map(({ name, ms, ratio, peakBytes }, i) => [
    name,
    timeText(ms),
    `${(bytes / 2 ** 20 / (ms / 1000)).toFixed(0)} MiB/s`,
    i === 0 ? '' : ratioText(ratio),
    memoryText(peakBytes)
  ]);
  return introduced(`${sizeText(bytes)}.`, ['', 'Time', 'Rate', 'Of the floor', 'Peak memory'], lines);
}

function startTable({ help, inspect, worker }, scavenge, window) {
  const idle = scavenge?.rows.nothingToDo;
  const lines = [
    ['`winnow --help`', timeText(help.ms), timeText(START_TARGETS.help), memoryText(help.peakBytes)],
    [
      `\`winnow inspect\`, ${countText(inspect.chunks)} chunks`,
      timeText(inspect.ms),
      timeText(START_TARGETS.inspect),
      memoryText(inspect.peakBytes)
    ],
    ...(idle
      ? [
          [
            '`winnow scavenge` with nothing new',
            timeText(idle.ms),
            timeText(START_TARGETS.nothingToDo),
            memoryText(idle.peakBytes)
          ]
        ]
      : []),
    ['a worker thread, to its first answer', timeText(worker.firstMs), timeText(START_TARGETS.worker), ''],
    ['a second one in the same process', timeText(worker.laterMs), timeText(START_TARGETS.worker), ''],
    ...(window
      ? [
          [
            `window to first content, ${window.isPackaged ? 'packaged' : 'as built, not packaged'}`,
            timeText(window.firstContentMs),
            timeText(START_TARGETS.firstContent),
            ''
          ],
          [`${countText(window.chunks)} chunks on the screen, after that`, timeText(window.extraMs), '', ''],
          [
            'all processes of the window, at rest with them',
            '',
            `${WINDOW_REST_MB} MB`,
            memoryText(window.restBytes)
          ]
        ]
      : [])
  ];
  return tableText(['', 'Time', 'Target', 'Memory'], lines);
}
