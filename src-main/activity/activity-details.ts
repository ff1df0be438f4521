/**
 * One operation as text for a bug report: the request, the result, versions. Contains no data: it never had any. Paths
 * are shortened to what distinguishes them; quoted text, which may be the name of a stream, is left out unless
 * the user includes it.
 */
import type { ActivityEntry, Scalar } from '../contract/operations/activity-reports.ts';

export interface DetailOptions {
  hasStreamNames: boolean;
  /** Versions and platform, one per line. */
  environment: readonly string[];
}

export function activityDetails(entry: ActivityEntry, options: DetailOptions): string {
  const say = (text: string): string => withoutNames(shortPaths(text, entry), options.hasStreamNames);
  const { error } = entry;
  const lines = [
    `Operation: ${entry.operation} (${entry.door})`,
    `Id: ${entry.id}`,
    `Started: ${entry.startedAt}`,
    `Outcome: ${entry.outcome}${entry.verdict === null ? '' : `, ${entry.verdict}`}${entry.elapsedMs === null ? '' : ` after ${entry.elapsedMs} ms`}`,
    ...options.environment,
    `Recorded by: Winnow ${entry.version}`,
    ...section('Options', entry.options, say),
    ...section('Figures', entry.figures, say)
  ];
  if (error) {
    const details = Object.entries(error.details).filter(
      ([name]) => options.hasStreamNames || !NAMES_STREAMS.has(name)
    );
    lines.push('', `Error: ${error.code}`, say(error.message), say(error.remedy));
    for (const [name, value] of details) lines.push(`  ${name}: ${say(String(value))}`);
  }
  if (entry.log.length > 0) lines.push('', 'Log:', ...entry.log.map((line) => `  ${say(line)}`));
  return `${lines.join('\n')}\n`;
}

const NAMES_STREAMS: ReadonlySet<string> = new Set(['stream', 'metastream', 'eventType', 'eventId']);

function section(title: string, members: Record<string, Scalar>, say: (text: string) => string): string[] {
  const rows = Object.entries(members).map(([name, value]) => `  ${name}: ${say(String(value))}`);
  return rows.length === 0 ? [] : ['', `${title}:`, ...rows];
}

/** Replaces the database and its backups with placeholders; keeps the last two parts of any other path. */
function shortPaths(text: string, { dataDirectory, target, hostName }: ActivityEntry): string {
  let short = hostName === '' ? text : text.replaceAll(hostName, '<machine>');
  if (target !== null && target !== '') short = short.replaceAll(target, '<backups>');
  if (dataDirectory !== null && dataDirectory !== '') short = short.replaceAll(dataDirectory, '<data>');
  return short
    .replaceAll(/(?<![\w>:/])\/(?:[^\s/"'():,]+\/)+([^\s/"'():,]+\/[^\s/"'():,]+)/g, '…/$1')
    .replaceAll(/\b[A-Za-z]:\\(?:[^\s\\"']+\\)+([^\s\\"']+\\[^\s\\"']+)/g, '…\\$1');
}

function withoutNames(text: string, hasStreamNames: boolean): string {
  return hasStreamNames ? text : text.replaceAll(/"[^"\n]*"|“[^”\n]*”/g, '"…"');
}
