/**
 * What the application consists of: versions, formats, bundled libraries with their licences, and the bill of materials.
 * The build writes the files with the licences and the bill beside the built code.
 */
import { readFileSync } from 'node:fs';
import {
  EngineError,
  MANIFEST_VERSION,
  NEWEST_CHUNK_VERSION,
  NEWEST_TABLE_VERSION,
  OLDEST_TABLE_VERSION
} from '../../src-core/index.ts';
import type { BundledLibrary } from '../contract/verbs/application-contract.ts';
import type { VerbHandlers } from '../contract/verbs/verb-handler.ts';
import { saveText, type ChooseSaveFile } from './save-text.ts';

export interface AboutVerbParts {
  /** `process.versions` of the main process and other versions, in display order. */
  versions: readonly { name: string; version: string }[];
  /** Output directories of the build: those of the main process and of the page. */
  licenceFiles: readonly string[];
  billOfMaterials: string;
  /** Not given: the page saves the file itself. */
  chooseSaveFile?: ChooseSaveFile;
}

/** Versions that can be read; Winnow writes the newest of each. */
const FORMATS = [
  { name: 'Chunk files', versions: `2 to ${NEWEST_CHUNK_VERSION}` },
  { name: 'Index tables', versions: `${OLDEST_TABLE_VERSION} to ${NEWEST_TABLE_VERSION}` },
  { name: 'Index map', versions: '1 and 2' },
  { name: 'Backups of Winnow', versions: String(MANIFEST_VERSION) }
];

interface LibraryLicence extends BundledLibrary {
  text: string;
}

export function aboutVerbs(
  parts: AboutVerbParts
): Pick<VerbHandlers, 'about' | 'readLicence' | 'saveBillOfMaterials'> {
  let read: LibraryLicence[] | undefined;
  const libraries = (): LibraryLicence[] => (read ??= readLibraries(parts.licenceFiles));
  return {
    about: () => ({
      versions: [...parts.versions],
      formats: FORMATS.map((format) => ({ ...format })),
      libraries: libraries().map(({ name, version, licence }) => ({ name, version, licence })),
      componentCount: componentCount(parts.billOfMaterials)
    }),
    readLicence: ({ name, version }) => {
      const library = libraries().find((known) => known.name === name && known.version === version);
      return { text: library?.text ?? '' };
    },
    saveBillOfMaterials: async () => {
      const text = readText(parts.billOfMaterials);
      if (text === undefined) {
        throw new EngineError({
          code: 'InvalidRequest',
          message: 'This build has no bill of materials.',
          remedy: 'Build with "npm run build"; packages have one.',
          details: {}
        });
      }
      const proposal = { title: 'Save the bill of materials', name: 'winnow.cdx.json', extension: 'json' };
      return saveText(proposal, text, parts.chooseSaveFile);
    }
  };
}

/** A heading of the files that the bundler writes: `## name - version (licence)`. */
const HEADING = /^## (\S+) - (\S+) \(([^)]*)\)$/;

/** Each library once, by name. A missing file (not built yet) has none. */
export function readLibraries(files: readonly string[]): LibraryLicence[] {
  const found = new Map<string, LibraryLicence>();
  for (const file of files) {
    let library: LibraryLicence | undefined;
    for (const line of (readText(file) ?? '').split('\n')) {
      const [, name, version, licence] = HEADING.exec(line) ?? [];
      if (name !== undefined && version !== undefined && licence !== undefined) {
        library = { name, version, licence, text: '' };
        found.set(`${name}@${version}`, library);
      } else if (library) library.text += `${line}\n`;
    }
  }
  return [...found.values()]
    .map((library) => ({ ...library, text: library.text.trim() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function componentCount(file: string): number | null {
  try {
    const bill = JSON.parse(readText(file) ?? '') as { components?: unknown[] };
    return Array.isArray(bill.components) ? bill.components.length : null;
  } catch {
    return null;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
