/** State and rules of every stream as one byte each, so that a list can be filtered by them. */
import type { StreamRow } from '../../contract/operations/reports.ts';
import { STREAM_RULES, STREAM_STATES } from '../../contract/operations/operation-contract.ts';
import type { StreamCatalog, StreamView } from './stream-catalog.ts';

type State = (typeof STREAM_STATES)[number];
type Rule = (typeof STREAM_RULES)[number];

/** The state is in the lower bits, each rule has one of its own above them. */
const STATE_MASK = 7;
const RULE_SHIFT = 3;

/** As rows say it; the whole list is read once. Throws OperationStopped. */
export async function readStateMarks(catalog: StreamCatalog, view: StreamView): Promise<Uint8Array> {
  const marks = new Uint8Array(catalog.count);
  let done = 0;
  const all = Uint32Array.from({ length: catalog.count }, (_, at) => at);
  for await (const rows of catalog.rows(all, view)) {
    for (const row of rows) marks[done++] = markOf(row);
  }
  return marks;
}

export function isMarked(
  mark: number,
  { states, rules }: { states: readonly State[]; rules: readonly Rule[] }
): boolean {
  const hasState = states.length === 0 || states.includes(STREAM_STATES[mark & STATE_MASK]!);
  return hasState && (rules.length === 0 || rules.some((rule) => (mark & bitOf(rule)) !== 0));
}

function markOf({ state, metadata }: StreamRow): number {
  const rules: Rule[] = [
    ...(metadata?.maxAgeSeconds == null ? [] : (['maxAge'] as const)),
    ...(metadata?.maxCount == null ? [] : (['maxCount'] as const)),
    ...(metadata?.truncateBefore == null ? [] : (['truncateBefore'] as const))
  ];
  if (rules.length === 0) rules.push('none');
  return rules.reduce((mark, rule) => mark | bitOf(rule), STREAM_STATES.indexOf(state));
}

function bitOf(rule: Rule): number {
  return 1 << (RULE_SHIFT + STREAM_RULES.indexOf(rule));
}
