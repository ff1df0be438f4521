/** What a running node says of its scavenges, in a word or two. */
import type { RemoteMemberState } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { texts } from '../../texts.ts';

export function scavengeInWords(said: RemoteMemberState | undefined): string {
  const words = texts.clusters.view;
  if (said === undefined || said.error !== null) return words.notKnown;
  if (said.currentScavengeId !== null) return words.running(said.currentScavengeId);
  return said.last === null ? words.idle : words.last(said.last.result);
}
