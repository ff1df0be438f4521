/**
 * The files of backup targets for an erasure report: those that manifests name, each once even if several backups share
 * it, and everything else in the target. Stored files are decoded; without the key they are not examined.
 */
import {
  erasureFileForm,
  isKnownErasureName,
  readBackupFile,
  readCatalogue,
  type ErasureFile,
  type ManifestFile,
  requireFault
} from '../../../src-core/index.ts';
import type { OpenTarget } from '../../backup/open-target.ts';

interface Remark {
  place: string;
  why: string;
}

export interface BackupFiles {
  files: ErasureFile[];
  notExamined: Remark[];
}

interface SharedFile {
  file: ManifestFile;
  backups: string[];
}

/** Text files that Winnow writes beside the others. */
const OUR_TEXT = /(^|\/)(manifest|progress|results)\.json$|^\.winnow-(backup\.lock|lease)/;

export async function listBackupFiles({ target, decode, lacksKey }: OpenTarget): Promise<BackupFiles> {
  const files: ErasureFile[] = [];
  const notExamined: Remark[] = [];
  const placeOf = (object: string) => `${target.description}/${object}`;

  const named = await namedObjects(target);
  let withoutKey = 0;
  for (const { file, backups } of named.values()) {
    if (lacksKey(file)) {
      withoutKey++;
      continue;
    }
    files.push({
      name: placeOf(file.object),
      kind: 'backup',
      form: erasureFileForm(file.name),
      bytes: file.bytes,
      backups,
      ...notReadable(file.name),
      blocks: () => readBackupFile(target, file, decode)
    });
  }
  if (withoutKey > 0) {
    notExamined.push({
      place: target.description,
      why: `${withoutKey} files of its backups are encrypted, and no key was given (--key-file).`
    });
  }
  for (const { name, size } of await target.list('')) {
    if (named.has(name)) continue;
    files.push({
      name: placeOf(name),
      kind: 'backup',
      form: erasureFileForm(name),
      bytes: size,
      backups: [],
      ...notReadable(name),
      blocks: () => target.read(name)
    });
  }
  return { files, notExamined };
}

/** By object: files of manifests, with the ids of the backups that name them. */
async function namedObjects(target: OpenTarget['target']): Promise<Map<string, SharedFile>> {
  const { backups } = await readCatalogue(target);
  const named = new Map<string, SharedFile>();
  for (const { id, files } of backups) {
    for (const file of files) {
      const shared = named.get(file.object);
      if (shared) shared.backups.push(id);
      else named.set(file.object, { file, backups: [id] });
    }
  }
  return named;
}

function notReadable(name: string): { notReadable?: string } {
  if (OUR_TEXT.test(name) || isKnownErasureName(name)) return {};
  return {
    notReadable: 'It is not a file of a known backup; it was searched as plain bytes only.'
  };
}

/** A target that cannot be opened is a place that was not examined, not a failure of the report. */
export function unreachableTarget(location: string, error: unknown): Remark {
  requireFault(error);
  return { place: location, why: error.message };
}
