/** How much memory the page keeps for itself while nothing goes on. */
import type { CommandLine } from 'electron';

/**
 * Room for young objects of the page, before it is started. It makes few of them at a time; with V8's own limit it keeps about
 * 45 MB for them (docs/performance.md). The engine is not told: only pages get these flags. Who gives some of their own keeps them.
 */
export function limitPageMemory(commandLine: CommandLine): void {
  if (!commandLine.hasSwitch('js-flags')) commandLine.appendSwitch('js-flags', '--max-semi-space-size=4');
}
