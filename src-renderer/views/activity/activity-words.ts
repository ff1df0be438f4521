/**
 * How an operation ended, what was requested and what it reported. Names and values of requests and
 * reports are those of the program: none is shown as it is.
 */
import type { ActivityEntry } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { Fact } from '../../components/fact.ts';
import { formatBytes } from '../../format/bytes.ts';
import { formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatTime } from '../../format/time.ts';
import { texts } from '../../texts.ts';

type Scalar = ActivityEntry['options'][string];

export function outcomeWord({ outcome, verdict }: Pick<ActivityEntry, 'outcome' | 'verdict'>): string {
  const judged = outcome === 'done' ? verdict : null;
  return judged === null ? texts.activity.outcomes[outcome] : texts.activity.verdicts[judged];
}

/** The members of a request or report in words; no two have the same name. */
export function memberFacts(members: ActivityEntry['options']): Fact[] {
  const facts = new Map<string, Fact>();
  for (const [member, value] of Object.entries(members)) {
    const short = memberName(member);
    const name = facts.has(short) ? sentence(member.replaceAll('.', ' ')) : short;
    facts.set(name, { name, value: memberText(member, value) });
  }
  return [...facts.values()];
}

/** "Threads", "Bytes removed", "Findings": of `threads`, `bytesRemoved`, `findings.count`. */
function memberName(name: string): string {
  return (
    texts.activity.members[name] ?? sentence(name.replace(/\.count$/, '').replace(/(?<=.)(Bytes|Ms)$/, ''))
  );
}

function memberText(name: string, value: Scalar): string {
  if (value === null) return texts.activity.noValue;
  if (typeof value === 'boolean') return value ? texts.activity.yes : texts.activity.no;
  if (typeof value === 'number') {
    if (/bytes/i.test(name)) return formatBytes(value);
    if (/Ms$/.test(name)) return formatDuration(value);
    return Number.isInteger(value) ? formatCount(value) : String(value);
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formatTime(value);
  return /^[a-z]+(?:[A-Z][a-z]+)+$/.test(value) ? words(value) : value;
}

function words(name: string): string {
  return name.replaceAll(
    /([a-z\d])([A-Z])/g,
    (_, before: string, upper: string) => `${before} ${upper.toLowerCase()}`
  );
}

function sentence(name: string): string {
  const text = words(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
