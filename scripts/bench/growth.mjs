// How figures grow with the size of the log and with the number of streams: points from one run of `npm run bench -- all`.
import { countText, memoryText, sizeText, tableText, timeText } from './figure-text.mjs';

/** What a point is measured by: the words for it, and where its time (ms) and peak memory (bytes) stand in the figures. */
const SERIES = [
  ['whole scavenge', ({ scavenge }) => scavenge.rows.whole],
  ['accumulation', ({ scavenge }) => ({ ms: scavenge.rows.whole.accumulationMs })],
  ['index rebuild', ({ scavenge }) => scavenge.rows.indexRebuild],
  ['verification', ({ scavenge }) => scavenge.rows.verification],
  ['first reading', ({ answers }) => answers.rows.firstReading],
  ['usage', ({ answers }) => answers.rows.usage],
  ['plan', ({ answers }) => answers.rows.plan],
  ['explain', ({ answers }) => answers.rows.explain],
  ['streams', ({ answers }) => answers.rows.streams]
];

/** `kind` is `size` or `streams`. Points in the order of their size or streams: `x`, their facts, and `values` by series. */
export function growthPoints(parts, kind) {
  return Object.entries(parts)
    .filter(([name, { status }]) => name.startsWith(`${kind}:`) && status === 'done')
    .map(([, { figures }]) => {
      const { logBytes, records, streams } = figures.scavenge.facts;
      const values = SERIES.map(([series, find]) => {
        const found = find(figures);
        const { ms, peakBytes } = found ?? {};
        const isAsked = found !== undefined;
        return { series, isAsked, ms: ms ?? undefined, peakBytes: peakBytes ?? undefined };
      });
      return { x: kind === 'size' ? logBytes : streams, logBytes, records, streams, values };
    })
    .sort((a, b) => a.x - b.x);
}

/** A row for each series, a column for each point: its time, and its peak memory. */
export function growthTable(points, kind) {
  const heads = points.map(({ logBytes, streams }) =>
    kind === 'size' ? sizeText(logBytes) : countText(streams)
  );
  const facts = [
    kind === 'size'
      ? ['streams', ...points.map(({ streams }) => countText(streams))]
      : ['log', ...points.map(({ logBytes }) => sizeText(logBytes))],
    ['records', ...points.map(({ records }) => countText(records))]
  ];
  const rows = SERIES.map(([series], i) => [
    series,
    ...points.map(({ values }) => {
      const { isAsked, ms, peakBytes } = values[i];
      if (ms === undefined) return isAsked ? 'not in its time' : '';
      return [timeText(ms), memoryText(peakBytes)].filter(Boolean).join(', ');
    })
  ]);
  const rate = [
    'accumulation, records a second',
    ...points.map(({ records, values }) => countText(Math.round(records / (values[1].ms / 1000))))
  ];
  return tableText([kind === 'size' ? 'Log' : 'Streams', ...heads], [...facts, ...rows, rate]);
}
