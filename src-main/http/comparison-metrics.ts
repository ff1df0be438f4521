/** Metrics of the last comparison of the node's content with others, as `POST /admin/diff` has made it. */
import { Gauge, type Registry } from 'prom-client';
import { differenceReport, type DifferenceReport } from '../contract/operations/difference-reports.ts';
import type { EndedRun } from './node-runs.ts';

/** Each with one value. */
const VALUES: readonly {
  name: string;
  help: string;
  read: (ended: EndedRun, report: DifferenceReport) => number;
}[] = [
  {
    name: 'winnow_comparison_timestamp_seconds',
    help: 'Second of the epoch at which the last comparison of the content with other nodes or a backup ended.',
    read: ({ endedAtMs }) => Math.floor(endedAtMs / 1000)
  },
  {
    name: 'winnow_comparison_sides',
    help: 'Nodes and backups that the last comparison looked at, the node itself included.',
    read: (_, { sides }) => sides.length
  },
  {
    name: 'winnow_comparison_differences',
    help: 'Places at which the content differs and no rule explains it, as the last comparison counted them.',
    read: (_, { comparisons }) => comparisons.reduce((sum, { differenceCount }) => sum + differenceCount, 0)
  }
];

/** Left out of scrapes until this process has made a comparison: nobody is to take that for equal. */
export function addComparisonMetrics(registry: Registry, lastComparison: () => EndedRun | undefined): void {
  for (const { name, help, read } of VALUES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const ended = lastComparison();
        const report = ended && differenceReport.safeParse(ended.report).data;
        if (ended && report) this.set(read(ended, report));
        else this.remove();
      }
    });
  }
}
