/** What a person does about a place where something was found. One sentence each; pure. */
import type { ErasureFile } from './erasure-file.ts';
import type { Found } from './place.ts';
import type { Deletion } from './stream-deletions.ts';

export interface RemedyQuestion {
  found: Found;
  file: ErasureFile;
  /** As far as the log says. */
  deletion: Deletion;
}

const SCAVENGE = '"winnow scavenge --threshold -1 --always-keep-scavenged"';

export function remedyFor({ found, file, deletion }: RemedyQuestion): string {
  switch (found.kind) {
    case 'log':
      return logRemedy(found, file, deletion);
    case 'slack':
      return 'These bytes are after the end of the log. A scavenge that completes the active chunk cuts them off; the server removes a file after the last chunk at its next start.';
    case 'supersededChunk':
      return 'A newer version of this chunk is in use. The server deletes this one at its next start; "winnow repair" moves it to a dated folder, which you must then delete.';
    case 'temporaryFile':
      return 'Left by interrupted work. The server deletes it at its next start; "winnow repair" moves it to a dated folder, which you must then delete.';
    case 'index':
      return found.what === 'indexEntry'
        ? 'Run a scavenge, which removes the entries of events that are gone, or "winnow index rebuild" once they are.'
        : 'Run "winnow index rebuild", and delete copies of older indexes.';
    case 'scavengeState':
      return 'The state stores the names of streams. While nothing runs, delete its directory; the next scavenge reads the log again.';
    case 'backup':
      return backupRemedy(file);
    case 'other':
      if (file.name.includes('winnow-replaced/'))
        return 'A scavenge replaced this file, and it is kept so that the scavenge can be undone: remove it with "winnow scavenge --undo --forget".';
      return 'Delete this copy, or what it is part of, once it is no longer needed.';
  }
}

function logRemedy({ what }: Found, file: ErasureFile, deletion: Deletion): string {
  const active =
    file.isActive === true
      ? ' This chunk is still being written: complete it first (a new scavenge point does so).'
      : '';
  switch (what) {
    case 'event':
      if (deletion === 'hard') return `The stream is deleted; run ${SCAVENGE}.${active}`;
      if (deletion === 'soft') {
        return `A soft-deleted stream keeps its last event: hard-delete the stream (tombstone), then run ${SCAVENGE}.${active}`;
      }
      return `Hard-delete the stream (tombstone), then run ${SCAVENGE}.${active}`;
    case 'redacted':
      return `The data of the event are overwritten. Its stream, type, id and metadata remain as long as its record: only deleting the stream and ${SCAVENGE} remove them.`;
    case 'metadata':
      return deletion === 'hard'
        ? `Run ${SCAVENGE}.${active}`
        : `Hard-delete the stream (tombstone), which also removes its metadata, then run ${SCAVENGE}.${active}`;
    case 'tombstone':
      return 'A tombstone keeps the name of its stream for ever, so that it cannot be used again. It holds no data. Only "--unsafe-ignore-hard-deletes" removes it.';
    case 'link':
      return `Truncate or delete the stream that holds the link (projections write such streams again), then run ${SCAVENGE}.${active}`;
    default:
      return `Another stream holds this in its data, metadata or name: truncate or delete that stream, then run ${SCAVENGE}.${active}`;
  }
}

function backupRemedy({ backups = [] }: ErasureFile): string {
  if (backups.length === 0) return 'No finished backup names this file: delete it in the target.';
  const ids =
    backups.length > 3
      ? `${backups.slice(0, 3).join(', ')} and ${backups.length - 3} more`
      : backups.join(', ');
  const it = backups.length === 1 ? 'it' : 'them';
  return `Erase in the ${backups.length === 1 ? 'backup' : 'backups'} ${ids} ("winnow backup scavenge", or "winnow redact" for what was deleted later), or remove ${it} ("winnow backup prune") after a new backup of the cleaned database.`;
}
