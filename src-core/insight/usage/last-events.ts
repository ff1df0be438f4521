import type { RuledStream } from './ruled-streams.ts';

/** Newest events that the rules of their stream would discard if they were not the newest. */
export class LastEvents {
  records = 0;
  bytes = 0;

  add(ruled: Readonly<RuledStream>): void {
    const { lastNumber, lastBytes, lastMs, truncateBefore, maxCount, maxAgeSeconds, cutoffMs } = ruled;
    if (lastNumber < 0) return;
    const isTruncated = truncateBefore >= 0 && lastNumber < truncateBefore;
    const isTooOld = maxAgeSeconds >= 0 && lastMs < cutoffMs;
    if (!isTruncated && !isTooOld && maxCount !== 0) return;
    this.records++;
    this.bytes += lastBytes;
  }
}
