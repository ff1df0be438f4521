// The figures of the scavenge bench as a table: time, rate, ratio to the floor with its target, peak memory.
const MIB = 2 ** 20;

/** `target`: least ratio to the floor; `limitMs`: longest time. */
export const ROWS = [
  { name: 'opening', title: 'opening' },
  { name: 'accumulation', title: 'accumulation', target: 0.4 },
  { name: 'calculation', title: 'calculation' },
  { name: 'chunkExecution', title: 'chunk execution', target: 1.2 },
  { name: 'chunkMerging', title: 'chunk merging' },
  { name: 'indexExecution', title: 'index execution', target: 0.6 },
  { name: 'cleaning', title: 'cleaning' },
  { name: 'whole', title: 'all of it in one process' },
  { name: 'nothingToDo', title: 'run with nothing to do', limitMs: 150 },
  { name: 'indexRebuild', title: 'index rebuild', target: 0.6 },
  { name: 'verification', title: 'verification, one thread', target: 0.95 },
  { name: 'verificationThreads', title: 'verification, all processors', target: 0.86 },
  { name: 'throttle', title: 'throttled to 50 %', targetShare: '45 to 55 %' }
];

export function printTable({ facts, runs, threads, rows }) {
  const size = `${(facts.logBytes / MIB).toFixed(0)} MiB of log, ${facts.records.toLocaleString('en')} records`;
  console.log(
    `${size}, ${facts.streams.toLocaleString('en')} streams; ${threads} ${threads === 1 ? 'thread' : 'threads'}, ` +
      `median of ${runs} ${runs === 1 ? 'run' : 'runs'}`
  );
  const head = ['', 'time', 'rate', 'floor', 'of the floor', 'target', 'peak memory'];
  const lines = ROWS.filter(({ name }) => rows[name] !== undefined).map((row) => lineOf(row, rows[row.name]));
  const table = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...table.map((line) => line[column].length)));
  for (const line of table) {
    const cells = line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])));
    console.log(cells.join('   ').trimEnd());
  }
}

function lineOf({ title, target, limitMs }, { ms, ratio, floorMs, peakBytes, share, ...amount }) {
  return [
    title,
    timeOf(ms),
    share === undefined ? rateOf(ms, amount) : `${(share * 100).toFixed(1)} % at work`,
    floorMs === undefined ? '' : timeOf(floorMs),
    ratio === undefined ? '' : ratio.toFixed(2),
    target === undefined ? (limitMs === undefined ? '' : `< ${timeOf(limitMs)}`) : target.toFixed(2),
    peakBytes === undefined ? '' : `${(peakBytes / MIB).toFixed(0)} MiB`
  ];
}

function timeOf(ms) {
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function rateOf(ms, { bytes, items, unit }) {
  const rates = [];
  if (bytes !== undefined) rates.push(`${(bytes / MIB / (ms / 1000)).toFixed(0)} MiB/s`);
  if (items !== undefined) rates.push(`${(items / ms / 1000).toFixed(2)} M ${unit}/s`);
  return rates.join(', ');
}
