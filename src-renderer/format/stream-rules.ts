/** A stream's metadata as rules in words: "keep 5 events, keep for 30 days". */
import type { StreamRow } from '../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../texts.ts';
import { formatCount } from './count.ts';
import { formatSeconds } from './duration.ts';
import { formatNoun } from './noun.ts';

/** 2^63-1 in `$tb` means deleted; as a rule it is no number worth reading. */
const DELETED = '9223372036854775807';

export function rulesInWords(metadata: StreamRow['metadata']): string {
  if (!metadata) return '';
  const words: string[] = [];
  if (metadata.maxCount !== null) {
    words.push(texts.streams.rules.maxCount(formatNoun(Number(metadata.maxCount), 'event')));
  }
  if (metadata.maxAgeSeconds !== null) {
    words.push(texts.streams.rules.maxAge(formatSeconds(Number(metadata.maxAgeSeconds))));
  }
  if (metadata.truncateBefore !== null) {
    words.push(
      String(metadata.truncateBefore) === DELETED
        ? texts.streams.rules.deleted
        : texts.streams.rules.truncateBefore(formatCount(metadata.truncateBefore))
    );
  }
  return words.join(', ');
}
