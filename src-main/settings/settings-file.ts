/**
 * The settings of a YAML file, each with its line. A section named after the product counts as if
 * its members were at the top level; the members of other sections are named `Section:Member`.
 */
import type { Document, LineCounter, YAMLMap } from 'yaml';
import { EngineError } from '../../src-core/index.ts';
import { readNamedText } from './named-file.ts';
import { isSection, plainName } from './setting-names.ts';
import { yamlLibrary } from './yaml-library.ts';

export interface FileSetting {
  /** As spelled in the file, with its sections. */
  name: string;
  value: unknown;
  /** From 1. */
  line: number;
}

const PRODUCT_SECTIONS = new Set(['eventstore', 'kurrentdb', 'kurrent', 'service']);

/** Throws InvalidRequest naming file and line. Never repeats a value: such a file may hold passwords. */
export function readSettingsFile(file: string): FileSetting[] {
  const { LineCounter, isMap } = yamlLibrary();
  const lines = new LineCounter();
  const document = parse(file, lines);
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const [fault] = document.errors;
  if (fault) {
    const line = lineOf(fault.pos[0]);
    throw refused(file, `is not valid YAML: ${fault.message} (line ${line})`, 'Correct the file.', line);
  }
  if (document.contents === null) return [];
  if (!isMap(document.contents)) {
    throw refused(file, 'does not contain settings by name', "Name a server's configuration file.", 1);
  }
  return membersOf(document.contents, '', lineOf).map(({ isNamedTwice, ...setting }) => {
    if (!isNamedTwice) return setting;
    const { name, line } = setting;
    throw refused(file, `names "${name}" a second time (line ${line})`, 'Name each setting once.', line);
  });
}

/** `membersOf` looks for repeated keys: the parser compares each with all before it, which takes minutes for a long file. */
function parse(file: string, lineCounter: LineCounter): Document.Parsed {
  const { parseDocument } = yamlLibrary();
  try {
    return parseDocument(readText(file), { lineCounter, prettyErrors: false, uniqueKeys: false });
  } catch (cause) {
    // The parser recurses at each level.
    if (!(cause instanceof RangeError)) throw cause;
    throw refused(file, 'is nested too deeply', "Name a server's configuration file.", undefined, cause);
  }
}

/** Stands for anything but a single value: lists, sections, aliases. An alias is never followed: it may expand to billions. */
const NO_VALUE = Object.freeze({});

type Member = FileSetting & { isNamedTwice: boolean };

function membersOf(map: YAMLMap, section: string, lineOf: (offset: number) => number): Member[] {
  const { isMap, isScalar } = yamlLibrary();
  const settings: Member[] = [];
  const seen = new Set<string>();
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    const isProduct = section === '' && PRODUCT_SECTIONS.has(plainName(name));
    if (isMap(value) && (isProduct || isSection(name))) {
      settings.push(...membersOf(value, isProduct ? '' : `${name}:`, lineOf));
      continue;
    }
    const content: unknown = isScalar(value) ? value.value : value === null ? null : NO_VALUE;
    const isNamedTwice = seen.has(name);
    settings.push({ name: `${section}${name}`, value: content, line: lineOf(offset), isNamedTwice });
    seen.add(name);
  }
  return settings;
}

function readText(file: string): string {
  return readNamedText({
    file,
    what: 'configuration file',
    field: '--config',
    remedy: 'Check the path and the permissions of the file.'
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
