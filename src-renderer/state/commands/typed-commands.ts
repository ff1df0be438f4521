/** What a typed number could mean: a chunk, a position in the log. */
import { texts } from '../../texts.ts';
import type { Workbench } from '../workbench.svelte.ts';
import type { Command } from './command.ts';

export function commandsForText({ places, database }: Workbench, text: string): Command[] {
  const chunks = database.chunks?.chunks ?? [];
  const typed = text.trim().replaceAll(/[ ,_']/g, '');
  if (!/^\d+$/.test(typed) || places.current.nodeId === null) return [];
  const number = Number(typed);
  const commands: Command[] = [];
  const byNumber = chunks.find((chunk) => chunk.chunkStart <= number && number <= chunk.chunkEnd);
  if (byNumber) {
    commands.push({
      id: 'go.chunk',
      group: 'go',
      name: texts.palette.chunk(typed),
      note: byNumber.file,
      run: () => places.go({ view: 'chunks', item: typed })
    });
  }
  const byPosition = chunks.find((chunk) => chunk.logicalStart <= number && number < chunk.logicalEnd);
  if (byPosition) {
    commands.push({
      id: 'go.record',
      group: 'go',
      name: texts.palette.record(typed),
      note: byPosition.file,
      run: () =>
        places.go({ view: 'chunks', item: String(byPosition.chunkStart), hasRecords: true, record: number })
    });
  }
  return commands;
}
