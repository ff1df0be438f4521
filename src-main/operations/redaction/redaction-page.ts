/** The certificate of a redaction as a page to print and keep. */
import { counted } from '../../../src-core/index.ts';
import type { RedactionReport } from '../../contract/operations/redaction-reports.ts';
import { certificatePage, escapeText as escape } from '../erasure/certificate-page.ts';

const STATE: Record<RedactionReport['events'][number]['state'], string> = {
  toRedact: 'not redacted',
  redacted: 'redacted',
  alreadyRedacted: 'was redacted before',
  empty: 'has no data',
  refused: 'cannot be redacted'
};

export function redactionPage(report: RedactionReport): string {
  return certificatePage({
    title: report.result === 'planned' ? 'Plan of a redaction' : 'Certificate of redaction',
    date: report.startedAt,
    parts: [
      `<p class="verdict ${toneOf(report)}">${escape(redactionSentence(report))}</p>`,
      factsTable(report),
      eventsTable(report),
      chunksTable(report),
      elsewhereTable(report),
      remarksTable(report)
    ]
  });
}

/** The result in one sentence. */
export function redactionSentence({ result, events, notFound, chunks }: RedactionReport): string {
  const of = (state: string): number => events.filter((event) => event.state === state).length;
  const records = (count: number): string => counted(count, 'record');
  const files = counted(chunks.length, 'chunk file');
  if (result === 'stopped') {
    return `Stopped: the data of ${records(of('redacted'))} are overwritten, those of ${records(of('toRedact'))} are not yet.`;
  }
  if (result === 'redacted') {
    const before = of('alreadyRedacted');
    const now =
      chunks.length === 0
        ? 'There was nothing to overwrite.'
        : `The data of ${records(of('redacted'))} are overwritten; ${files} made again.`;
    return now + (before > 0 ? ` ${records(before)} had been redacted before.` : '');
  }
  const refused = of('refused');
  if (refused > 0) return `Refused: ${records(refused)} cannot be redacted, so nothing would be written.`;
  if (notFound.length > 0) {
    return `Refused: of ${notFound.length} requested the log holds no record, so nothing would be written.`;
  }
  if (of('toRedact') === 0) return 'There is nothing to overwrite.';
  return `The data of ${records(of('toRedact'))} would be overwritten; ${files} would be made again.`;
}

function toneOf({ result, events, notFound }: RedactionReport): 'gone' | 'left' | 'open' {
  if (result === 'redacted') return 'gone';
  return notFound.length > 0 || events.some(({ state }) => state === 'refused') ? 'left' : 'open';
}

function factsTable({ dataDirectory, startedAt, endedAt, by, toolVersion }: RedactionReport): string {
  const rows: [string, string][] = [
    ['Data directory', dataDirectory],
    ['Begun', startedAt],
    ['Ended', endedAt],
    ['By', `${by.user} on ${by.host}`],
    ['Winnow', toolVersion]
  ];
  return `<table>${rows.map(([name, value]) => `<tr><th>${name}</th><td><code>${escape(value)}</code></td></tr>`).join('')}</table>`;
}

function eventsTable({ events }: RedactionReport): string {
  const rows = events.map(
    ({ eventId, stream, eventNumber, position, file, dataLength, state, refusal }) =>
      `<tr><td><code>${eventId}</code></td><td><code>${escape(stream)}</code></td><td class="number">${eventNumber}</td>` +
      `<td class="number">${position}</td><td><code>${escape(file)}</code></td><td class="number">${dataLength}</td>` +
      `<td>${STATE[state]}${refusal ? `: ${escape(refusal.why)}` : ''}</td></tr>`
  );
  return `<h2>Events</h2><table><thead><tr><th>Event</th><th>Stream</th><th>Number</th><th>Position</th><th>File</th><th>Data bytes</th><th>State</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function chunksTable({ chunks, swept, result }: RedactionReport): string {
  const rows = chunks.map(
    ({ oldFile, newFile, records, dataBytes, sha256Before, sha256After }) =>
      `<tr><td><code>${escape(oldFile)}</code><br><code>${sha256Before ?? ''}</code></td>` +
      `<td><code>${escape(newFile ?? '')}</code><br><code>${sha256After ?? ''}</code></td>` +
      `<td class="number">${records}</td><td class="number">${dataBytes}</td></tr>`
  );
  const table =
    rows.length === 0
      ? '<p>No chunk file was made again.</p>'
      : `<table><thead><tr><th>Before (SHA-256)</th><th>After (SHA-256)</th><th>Records</th><th>Data bytes</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const gone = result === 'planned' ? 'To be removed as well' : 'Removed as well';
  const names = swept.map((file) => `<code>${escape(file)}</code>`).join(', ');
  return `<h2>Chunk files</h2>${table}${swept.length === 0 ? '' : `<p>${gone}: ${names}</p>`}`;
}

function elsewhereTable({ elsewhere }: RedactionReport): string {
  if (elsewhere.length === 0) {
    return '<h2>Other files of this database</h2><p>None of them holds one of these events.</p>';
  }
  const rows = elsewhere.map(
    ({ eventId, file, records, remedy }) =>
      `<tr><td><code>${eventId}</code></td><td><code>${escape(file)}</code></td><td class="number">${records}</td><td>${escape(remedy)}</td></tr>`
  );
  return `<h2>Other files of this database</h2><table><thead><tr><th>Event</th><th>File</th><th>Count</th><th>Remedy</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function remarksTable({ notCovered }: RedactionReport): string {
  const rows = notCovered.map(
    ({ place, why }) => `<tr><td>${escape(place)}</td><td>${escape(why)}</td></tr>`
  );
  return `<h2>Not covered</h2><table><tbody>${rows.join('')}</tbody></table>`;
}
