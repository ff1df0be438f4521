/** By which rules bytes of an item would be removed, as far as that is known: a plan counts them by category and stream. Pure. */
import type { RemovedReport } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { formatBytes } from '../../format/bytes.ts';
import { texts } from '../../texts.ts';
import type { UsageBy } from './usage-items.ts';

/** @param removed what the newest plan removes, by rule; undefined where there is no such plan */
export function removedByRuleInWords(
  by: UsageBy,
  name: string,
  removed: Pick<RemovedReport, 'byCategory' | 'byStream'> | undefined
): string {
  const { card } = texts.usage;
  if (by !== 'category' && by !== 'stream') return card.rulesOfStreams;
  if (!removed) return card.needsPlan;
  const { items, itemCount } = by === 'category' ? removed.byCategory : removed.byStream;
  const item = items.find((one) => one.name === name);
  if (!item) return itemCount > items.length ? card.notNamed : card.none;
  return item.byRule
    .map(({ rule, bytes }) => `${texts.scavengeFlow.rules[rule]} ${formatBytes(bytes)}`)
    .join(', ');
}
