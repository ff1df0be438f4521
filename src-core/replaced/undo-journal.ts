/**
 * How far an undo is: a file in the data directory, replaced as a whole at every step (its name and what others read of it:
 * storage/undo-marker.ts). It holds all that was decided, because a directory that is half put back can no longer be asked.
 *
 *   putting     files come and go; a server refuses to start
 *   finishing   all is in place; the block is lifted, and what was kept goes
 *
 * It names only files of known kinds in the directories that the user names, so one that was planted reaches no further.
 */
import { logCorrupt } from '../errors.ts';
import { CHECKPOINT_NAMES } from '../log/checkpoint-file.ts';
import { readWholeFile, type FileSystem } from '../storage/file-system.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { UNDO_MARKER } from '../storage/undo-marker.ts';
import { isAsideState } from './kept-facts.ts';
import {
  decodeChecked,
  encodeChecked,
  isKeptId,
  kindOfName,
  type KeptArea,
  type KeptManifest
} from './kept-manifest.ts';

export const UNDO_MARKER_TEMPORARY = `${UNDO_MARKER}.new`;
const LARGEST_BYTES = 512 * 1024 * 1024;

export interface UndoJournal {
  phase: 'putting' | 'finishing';
  /** Of what is kept. */
  id: string;
  kind: 'exact' | 'joined';
  indexWithin: string | null;
  /** Files by area and name; completed ones lie elsewhere. */
  puts: { area: KeptArea; name: string; isCompleted: boolean }[];
  removes: { area: KeptArea; name: string }[];
  removesExistence: boolean;
  removesDirectories: string[];
  /** Bytes that the checkpoint files get, hex, chaser.chk as the last; null: no such file. */
  checkpoints: KeptManifest['checkpoints'];
  /** For the report. */
  end: number;
}

export function writeUndoJournal(fileSystem: FileSystem, dataDirectory: string, journal: UndoJournal): void {
  replaceFile(fileSystem, {
    directory: dataDirectory,
    name: UNDO_MARKER,
    temporaryName: UNDO_MARKER_TEMPORARY,
    bytes: encodeChecked({ formatVersion: 1, ...journal })
  });
}

export function removeUndoJournal(fileSystem: FileSystem, dataDirectory: string): void {
  fileSystem.remove(fileSystem.join(dataDirectory, UNDO_MARKER_TEMPORARY));
  fileSystem.remove(fileSystem.join(dataDirectory, UNDO_MARKER));
  fileSystem.syncDirectory(dataDirectory);
}

/** undefined when no undo is under way. */
export function readUndoJournal(fileSystem: FileSystem, dataDirectory: string): UndoJournal | undefined {
  const bytes = readWholeFile(fileSystem, fileSystem.join(dataDirectory, UNDO_MARKER), LARGEST_BYTES);
  if (!bytes) return undefined;
  const content = decodeChecked(bytes);
  const wrong = typeof content === 'string' ? content : whatIsWrong(content);
  if (wrong === undefined) return content as unknown as UndoJournal;
  throw logCorrupt(
    `${UNDO_MARKER} in ${dataDirectory} cannot be read: ${wrong}.`,
    { file: UNDO_MARKER },
    'The files of before the scavenge are in the folder "winnow-replaced" there, under their names. Put them back manually, ' +
      'or restore a backup; then remove this file.'
  );
}

function whatIsWrong(journal: Partial<UndoJournal> & { formatVersion?: unknown }): string | undefined {
  const { phase, id, kind, puts, removes, removesDirectories, checkpoints, end, indexWithin } = journal;
  if (journal.formatVersion !== 1) return `it has the format version ${String(journal.formatVersion)}`;
  if (phase !== 'putting' && phase !== 'finishing') return 'it names no step';
  if (typeof id !== 'string' || !isKeptId(id)) return 'it names nothing that is kept';
  if (kind !== 'exact' && kind !== 'joined') return 'it names no kind';
  if (indexWithin !== null && typeof indexWithin !== 'string') return 'it names no index directory';
  const isFile = (file: { area?: unknown; name?: unknown } | null): boolean =>
    (file?.area === 'data' || file?.area === 'index') &&
    typeof file.name === 'string' &&
    kindOfName(file.area, file.name) !== undefined;
  if (![puts, removes].every((files) => Array.isArray(files) && files.every(isFile)))
    return 'it names files that no scavenge replaces';
  const isOurs = (name: unknown): boolean =>
    typeof name === 'string' && (isAsideState(name) || name === 'scavenging');
  if (!Array.isArray(removesDirectories) || !removesDirectories.every(isOurs))
    return 'it names directories that no scavenge makes';
  const isHex = (text: unknown): boolean =>
    text === null || (typeof text === 'string' && /^([0-9a-f]{2})+$/.test(text));
  if (!checkpoints || !CHECKPOINT_NAMES.every((name) => isHex(checkpoints[name])))
    return 'its checkpoints are missing';
  return typeof end === 'number' && typeof journal.removesExistence === 'boolean'
    ? undefined
    : 'members are missing';
}
