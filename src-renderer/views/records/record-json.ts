/** A record as JSON to be copied: its data and metadata stand in it as they were written, digit by digit. Pure. */
import type { RecordDescription } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { JsonOutline } from '../../format/json-outline.ts';
import { bodiesOf } from '../../state/records/shown-record.svelte.ts';

const NAMES = ['data', 'metadata'];

export function recordJson(description: Pick<RecordDescription, 'record' | 'fields' | 'bytes'>): string {
  const head = JSON.stringify(description.record, null, 2).replace(/\n\}$/, '');
  const outline = new JsonOutline();
  for (const body of bodiesOf(description)) for (const _ of outline.add(body));
  const parts = outline.parts.map(({ title, from, problem }) => {
    const name = NAMES.find((known) => known === title.toLowerCase()) ?? title;
    return problem === null ? `,\n  "${name}": ${outline.pretty(from).replaceAll('\n', '\n  ')}` : '';
  });
  return `${head}${parts.join('')}\n}`;
}
