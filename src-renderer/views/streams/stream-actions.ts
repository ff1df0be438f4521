/** What can be done with a stream or a category, in the list and in the tree. */
import type { RowAction } from '../../components/table-column.ts';
import { filterOf } from '../../format/stream-filter.ts';
import { explained } from '../../state/explained.svelte.ts';
import type { Workbench } from '../../state/workbench.svelte.ts';
import { NO_CATEGORY } from '../../format/group-name.ts';
import { texts } from '../../texts.ts';

export type StreamOrCategory = { stream: string } | { category: string };

export function streamActions(
  workbench: Workbench,
  row: StreamOrCategory,
  showCategory: (name: string) => void
): RowAction[] {
  const { places } = workbench;
  const mayNotWrite = workbench.capabilities.writes ? undefined : texts.palette.obstacles.mayNotWrite;
  const words = texts.streams;
  if ('category' in row) {
    const name = row.category;
    const whyNot = name === NO_CATEGORY ? texts.usage.whyNot.noStream : undefined;
    return [
      { label: words.ofCategoryInList, run: () => showCategory(name) },
      {
        label: words.showRecords,
        whyNot,
        run: () => places.go({ view: 'records', options: { filter: `stream:${name}-*` } })
      },
      { label: words.showUsage, run: () => places.go({ view: 'usage', options: { category: name } }) },
      {
        label: words.erasure,
        whyNot,
        run: () => places.go({ view: 'erasure', options: { category: name } })
      },
      {
        label: words.extract,
        whyNot: whyNot ?? mayNotWrite,
        run: () => places.go({ view: 'extract', options: { category: name } })
      },
      { label: words.copyName, isApart: true, whyNot, run: () => workbench.copy(name) }
    ];
  }
  const { stream } = row;
  return [
    { label: texts.explain.why, run: () => explained.open(places.current.nodeId ?? '', { stream }) },
    {
      label: words.showRecords,
      run: () => places.go({ view: 'records', options: { filter: filterOf(stream) } })
    },
    { label: words.showUsage, run: () => places.go({ view: 'usage', options: { by: 'stream', stream } }) },
    { label: words.erasure, run: () => places.go({ view: 'erasure', options: { stream } }) },
    {
      label: words.extract,
      whyNot: mayNotWrite,
      run: () => places.go({ view: 'extract', options: { stream } })
    },
    { label: words.copyName, isApart: true, run: () => workbench.copy(stream) }
  ];
}
