/** Counts a database, and asks a count everything that there is to ask. */
import { ChunkDigests } from '../../../../src-core/digest/chunk-digests.ts';
import { compareThresholds, usageSavings } from '../../../../src-core/insight/usage/compare-thresholds.ts';
import { newestEvents } from '../../../../src-core/insight/usage/newest-events.ts';
import { readUsage, type Usage } from '../../../../src-core/insight/usage/read-usage.ts';
import { unfreeable } from '../../../../src-core/insight/usage/unfreeable.ts';
import { sumUsage } from '../../../../src-core/insight/usage/usage-items.ts';
import { usageOfNames } from '../../../../src-core/insight/usage/usage-of-names.ts';
import { whatIf } from '../../../../src-core/insight/usage/what-if.ts';
import type { FileSystem } from '../../../../src-core/storage/file-system.ts';
import { NodeFileSystem } from '../../../../src-core/storage/node-file-system.ts';
import { ticksFromIso } from '../../../../src-core/units/ticks.ts';
import { scavengeEnvironment } from '../../../support/scavenge-environment.ts';
import { SAMPLE_TIME } from '../../../support/scavenge-sample.ts';

export interface ReadOptions {
  /** Where digests are kept; nowhere without it. */
  keep?: string;
  now?: string;
  mostNames?: number;
  fileSystem?: FileSystem;
}

/** A count as a fresh process makes it. */
export async function read(
  dataDirectory: string,
  { keep, now = SAMPLE_TIME, mostNames, fileSystem = new NodeFileSystem() }: ReadOptions = {}
): Promise<Usage> {
  const { operation, newGuid } = scavengeEnvironment();
  return readUsage({
    fileSystem,
    dataDirectory,
    effectiveNow: ticksFromIso(now)!,
    digests: new ChunkDigests({ fileSystem, directory: keep, newGuid, threads: 1 }),
    operation,
    newGuid,
    mostNames
  });
}

const NAMED = Array.from({ length: 40 }, (_, i) => `cart-${i}`);

/** Everything that is answered, to compare one reading with another. */
export async function answers(usage: Usage) {
  const { operation } = scavengeEnvironment();
  const breathe = () => Promise.resolve();
  const { last, calendar } = await newestEvents(usage, breathe);
  const named = await usageOfNames(usage, { streams: NAMED, categories: ['cart', 'session'] });
  const rules = [
    { category: 'session', maxAgeSeconds: 86_400, maxCount: null },
    { category: 'cart', maxAgeSeconds: null, maxCount: 2 }
  ];
  return {
    byStream: await sumUsage(usage, 'stream', 1_000_000),
    byCategory: await sumUsage(usage, 'category', 1_000_000),
    byType: await sumUsage(usage, 'type', 1_000_000),
    byLink: await sumUsage(usage, 'link', 1_000_000),
    largest: await sumUsage(usage, 'stream', 7),
    chunks: usage.counts.chunks,
    unfreeable: unfreeable(usage, last),
    days: calendar.days(90),
    named: [...named.streams, ...named.categories].sort((a, b) => (a.name < b.name ? -1 : 1)),
    whatIf: [await whatIf(usage, rules[0]!, breathe), await whatIf(usage, rules[1]!, breathe)],
    thresholds: await compareThresholds(usage, operation),
    savings: await usageSavings(usage, operation)
  };
}
