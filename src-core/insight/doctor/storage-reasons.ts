/**
 * What a start needs of the machine: that nobody else has the directory, the right to write, room on the disk. Who
 * the server will run as is not known; the owner of writer.chk is taken for it, and the superuser may do everything.
 */
import type { Database } from '../../database/database.ts';
import { keptUse } from '../../replaced/kept-space.ts';
import type { FileFacts } from '../../storage/file-system.ts';
import { CHECKPOINT_NAMES, checkpointFileName } from '../../log/checkpoint-file.ts';
import { REFUSES, startDamage, startHint, type StartFinding } from './start-finding.ts';

const SUPERUSER = 0;
/** The server writes a small file into the directory to see whether it may. */
const LEAST_FREE_BYTES = 1024 * 1024;
const OWNER_MAY_WRITE = 0o200;
const GROUP_MAY_WRITE = 0o020;
const OTHERS_MAY_WRITE = 0o002;

export function storageReasons(database: Database): StartFinding[] {
  return [...inUse(database), ...rights(database), ...room(database)];
}

function inUse({ inUse: holder }: Database): StartFinding[] {
  if (!holder) return [];
  const who = holder.pid === null ? holder.by : `${holder.by} (process ${holder.pid})`;
  return [
    startHint('inUse', {
      file: 'writer.chk',
      message: `${who} has the directory open: this answer is about its next start, given the present files.`,
      remedy: 'Nothing to do. Stop it before you repair anything.',
      effect: 'none',
      wouldDo: 'A second server on this directory ends with exit code 1.',
      serverSays: "Couldn't acquire exclusive lock on DB"
    })
  ];
}

function rights({ fileSystem, dataDirectory }: Database): StartFinding[] {
  const writer = fileSystem.describe(fileSystem.join(dataDirectory, 'writer.chk'));
  const directory = fileSystem.describe(dataDirectory);
  if (!writer || !directory || writer.uid === SUPERUSER) return [];
  const findings: StartFinding[] = [];
  const refused = (file: string | null, what: string): void => {
    findings.push(
      startDamage('notWritable', {
        file,
        message: `${what} is not writable for user ${writer.uid}, who owns writer.chk.`,
        remedy: 'Give the directory and its files to the user of the server (chown, chmod u+rw).',
        effect: 'refuses',
        wouldDo: REFUSES
      })
    );
  };
  if (!mayWrite(directory, writer)) refused(null, 'The data directory');
  for (const name of CHECKPOINT_NAMES.map(checkpointFileName)) {
    const facts = fileSystem.describe(fileSystem.join(dataDirectory, name));
    if (facts && !mayWrite(facts, writer)) refused(name, name);
  }
  return findings;
}

/** As the system decides: rights of others are not those of a member of the group. */
function mayWrite(facts: FileFacts, { uid, gid }: FileFacts): boolean {
  if (facts.uid === uid) return (facts.mode & OWNER_MAY_WRITE) !== 0;
  if (facts.gid === gid) return (facts.mode & GROUP_MAY_WRITE) !== 0;
  return (facts.mode & OTHERS_MAY_WRITE) !== 0;
}

function room(database: Database): StartFinding[] {
  const { fileSystem, dataDirectory, chunkSet } = database;
  const free = fileSystem.freeBytes(dataDirectory);
  const kept = keptUse(database).bytes;
  const forget =
    kept === 0
      ? ''
      : ` ${kept} bytes are what scavenges replaced and is kept: "winnow scavenge --undo --forget ${dataDirectory}" frees them at once.`;
  const needed = chunkSet.chunkSizeBytes;
  const active = chunkSet.chunks.find(({ isActive }) => isActive);
  // Where the log rests between two chunks, the next one is made before the node is ready.
  const needsChunk = active === undefined;
  if (free < LEAST_FREE_BYTES || (needsChunk && free < needed)) {
    return [
      startDamage('diskFull', {
        file: null,
        message: `${free} bytes are free on the volume of the data directory; the start needs ${needsChunk ? Math.max(needed, LEAST_FREE_BYTES) : LEAST_FREE_BYTES}.`,
        remedy: `Free space on the volume: "winnow rescue" shows which chunks free the most.${forget}`,
        effect: 'refuses',
        wouldDo: REFUSES,
        serverSays: 'No space left on device'
      })
    ];
  }
  if (free >= needed) return [];
  return [
    startHint('diskNearlyFull', {
      file: null,
      message: `${free} bytes are free on the volume of the data directory, less than one more chunk (${needed}).`,
      remedy: `Free space on the volume before the chunk being written is full.${forget}`,
      effect: 'none',
      wouldDo: 'It starts, and ends when it has to create the next chunk.'
    })
  ];
}
