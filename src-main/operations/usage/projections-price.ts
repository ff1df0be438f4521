/** What projections cost: their links and what they write about themselves, by projection and by category. */
import { projectionPrices, type ProjectionPrices } from '../../../src-core/index.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { ProjectionsReport } from '../../contract/operations/usage-reports.ts';
import type { OperationContext } from '../operation.ts';
import { withUsage } from './usage-access.ts';
import { pointOf } from './usage-read.ts';

type Source = ProjectionsReport['sources'][number]['source'];

/** The server's own projections, by what they write. */
const PROJECTIONS: Readonly<Partial<Record<Source, string>>> = {
  '$ce-': '$by_category',
  '$et-': '$by_event_type',
  '$bc-': '$by_correlation_id',
  $streams: '$streams'
};
/** What indexes beside the log answer instead, in servers that have them. */
const INDEXED: readonly string[] = ['$ce-', '$et-'];

export function priceProjections(
  request: CheckedRequestOf<'priceProjections'>,
  context: OperationContext
): Promise<ProjectionsReport> {
  const { control } = context;
  const breathe = async (): Promise<void> => {
    if (control.isDue) await control.breathe();
  };
  return withUsage(request, context, async (usage) => {
    const { own, sources, categories, categoryCount, days } = await projectionPrices(usage, {
      top: request.top,
      breathe
    });
    return {
      own,
      sources: sources.map((price) => {
        const source = price.source as Source;
        const projection = PROJECTIONS[source] ?? null;
        // Streams with links of others have names like any, and so have the states of projections.
        return { ...price, source, projection, streams: projection === null ? null : price.streams };
      }),
      amplification: amplificationOf(own, sources),
      categories: categories.map(({ links, ...category }) => ({
        ...category,
        amplification: ratio(
          category.bytes + category.indexBytes + category.linkBytes + category.linkIndexBytes,
          category.bytes + category.indexBytes
        ),
        links
      })),
      categoryCount,
      savings: savingsOf(sources),
      days,
      point: pointOf(usage),
      warnings: usage.warnings
    };
  });
}

function amplificationOf(
  own: ProjectionPrices['own'],
  sources: ProjectionPrices['sources']
): ProjectionsReport['amplification'] {
  const all = sources.reduce(
    (sum, { bytes, indexBytes }) => ({ bytes: sum.bytes + bytes, indexBytes: sum.indexBytes + indexBytes }),
    { bytes: own.bytes, indexBytes: own.indexBytes }
  );
  const bytes = ratio(all.bytes, own.bytes);
  const entries = ratio(all.indexBytes, own.indexBytes);
  return bytes === null || entries === null ? null : { bytes, entries };
}

function savingsOf(sources: ProjectionPrices['sources']): ProjectionsReport['savings'] {
  const known = sources.filter(({ source }) => PROJECTIONS[source as Source] !== undefined);
  const indexed = known.filter(({ source }) => INDEXED.includes(source));
  const sum = (of: typeof known) => ({
    bytesPerDay: of.every(({ bytesPerDay }) => bytesPerDay !== null)
      ? of.reduce((all, { bytesPerDay }) => all + (bytesPerDay ?? 0), 0)
      : null,
    bytes: of.reduce((all, { bytes, indexBytes }) => all + bytes + indexBytes, 0)
  });
  return [
    ...known.map((price) => ({ measure: 'switchOff' as const, source: price.source, ...sum([price]) })),
    ...(indexed.length === 0 ? [] : [{ measure: 'secondaryIndexes' as const, source: null, ...sum(indexed) }])
  ];
}

function ratio(all: number, own: number): number | null {
  return own === 0 ? null : Math.round((all / own) * 1000) / 1000;
}
