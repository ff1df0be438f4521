/**
 * The settings of a YAML file, each with the line it stands on. A section named after the product counts as if
 * its members stood at the top; the members of other sections are named `Section:Member`.
 */
import { LineCounter, isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { EngineError } from '../../src-core/index.ts';
import { readNamedText } from './named-file.ts';
import { plainName } from './setting-names.ts';

export interface FileSetting {
  /** As spelled in the file, sections in front. */
  name: string;
  value: unknown;
  /** From 1. */
  line: number;
}

/** Sections with members of ours; others are a setting of the server as a whole. */
const SECTIONS = new Set(['autoscavenge', 'licensing']);
const PRODUCT_SECTIONS = new Set(['eventstore', 'kurrentdb', 'kurrent', 'service']);

/** Throws InvalidRequest naming file and line. Never repeats a value: such a file may hold passwords. */
export function readSettingsFile(file: string): FileSetting[] {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault) {
    const { line } = lines.linePos(fault.pos[0]);
    throw refused(file, `is not valid YAML: ${fault.message} (line ${line})`, 'Correct the file.', line);
  }
  if (document.contents === null) return [];
  if (!isMap(document.contents)) {
    throw refused(file, 'does not hold settings by name', "Name a server's configuration file.", 1);
  }
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  return membersOf(document.contents, '', lineOf);
}

function membersOf(map: YAMLMap, section: string, lineOf: (offset: number) => number): FileSetting[] {
  const settings: FileSetting[] = [];
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    const isProduct = section === '' && PRODUCT_SECTIONS.has(plainName(name));
    if (isMap(value) && (isProduct || SECTIONS.has(plainName(name)))) {
      settings.push(...membersOf(value, isProduct ? '' : `${name}:`, lineOf));
      continue;
    }
    const content: unknown = isScalar(value) ? value.value : value === null ? null : value;
    settings.push({ name: `${section}${name}`, value: content, line: lineOf(offset) });
  }
  return settings;
}

function readText(file: string): string {
  return readNamedText({
    file,
    what: 'configuration file',
    field: '--config',
    remedy: 'Check the path and the rights to the file.'
  });
}

function refused(file: string, what: string, remedy: string, line?: number, cause?: unknown): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: `The configuration file ${file} ${what}.`,
    remedy,
    details: { field: '--config', file, ...(line === undefined ? {} : { line }) },
    cause
  });
}
