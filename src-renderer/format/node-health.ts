/** What is known of a node at a glance, as short pieces of a line. */
import type { NodeHealth } from '../state/nodes.svelte.ts';
import { texts } from '../texts.ts';
import { formatBytes } from './bytes.ts';
import { formatAge } from './time.ts';

/** Only what is known; `lastVerifiedMs`: of this session. */
export function healthWords(health: NodeHealth, lastVerifiedMs: number | null, nowMs: number): string[] {
  const words = texts.clusters.node;
  const since = (name: string, time: string | number | null): string[] =>
    time === null ? [] : [`${name.toLowerCase()} ${formatAge(time, nowMs)}`];
  return [
    ...since(words.lastScavenge, health.lastScavenged).map((text) =>
      health.lastScavengedFrom === 'files' ? `${text} ${words.atTheLatest}` : text
    ),
    ...since(words.lastBackup, health.lastBackup),
    ...since(words.lastVerify, lastVerifiedMs),
    ...(health.findings ? [`${words.findings.toLowerCase()}: ${health.findings}`] : []),
    ...(health.freeBytes === null ? [] : [texts.work.freeDisk(formatBytes(health.freeBytes))])
  ];
}
