/** A record as JSON to be copied: its data and metadata stand in it as they were written, digit by digit. Pure. */
import type { RecordDescription } from '../../../src-main/contract/verbs/workbench-contract.ts';

export function recordJson({ record, dataJson, metadataJson }: RecordDescription): string {
  const head = JSON.stringify(record, null, 2).replace(/\n\}$/, '');
  const part = (name: string, json: string | null): string =>
    json === null ? '' : `,\n  "${name}": ${json.replaceAll('\n', '\n  ')}`;
  return `${head}${part('data', dataJson)}${part('metadata', metadataJson)}\n}`;
}
