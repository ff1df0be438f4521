// The table of docs/proof.md with what was measured, between its marks.
const BEGIN = '<!-- figures: scale -->';
const END = '<!-- end of figures: scale -->';

export function pageWith(page, measured) {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/proof.md has no place for the figures of scale.');
  return `${page.slice(0, from + BEGIN.length)}\n\n${tableOf(measured)}\n\n${page.slice(to)}`;
}

function tableOf(measured) {
  const rows = measured.flatMap(({ title, count, asked }) =>
    asked.map(({ kind, name, processorMs, peakBytes, bounds }) =>
      [
        ...[`${count.toLocaleString('en')} ${title}`, kind === 'view' ? `view: \`${name}\`` : name],
        ...[seconds(processorMs), seconds(bounds.ms), mebibytes(peakBytes), mebibytes(bounds.bytes)]
      ].join(' | ')
    )
  );
  const head = 'Large | Asked | Processor time | Bound | Memory | Bound';
  return [head, '--- | --- | --- | --- | --- | ---', ...rows].map((row) => `| ${row} |`).join('\n');
}

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const mebibytes = (bytes) => `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB`;
