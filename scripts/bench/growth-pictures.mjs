// Growth as pictures: lines of time and of peak memory against size or streams, drawn by Observable Plot without a browser.
// Each picture has its own background and two sets of colours, of which the reader's preference for light or dark chooses.
import * as Plot from '@observablehq/plot';
import { Window } from 'happy-dom';
import { countText, memoryText, sizeText, timeText } from './figure-text.mjs';

const WIDTH = 760;
const HEIGHT = 420;
const MARGIN = { top: 46, right: 130, bottom: 48, left: 64 };
const FONT_SIZE = 12;
/** Least distance of two labels at the ends of lines, in pixels. */
const LABEL_HEIGHT = 15;
/** Of each series in turn, light and dark: distinct for the colour-blind too, and marked by symbols besides. */
const COLOURS = [
  ['#0b5fae', '#6cb4f5'],
  ['#b3470a', '#f4a46a'],
  ['#127a52', '#5fd3a4'],
  ['#8a2f8f', '#dd9ae1'],
  ['#6b5a00', '#d9c35a'],
  ['#b01e3c', '#f58ca0'],
  ['#3f4d9c', '#aab6ff'],
  ['#00707a', '#5ccbd6'],
  ['#5a5a5a', '#bdbdbd']
];
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye', 'cross', 'hexagon', 'times'];

const AXES = {
  size: { label: 'Size of the log', text: sizeText },
  streams: { label: 'Streams', text: countText }
};
const MEASURES = {
  time: { key: 'ms', label: 'Time', text: timeText, isLog: true },
  memory: { key: 'peakBytes', label: 'Peak memory', text: memoryText, isLog: false }
};

/** Two SVG documents, `time` and `memory`, of the points of growthPoints. */
export function growthPictures(points, kind) {
  return Object.fromEntries(
    Object.entries(MEASURES).map(([name, measure]) => [name, picture(points, AXES[kind], measure)])
  );
}

function picture(points, axis, measure) {
  const data = points.flatMap(({ x, values }) =>
    values
      .filter((value) => value[measure.key] !== undefined)
      .map((value) => ({ x, y: value[measure.key], series: value.series }))
  );
  // The colour of a series is the same in both pictures.
  const order = points[0].values.map(({ series }) => series);
  const series = order.filter((name) => data.some((one) => one.series === name));
  const colour = (name) => `var(--line-${order.indexOf(name)})`;
  const scales = scalesOf(data, measure);
  const document = new Window().document;
  const drawn = Plot.plot({
    document,
    width: WIDTH,
    height: HEIGHT,
    ...marginsOf(MARGIN),
    style: { fontSize: `${FONT_SIZE}px`, background: 'none' },
    ariaLabel: `${measure.label} against ${axis.label.toLowerCase()}`,
    ...scales,
    symbol: { domain: order, range: SYMBOLS },
    marks: [
      ...axesOf(points, axis, measure, scales.y.domain),
      Plot.line(data, {
        x: 'x',
        y: 'y',
        z: 'series',
        stroke: ({ series: name }) => colour(name),
        strokeWidth: 2
      }),
      Plot.dot(data, {
        x: 'x',
        y: 'y',
        r: 4,
        symbol: 'series',
        fill: 'var(--ground)',
        stroke: ({ series: name }) => colour(name),
        strokeWidth: 2,
        title: ({ series: name, x, y }) => `${name}, ${axis.text(x)}: ${measure.text(y)}`
      }),
      Plot.text(labelsOf(series, data, scales.y), {
        x: 'x',
        y: 'y',
        text: 'series',
        textAnchor: 'start',
        dx: 12,
        fill: ({ series: name }) => colour(name)
      })
    ]
  });
  return framed(drawn, `${measure.label} against ${axis.label.toLowerCase()}`);
}

const marginsOf = ({ top, right, bottom, left }) => ({
  marginTop: top,
  marginRight: right,
  marginBottom: bottom,
  marginLeft: left
});

function scalesOf(data, measure) {
  const highest = Math.max(...data.map(({ y }) => y));
  const lowest = Math.min(...data.map(({ y }) => y));
  const domain = measure.isLog ? [lowest / 1.3, highest * 1.3] : [0, highest * 1.05];
  return { x: { type: 'log' }, y: { type: measure.isLog ? 'log' : 'linear', domain } };
}

/** Ticks by hand: on its own a logarithmic axis leaves out the words of some. */
function axesOf(points, axis, measure, [lowest, highest]) {
  const ticks = measure.isLog ? decades(lowest, highest) : memoryTicks(highest);
  return [
    Plot.gridY(ticks),
    Plot.axisX(
      points.map(({ x }) => x),
      { text: axis.text, label: axis.label, labelAnchor: 'center', labelArrow: 'none' }
    ),
    Plot.axisY(ticks, { text: measure.isLog ? timeTick : memoryText, label: null })
  ];
}

/** 1, 3, 10, 30, … within what is drawn. */
function decades(lowest, highest) {
  const all = Array.from({ length: 9 }, (_, power) => [10 ** power, 3 * 10 ** power]).flat();
  return all.filter((value) => value >= lowest && value <= highest);
}

const timeTick = (ms) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

/** About six ticks at multiples of a power of two in MiB. */
function memoryTicks(highest) {
  const step = 2 ** Math.max(20, Math.round(Math.log2(highest / 6)));
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, i) => i * step);
}

/** Each label at the end of its line, moved apart from its neighbours where lines end close together. */
function labelsOf(series, data, y) {
  const lowest = HEIGHT - MARGIN.bottom;
  const scale = Plot.scale({ y: { type: y.type, domain: y.domain, range: [lowest, MARGIN.top] } });
  const ends = series
    .map((name) => data.findLast((one) => one.series === name))
    .map((end) => ({ ...end, at: scale.apply(end.y) }))
    .sort((a, b) => a.at - b.at);
  // A line that ends before the others has its label there, and no neighbours.
  const last = Math.max(...data.map(({ x }) => x));
  const column = ends.filter(({ x }) => x === last);
  column.forEach((end, i) => (end.at = Math.max(end.at, (column[i - 1]?.at ?? -Infinity) + LABEL_HEIGHT)));
  column.toReversed().forEach((end, i) => (end.at = Math.min(end.at, lowest - i * LABEL_HEIGHT)));
  return ends.map(({ series: name, x, at }) => ({ series: name, x, y: scale.invert(at) }));
}

/** A document of its own: title, colours, and a background that follows them. */
function framed(svg, title) {
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  const variables = (which) =>
    COLOURS.map((pair, i) => `--line-${i}: ${pair[which]};`).join(' ') +
    (which === 0 ? ' --ground: #ffffff; --ink: #1c1f24;' : ' --ground: #14171c; --ink: #e3e6ea;');
  const style =
    `:root, svg { ${variables(0)} color: var(--ink); }\n` +
    `@media (prefers-color-scheme: dark) { :root, svg { ${variables(1)} } }`;
  const head =
    `<title>${title}</title><style>${style}</style>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="var(--ground)"></rect>` +
    `<text x="16" y="24" text-anchor="start" font-size="15" font-weight="600">${title}</text>`;
  const text = svg.outerHTML;
  const inside = text.indexOf('>') + 1;
  return `${text.slice(0, inside)}${head}${text.slice(inside)}\n`;
}
