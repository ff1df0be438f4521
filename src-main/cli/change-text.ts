/** What a repair makes of a file, in a line: the old value, the new one. */
import type { RepairReport } from '../contract/operations/repair-reports.ts';
import { visibleText } from './visible-text.ts';

type Change = RepairReport['actions'][number]['changes'][number];

export function changeText({ file, kind, offset, old, new: now }: Change): string {
  const name = visibleText(file);
  switch (kind) {
    case 'checkpoint':
      return `${name}: ${old === null ? 'missing' : old} → ${now}`;
    case 'bytes':
      return `${name}, offset ${offset}: ${old} → ${now}`;
    case 'zeros':
      return `${name}, from offset ${offset}: zeros`;
    case 'length':
      return `${name}: ${old} bytes → ${now} bytes`;
    case 'derived':
      return `${name}: rewritten from ${now === 'log' ? 'the log' : visibleText(String(now))}`;
    case 'name':
      return `${old === null ? `${name}: missing` : visibleText(String(old))} → ${
        now === null ? 'moved away' : visibleText(String(now))
      }`;
  }
}
