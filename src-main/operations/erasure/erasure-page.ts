/** An erasure report as a page to print and keep. */
import { counted } from '../../../src-core/index.ts';
import type { ErasureReport } from '../../contract/operations/erasure-reports.ts';
import { certificatePage, escapeText as escape } from './certificate-page.ts';

type Verdict = ErasureReport['streams'][number];

const WHAT: Record<Verdict['places'][number]['what'], string> = {
  event: 'events with their data',
  redacted: 'redacted events (their data are overwritten)',
  tombstone: 'tombstone (name)',
  metadata: 'metadata (name)',
  link: 'links to its events',
  mention: 'mentions elsewhere',
  indexEntry: 'index entries (hash)',
  name: 'name in the scavenge state',
  bytes: 'bytes outside of records'
};

const ASKED: Record<Verdict['asked'], string> = { stream: 'Stream', category: 'Category', event: 'Event' };

export function erasurePage(report: ErasureReport): string {
  const parts = [
    `<p class="verdict ${toneOf(report)}">${escape(erasureSentence(report))}</p>`,
    factsTable(report),
    ...report.streams.map(verdictSection),
    remarks('Not examined', report.notExamined, 'Everything was examined.'),
    remarks('Limits of this report', report.notes, ''),
    recheckSection(report),
    filesSection(report)
  ];
  return certificatePage({ title: 'Erasure report', date: report.takenAt, parts });
}

/** The result in one sentence. */
export function erasureSentence({ streams, complete, notExamined, files }: ErasureReport): string {
  const left = streams.filter(({ erased }) => !erased).length;
  const open =
    notExamined.length === 1
      ? 'One place was not examined.'
      : `${notExamined.length} places were not examined.`;
  const looked = `${counted(files.length, 'file')} examined.`;
  if (left > 0) {
    const onlyNames = streams.every(({ dataErased }) => dataErased);
    const what = onlyNames ? 'No data is left, but names or references are' : 'Data is left';
    return `${what}: ${left} of ${streams.length} requested. ${looked}${complete ? '' : ` ${open}`}`;
  }
  return complete
    ? `Nothing requested is left. ${looked}`
    : `Nothing requested was found, but ${open.charAt(0).toLowerCase()}${open.slice(1)} ${looked}`;
}

function toneOf({ streams, complete }: ErasureReport): 'gone' | 'left' | 'open' {
  if (streams.some(({ erased }) => !erased)) return 'left';
  return complete ? 'gone' : 'open';
}

function factsTable(report: ErasureReport): string {
  const rows: [string, string][] = [
    ['Data directory', report.dataDirectory],
    ['Index directory', report.indexDirectory],
    ['Backups', report.backupTargets.length === 0 ? 'none named' : report.backupTargets.join(', ')],
    ['Begun', report.takenAt],
    ['Ended', report.endedAt],
    ['Winnow', report.toolVersion]
  ];
  return `<table>${rows.map(([name, value]) => `<tr><th>${name}</th><td><code>${escape(value)}</code></td></tr>`).join('')}</table>`;
}

function verdictSection({ stream, asked, erased, dataErased, names, places }: Verdict): string {
  const state = erased ? 'erased' : dataErased ? 'data erased, name remains' : 'not erased';
  const heading = `<h2>${ASKED[asked]} <code>${escape(stream)}</code>: ${state}</h2>`;
  const streams =
    names.length === 0
      ? ''
      : `<p>Streams found: ${names.map((name) => `<code>${escape(name)}</code>`).join(', ')}</p>`;
  if (places.length === 0) return heading + streams;
  const rows = places.map(
    ({ kind, what, file, records, firstOffset, remedy }) =>
      `<tr><td>${kind}</td><td>${WHAT[what]}</td><td><code>${escape(file)}</code></td>` +
      `<td class="number">${records}</td><td class="number">${firstOffset}</td><td>${escape(remedy)}</td></tr>`
  );
  return `${heading}${streams}<table><thead><tr><th>Place</th><th>What</th><th>File</th><th>Count</th><th>First at</th><th>Remedy</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function remarks(title: string, rows: readonly { place: string; why: string }[], none: string): string {
  if (rows.length === 0) return none === '' ? '' : `<h2>${title}</h2><p>${none}</p>`;
  const body = rows.map(
    ({ place, why }) => `<tr><td><code>${escape(place)}</code></td><td>${escape(why)}</td></tr>`
  );
  return `<h2>${title}</h2><table><tbody>${body.join('')}</tbody></table>`;
}

function recheckSection({ recheck }: ErasureReport): string {
  if (!recheck) return '';
  const body = recheck.changes.map(
    ({ file, state }) => `<tr><td><code>${escape(file)}</code></td><td>${state}</td></tr>`
  );
  return `<h2>Compared with the report of ${escape(recheck.takenAt)}</h2><p>${counted(recheck.unchanged, 'file is', 'files are')} unchanged.</p><table><tbody>${body.join('')}</tbody></table>`;
}

function filesSection({ files }: ErasureReport): string {
  const rows = files.map(
    ({ file, bytes, sha256 }) =>
      `<tr><td><code>${escape(file)}</code></td><td class="number">${bytes}</td><td><code>${sha256}</code></td></tr>`
  );
  return `<h2>Files examined</h2><table><thead><tr><th>File</th><th>Bytes</th><th>SHA-256</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
