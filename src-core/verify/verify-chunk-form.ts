/**
 * What names, headers, lengths and owners of chunk files say beside what opening the log looks at: nothing here keeps
 * the log from being read.
 */
import type { Database } from '../database/database.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { entriesIn } from '../storage/directory-entries.ts';
import { unfinishedRestore, RESTORE_MARKER } from '../storage/restore-marker.ts';
import { isUndoUnfinished, UNDO_MARKER } from '../storage/undo-marker.ts';
import { damage, hint, REPAIR_COMMAND, type Finding } from './finding.ts';
import { counted } from '../units/counted.ts';

export function verifyChunkForm(database: Database): Finding[] {
  return [
    ...restoreMarker(database),
    ...undoMarker(database),
    ...ignoredFiles(database),
    ...database.chunkSet.chunks.flatMap((chunk) => [...mergedWithoutVersion(chunk), ...shortActive(chunk)]),
    ...foreignOwners(database)
  ];
}

function restoreMarker({ fileSystem, dataDirectory }: Database): Finding[] {
  const unfinished = unfinishedRestore(fileSystem, dataDirectory);
  if (!unfinished) return [];
  return [
    damage('restoreUnfinished', {
      file: RESTORE_MARKER,
      message: `A restore of ${unfinished.backup} into this directory is unfinished (${unfinished.phase}): files of two databases may be here.`,
      remedy: 'Continue the restore, or undo it.',
      command: `winnow restore --continue --to ${dataDirectory}`
    })
  ];
}

function undoMarker({ fileSystem, dataDirectory }: Database): Finding[] {
  if (!isUndoUnfinished(fileSystem, dataDirectory)) return [];
  return [
    damage('undoUnfinished', {
      file: UNDO_MARKER,
      message:
        'Undoing a scavenge of this directory is unfinished: some files are those of before it, some are newer.',
      remedy: 'Finish it; it resumes where it stopped.',
      command: `winnow scavenge --undo ${dataDirectory}`
    })
  ];
}

/** `chunk-000007.000001.old`: left by a differential backup, or by a person. The server ignores it. */
function ignoredFiles({ fileSystem, dataDirectory }: Database): Finding[] {
  return entriesIn(fileSystem, dataDirectory)
    .filter(({ name, isDirectory }) => !isDirectory && /^chunk-/.test(name) && !name.endsWith('.tmp'))
    .filter(({ name }) => !decodeChunkFileName(name))
    .map(({ name }) => name)
    .sort()
    .map((name) =>
      hint('ignoredFile', {
        file: name,
        message: `${name} is not named like a chunk: the server neither reads nor removes it.`,
        remedy: 'Check what it is, and move it away if it is not needed.'
      })
    );
}

function mergedWithoutVersion(chunk: Chunk): Finding[] {
  if (!chunk.isMerged || chunk.fileVersion > 0) return [];
  return [
    damage('chunkHeaderInvalid', {
      file: chunk.fileName,
      offset: 10,
      position: chunk.startPosition,
      message: `${chunk.fileName} has version 0 in its name, but its header says chunks ${chunk.startNumber} to ${chunk.endNumber}: the server treats it as one chunk and misses the others.`,
      remedy: `Restore ${chunk.fileName} from a backup of this node.`,
      command: REPAIR_COMMAND
    })
  ];
}

/** A copy that was cut behind the data, or a truncation: the server opens it and continues. */
function shortActive(chunk: Chunk): Finding[] {
  const full = chunk.dataStart + chunk.header.chunkSizeBytes;
  const isWhole = chunk.fileSize >= chunk.dataStart + chunk.dataSize;
  if (!chunk.isActive || !isWhole || chunk.fileSize >= full) return [];
  return [
    hint('chunkShort', {
      file: chunk.fileName,
      offset: chunk.fileSize,
      position: chunk.startPosition + chunk.dataSize,
      message: `${chunk.fileName} is being written and has ${chunk.fileSize} bytes instead of its full size; it has all of its records.`,
      remedy: 'Nothing to do: the server continues writing to it.'
    })
  ];
}

/** The server makes completed chunks read-only at its start, which only their owner may. */
function foreignOwners({ fileSystem, dataDirectory, chunkSet }: Database): Finding[] {
  const owner = fileSystem.describe(fileSystem.join(dataDirectory, 'writer.chk'))?.uid;
  if (owner === undefined) return [];
  const foreign = chunkSet.chunks.filter(({ path }) => {
    const uid = fileSystem.describe(path)?.uid;
    return uid !== undefined && uid !== owner;
  });
  const [first] = foreign;
  if (!first) return [];
  const more = foreign.length - 1;
  const files =
    more === 0 ? `${first.fileName} belongs` : `${first.fileName} and ${counted(more, 'more chunk')} belong`;
  return [
    hint('notOwnedByServerUser', {
      file: first.fileName,
      message: `${files} to another user than writer.chk: a server of that user cannot set their permissions and does not start.`,
      remedy: 'Give all files of the directory to the user of the server (chown).'
    })
  ];
}
