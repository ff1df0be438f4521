/** Metrics of the last comparison of the node's content with others, by whichever door it was asked for. */
import { Gauge, type Registry } from 'prom-client';
import type { LastComparison } from '../settings/last-comparison.ts';

/** Each with one value. */
const VALUES: readonly { name: string; help: string; read: (last: LastComparison) => number }[] = [
  {
    name: 'winnow_comparison_timestamp_seconds',
    help: 'Second of the epoch at which the last comparison of the content with other nodes or a backup ended.',
    read: ({ endedAtMs }) => Math.floor(endedAtMs / 1000)
  },
  {
    name: 'winnow_comparison_sides',
    help: 'Nodes and backups that the last comparison looked at, the node itself included.',
    read: ({ sides }) => sides
  },
  {
    name: 'winnow_comparison_differences',
    help: 'Places at which the content differs and no rule explains it, as the last comparison counted them.',
    read: ({ differences }) => differences
  }
];

/** Left out of scrapes while no comparison is known: nobody is to take that for equal. */
export function addComparisonMetrics(
  registry: Registry,
  lastComparison: () => LastComparison | undefined
): void {
  for (const { name, help, read } of VALUES) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const last = lastComparison();
        if (last) this.set(read(last));
        else this.remove();
      }
    });
  }
}
