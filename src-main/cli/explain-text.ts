/** An explanation, for people. */
import type {
  ChunkExplanation,
  EventExplanation,
  ExplainReport,
  RecordsExplanation,
  StreamExplanation
} from '../contract/operations/explain-reports.ts';
import { formatBytes, formatCount, formatNoun } from './byte-size.ts';
import type { Colours } from './command-line.ts';
import { formatFacts, formatTable } from './tables.ts';
import { visibleText } from './visible-text.ts';

/** The whole answer, ending with the scavenge that it describes. */
export function explainText(report: ExplainReport, colours: Colours): string {
  switch (report.kind) {
    case 'event':
      return eventText(report, colours) + scavengeText(report, colours);
    case 'stream':
      return streamText(report, colours) + scavengeText(report, colours);
    case 'chunk':
      return chunkText(report, colours) + scavengeText(report, colours);
  }
}

/** Several records, a line for each. */
export function recordsText({ records, scavenge }: RecordsExplanation, colours: Colours): string {
  const rows = records.map(({ position, verdict, rule, until }) => [
    formatCount(position),
    VERDICTS[verdict],
    rule,
    until ?? ''
  ]);
  const columns = [
    { title: 'position', align: 'right' as const },
    { title: 'verdict' },
    { title: 'rule' },
    { title: 'until' }
  ];
  return `${formatTable(columns, rows, colours)}\n${scavenge ? scavengeText({ scavenge }, colours) : ''}`;
}

const VERDICTS = { keep: 'stays', discard: 'is removed', alreadyGone: 'is already gone' } as const;

function verdictText(verdict: keyof typeof VERDICTS, colours: Colours): string {
  const text = VERDICTS[verdict];
  return verdict === 'keep' ? colours.green(text) : colours.yellow(text);
}

function eventText(report: EventExplanation, colours: Colours): string {
  const { stream, eventNumber, position, chunk, verdict, rule, because, until, change, chain } = report;
  const state = report.uncommitted ? ` of "${visibleText(stream ?? '')}" (not committed)` : '';
  const name =
    eventNumber === null
      ? `The record at position ${formatCount(position ?? 0)}${state}`
      : `Event ${formatCount(eventNumber)} of "${visibleText(stream ?? '')}"`;
  const facts: [string, string][] = [['rule', rule]];
  if (until !== null) facts.push(['until', `${until}, then removed by a scavenge with a later point`]);
  if (change !== null) facts.push(['what would change it', change]);
  if (position !== null) facts.push(['position', `${formatCount(position)}, chunk ${chunk ?? 0}`]);
  const steps = chain.map(({ says, rule: asked, text }) => [says, asked, text]);
  const table = formatTable([{ title: 'says' }, { title: 'rule' }, { title: 'values' }], steps, colours);
  return `${name} ${verdictText(verdict, colours)}. ${visibleText(because)}\n\n${table}\n${formatFacts(facts, colours)}`;
}

function streamText(report: StreamExplanation, colours: Colours): string {
  const rows = report.ranges.map(({ from, to, verdict, rule, until, because }) => [
    from === to ? formatCount(from) : `${formatCount(from)}-${formatCount(to)}`,
    VERDICTS[verdict],
    rule,
    until ?? '',
    because
  ]);
  const table = formatTable(
    [
      { title: 'events', align: 'right' },
      { title: 'verdict' },
      { title: 'rule' },
      { title: 'until' },
      { title: 'because' }
    ],
    rows,
    colours
  );
  const facts: [string, string][] = [['rules', limitsText(report.rules)]];
  const atPoint = limitsText(report.rulesAtPoint);
  if (atPoint !== limitsText(report.rules)) facts.push(['rules at the point', atPoint]);
  if (report.unnumberedRecords > 0) {
    facts.push(['uncommitted', `${formatNoun(report.unnumberedRecords, 'record')} of open transactions`]);
  }
  return `${table}\n${formatFacts(facts, colours)}`;
}

function limitsText(limits: StreamExplanation['rulesAtPoint'] | null): string {
  const { maxCount = null, maxAgeSeconds = null, truncateBefore = null } = limits ?? {};
  const parts = [
    ...(maxCount === null ? [] : [`maxCount ${maxCount}`]),
    ...(maxAgeSeconds === null ? [] : [`maxAge ${maxAgeSeconds} s`]),
    ...(truncateBefore === null ? [] : [`truncateBefore ${truncateBefore}`])
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function chunkText(report: ChunkExplanation, colours: Colours): string {
  const { chunk, file, weight, verdict, rule, because, change, byRule } = report;
  const table = formatTable(
    [
      { title: 'rule' },
      { title: 'says' },
      { title: 'records', align: 'right' },
      { title: 'bytes', align: 'right' }
    ],
    byRule.map((one) => [
      one.rule,
      one.verdict === 'keep' ? 'keeps' : 'discards',
      formatCount(one.records),
      formatBytes(one.bytes)
    ]),
    colours
  );
  const facts: [string, string][] = [
    ['file', file],
    ['weight', formatCount(weight)],
    ['rule', rule],
    ...(change === null ? [] : [['what would change it', change] as [string, string]])
  ];
  const fate = verdict === 'rewrite' ? colours.yellow('is rewritten') : colours.green('stays as it is');
  return `Chunk ${chunk} ${fate}. ${visibleText(because)}\n\n${table}\n${formatFacts(facts, colours)}`;
}

function scavengeText({ scavenge }: Pick<ExplainReport, 'scavenge'>, colours: Colours): string {
  const { point, placement, resumed } = scavenge;
  const text = point
    ? `${placement}${resumed ? ', resumed' : ''}, position ${formatCount(point.position)}, ${point.effectiveNow}, threshold ${point.threshold}`
    : `${placement}: no scavenge point to work to`;
  return formatFacts([['for a scavenge', text]], colours);
}
