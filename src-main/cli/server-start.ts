/**
 * The start of a server on the command line: what of the server affects it (words of its own command line, from there
 * and from its configuration file), and its work in words, for `winnow doctor` and `winnow startup`.
 */
import { Option, type Command } from 'commander';
import type { DoctorReport } from '../contract/operations/doctor-reports.ts';
import { durationWords } from '../../src-core/index.ts';
import { formatBytes, formatCount, formatNoun } from './byte-size.ts';
import { plainName } from '../settings/setting-names.ts';
import { readSettingsFile } from '../settings/settings-file.ts';
import { namedDatabase, optional, type DatabaseOptions } from './global-options.ts';

const START_OPTIONS = new Set([
  'maxtruncation',
  'skipdbverify',
  'skipindexverify',
  'maxautomergeindexlevel',
  'streamexistencefiltersize',
  'writestatstodb'
]);

export interface ServerOptions extends DatabaseOptions {
  serverVersion?: string;
}

/** The version, and everything after `--`. */
export function withServerOptions(command: Command): Command {
  return command
    .argument('[serverOptions...]', "options of the server's command line, after --")
    .addOption(
      new Option('--server-version <version>', 'version of the server that will be started, such as 23.10.6')
    );
}

/** The database, and the server that starts on it. */
export function namedStart(db: string | undefined, words: readonly string[], options: ServerOptions) {
  // With a configuration file there is no directory argument, so the first word belongs to the server too.
  const isByFile = options.config !== undefined;
  const ofServer = isByFile && db !== undefined ? [db, ...words] : words;
  const { location } = namedDatabase(isByFile ? undefined : db, options);
  return {
    ...location,
    ...optional('serverVersion', options.serverVersion),
    // The command line comes last, and wins.
    serverArguments: [...startOptions(options.config), ...ofServer]
  };
}

/** Options in the server's configuration file that affect a start, as words of its command line. */
function startOptions(file: string | undefined): string[] {
  if (file === undefined) return [];
  return readSettingsFile(file)
    .filter(({ name }) => START_OPTIONS.has(plainName(name)))
    .map(({ name, value }) => `--${plainName(name)}=${String(value)}`);
}

type Work = DoctorReport['estimate']['work'][number];

export const START_WORK: Record<Work['what'], string> = {
  openChunks: 'open the chunk files',
  hashTables: 'hash the index tables',
  copyIndexAside: 'copy the old index aside',
  readLogIntoIndex: 'read the log into the index',
  loadFilter: 'load the filter of existing streams',
  rebuildFilter: 'rebuild the filter of existing streams',
  readLogIntoFilter: 'read the log into the filter',
  hashChunks: 'hash the chunks'
};

/** `1.2 GiB, 24,000 records`. */
export function workAmount({ bytes, records, entries, files }: Work): string {
  const parts = [
    ...(files === null ? [] : [formatNoun(files, 'file')]),
    ...(bytes === 0 ? [] : [formatBytes(bytes)]),
    ...(records === null ? [] : [formatNoun(records, 'record')]),
    ...(entries === null ? [] : [formatNoun(entries, 'entry', 'entries')])
  ];
  return parts.join(', ');
}

export function workTime(ms: number): string {
  return ms < 1000 ? 'less than a second' : durationWords(ms);
}

/** `250 MB a second, assumed`. */
export function rateWords({ perSecond, of, basis }: Work['rate']): string {
  const amount = of === 'bytes' ? formatBytes(perSecond) : `${formatCount(perSecond)} ${of}`;
  return `${amount} a second, ${basis}`;
}
