/** When a disk is full, as a person says it. */
import type { GrowthReport } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { formatDay } from '../../format/time.ts';
import { texts } from '../../texts.ts';

export function fullText(full: GrowthReport['full']['withScavenges']): string {
  return full === null ? texts.usage.growth.never : texts.usage.growth.at(formatDay(full.at));
}
