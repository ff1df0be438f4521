/**
 * What scavenges replaced and kept goes by itself: when a look at a directory shows that its time is over, its removal is asked
 * for. Nobody waits for that, and a failure is left to the next look.
 */
import type { InspectReport } from '../contract/operations/reports.ts';
import type { EngineHost } from './engine-host.ts';

export function expireWhenSeen(
  engine: Pick<EngineHost, 'call'>,
  { dataDirectory, indexDirectory, replaced }: Partial<InspectReport>,
  nowMs: number
): void {
  const isOver = replaced?.kept.some(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) <= nowMs);
  if (isOver !== true || dataDirectory === undefined || indexDirectory === undefined) return;
  engine.call('forgetReplaced', { dataDirectory, indexDirectory, expired: true }).catch(() => undefined);
}
