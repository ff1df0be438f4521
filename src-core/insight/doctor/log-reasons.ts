/**
 * What the files of the log and the checkpoints mean for a start. The rules are verification's; here each finding
 * gets what the server makes of it. Reads names, headers, footers and single records, never a whole file.
 */
import { decodeChunkFileName } from '../../chunks/chunk-file-name.ts';
import { CHUNK_HEADER_LENGTH } from '../../chunks/chunk-header.ts';
import type { Database } from '../../database/database.ts';
import type { LogProblem } from '../../log/log-problem.ts';
import { isWithoutMap } from '../../log/missing-map.ts';
import { REPAIR_COMMAND, type Finding } from '../../verify/finding.ts';
import { verifyCheckpoints } from '../../verify/verify-checkpoints.ts';
import { verifyChunkForm } from '../../verify/verify-chunk-form.ts';
import type { ServerVersion } from './server-version.ts';
import {
  asStartFinding,
  NOTHING_CHANGES,
  REFUSES,
  startDamage,
  startHint,
  TAKEN_FOR_EMPTY,
  type StartFinding
} from './start-finding.ts';

/** About the checkpoint files as they lie there, before the server has made or cut any. */
const OF_FILES = new Set(['checkpointMissing', 'checkpointInvalid', 'chaserBehind', 'epochUnknown']);
const PUT_RIGHT: Record<string, string> = {
  checkpointMissing: 'It creates the file with its initial value.',
  chaserBehind: 'It reads the records between, adds them to its index and advances the chaser.',
  epochUnknown: 'It searches backwards through the log for the newest epoch and writes its position.'
};
/** About what they say; `truncate…` has a file of its own. */
const OF_VALUES = new Set(['chaserBeyondWriter', 'writerCheckpointBeyondEnd', 'epochCheckpointInvalid']);

/** The checkpoint files as they are. What follows from a missing or a short one shows in `logReasons`. */
export function checkpointFileReasons(database: Database): StartFinding[] {
  return verifyCheckpoints(database)
    .filter(({ code }) => OF_FILES.has(code))
    .map((finding) => {
      const isImpossible = finding.file === 'chaser.chk' && (database.checkpoints.chaser ?? 0) < -1;
      if (isImpossible) return asStartFinding(finding, { effect: 'refuses', wouldDo: REFUSES });
      if (finding.code === 'checkpointInvalid') {
        return asStartFinding(finding, {
          effect: 'none',
          wouldDo: 'It pads or cuts it to eight bytes and uses them.'
        });
      }
      return asStartFinding(finding, { effect: 'none', wouldDo: PUT_RIGHT[finding.code] ?? NOTHING_CHANGES });
    });
}

/** Everything that opening the log and its epochs decides, on the directory as the server sees it by then. */
export function logReasons(view: Database, server: ServerVersion): StartFinding[] {
  const values = verifyCheckpoints(view).filter(({ code }) => OF_VALUES.has(code));
  const problems = firstOfSurplus(view.problems).map((problem) => problemReason(problem, view, server));
  const asReason = (finding: Finding) => checkpointReason(finding, view);
  const order = (code: string) => SERVER_ORDER.indexOf(code);
  return [
    ...values.filter(({ code }) => code === 'chaserBeyondWriter').map(asReason),
    ...problems.sort((a, b) => order(a.code) - order(b.code)),
    ...tooNew(view, server),
    ...values.filter(({ code }) => code !== 'chaserBeyondWriter').map(asReason),
    ...emptied(view),
    ...verifyChunkForm(view).map((finding) => formReason(finding, view)),
    ...removedFiles(view)
  ];
}

/** May change files that belong to others. */
const SUPERUSER = 0;
/** In the order in which the server reaches them. */
const SERVER_ORDER = [
  'chunkMissing',
  'archiveGap',
  'chunkHeaderInvalid',
  'chunkFooterInvalid',
  'chunkNotCompleted'
];

function checkpointReason(finding: Finding, { log }: Database): StartFinding {
  const name = finding.file?.replace('.chk', '') ?? '';
  // The other fault of an epoch checkpoint, a broken chain of epochs, is found within the log only.
  const isEpochAhead = finding.code === 'epochCheckpointInvalid' && (finding.position ?? -1) >= log.end;
  const isAhead = finding.code === 'chaserBeyondWriter' || isEpochAhead;
  return asStartFinding(finding, {
    effect: 'refuses',
    wouldDo: REFUSES,
    serverSays: isAhead ? `Checkpoint '${name}' has greater value than writer checkpoint.` : null
  });
}

/** Where the writer's position is wrong, every chunk behind it is one too many: said once. */
function firstOfSurplus(problems: readonly LogProblem[]): LogProblem[] {
  const surplus = problems.filter(({ code, severity }) => code === 'surplusChunk' && severity === 'damage');
  const [first] = surplus;
  if (!first || surplus.length === 1) return [...problems];
  const message = `${first.message} So do ${surplus.length - 1} more chunk files.`;
  return problems
    .filter((problem) => problem === first || !surplus.includes(problem))
    .map((problem) => (problem === first ? { ...first, message } : problem));
}

function problemReason(problem: LogProblem, view: Database, server: ServerVersion): StartFinding {
  const isForeign = problem.code === 'encrypted' || problem.code === 'archiveGap';
  const command = problem.severity === 'damage' && !isForeign ? REPAIR_COMMAND : null;
  const finding = { ...problem, command };
  if (problem.code === 'encrypted') {
    return asStartFinding(finding, {
      effect: 'none',
      wouldDo: 'It starts only with its encryption plug-in and the keys.'
    });
  }
  if (problem.code === 'archiveGap' && server.hasArchive) {
    return asStartFinding(finding, {
      effect: 'refuses',
      wouldDo:
        'It starts only if its settings name the archive that holds these chunks; else it ends with exit code 1.'
    });
  }
  const isOfMap = view.chunkSet.chunks.some(
    (chunk) => chunk.fileName === problem.file && isWithoutMap(chunk)
  );
  if (problem.code === 'chunkFooterInvalid' && isOfMap) return asStartFinding(finding, TAKEN_FOR_EMPTY);
  if (problem.severity === 'hint') {
    const wouldDo =
      problem.code === 'surplusChunk'
        ? 'It removes the file.'
        : 'It writes the footer and continues with the next chunk.';
    return asStartFinding(finding, { effect: 'none', wouldDo });
  }
  return asStartFinding(finding, { effect: 'refuses', ...serverOn(problem, view) });
}

function serverOn(
  { code, file }: LogProblem,
  { fileSystem, dataDirectory, chunkSet }: Database
): { wouldDo: string; serverSays: string | null } {
  const path = fileSystem.join(dataDirectory, file ?? '');
  switch (code) {
    case 'chunkMissing':
    case 'archiveGap':
      return { wouldDo: REFUSES, serverSays: file === null ? null : `${path} not found.` };
    case 'chunkNotCompleted':
      return { wouldDo: REFUSES, serverSays: `Chunk file '${path}' should be completed, but is not.` };
    case 'surplusChunk': {
      // With one that is too many it takes exception to the first as well, which it would only remove otherwise.
      const first = fileSystem.join(dataDirectory, chunkSet.surplus[0]?.file ?? '');
      return { wouldDo: REFUSES, serverSays: `Unexpected files: ${first}` };
    }
    case 'chunkHeaderInvalid':
      return headerWords(readHead(path, fileSystem), path, decodeChunkFileName(file ?? '')?.chunkNumber ?? 0);
    case 'chunkTruncated':
      return { wouldDo: REFUSES, serverSays: 'Error in StorageChaser. Terminating...' };
    default:
      return { wouldDo: REFUSES, serverSays: null };
  }
}

function readHead(path: string, fileSystem: Database['fileSystem']): DataView {
  const bytes = new Uint8Array(CHUNK_HEADER_LENGTH);
  const file = fileSystem.open(path, 'read');
  try {
    file.read(bytes, 0, bytes.length, 0);
  } finally {
    file.close();
  }
  return new DataView(bytes.buffer);
}

/** Each field of a header that is wrong makes another error in the server. */
function headerWords(
  head: DataView,
  path: string,
  chunkNumber: number
): { wouldDo: string; serverSays: string | null } {
  const version = head.getUint8(1);
  const first = head.getInt32(6, true);
  if (head.getUint8(0) !== 2) {
    return { wouldDo: REFUSES, serverSays: 'Corrupt database detected.' };
  }
  if (version > 4) {
    return { wouldDo: REFUSES, serverSays: `File ${path} has wrong version: ${version}` };
  }
  if (first > head.getInt32(10, true)) {
    return { wouldDo: REFUSES, serverSays: 'chunkStartNumber is greater than ChunkEndNumber.' };
  }
  return {
    wouldDo:
      'It treats the file as the newest version of that chunk, removes older versions that it seems to replace, and then ends.',
    serverSays: `Requested chunk #${chunkNumber}, which is not present in TFChunkManager.`
  };
}

/** Chunks of a format that servers of the asked version do not know. */
function tooNew(view: Database, server: ServerVersion): StartFinding[] {
  return view.chunkSet.chunks
    .filter(({ header }) => header.minCompatibleVersion > server.newestChunkVersion)
    .slice(0, 1)
    .map(({ fileName, path, header }) =>
      startDamage('chunkTooNew', {
        file: fileName,
        offset: 1,
        message: `${fileName} has chunk format ${header.minCompatibleVersion}; a server ${server.text} reads up to ${server.newestChunkVersion}.`,
        remedy: 'Start the version that wrote it, or a newer one. You cannot go back to an older server.',
        effect: 'refuses',
        wouldDo: REFUSES,
        serverSays: `File ${path} has wrong version: ${header.minCompatibleVersion}`
      })
    );
}

/** No writer.chk, and nothing that contradicts a writer at 0: the server writes a new log over the old one. */
function emptied(view: Database): StartFinding[] {
  const { writer, chaser, epoch } = view.checkpoints;
  const [first] = view.chunkSet.chunks;
  if (
    writer !== 0 ||
    (chaser ?? 0) > 0 ||
    (epoch ?? -1) > 0 ||
    !first ||
    first.fileSize <= CHUNK_HEADER_LENGTH
  ) {
    return [];
  }
  const head = new Uint8Array(4);
  const file = view.fileSystem.open(first.path, 'read');
  try {
    file.read(head, 0, 4, CHUNK_HEADER_LENGTH);
  } finally {
    file.close();
  }
  if (head.every((byte) => byte === 0)) return [];
  return [
    startDamage('logOverwritten', {
      file: first.fileName,
      offset: CHUNK_HEADER_LENGTH,
      position: 0,
      message: `The writer's position is 0, but ${first.fileName} holds records: the server would treat the log as empty.`,
      remedy:
        'Do not start the server. Restore the checkpoints and the chunks from the same backup of this node.',
      command: REPAIR_COMMAND,
      effect: 'none',
      wouldDo: 'It starts and writes a new log over the existing records.'
    })
  ];
}

function formReason(finding: Finding, { fileSystem, dataDirectory }: Database): StartFinding {
  switch (finding.code) {
    case 'restoreUnfinished':
      return asStartFinding(finding, {
        effect: 'refuses',
        wouldDo: 'It ends with exit code 1: until the restore has ended, chaser.chk is ahead of writer.chk.'
      });
    case 'undoUnfinished':
      return asStartFinding(finding, {
        effect: 'refuses',
        wouldDo: 'It ends with exit code 1: until the undo has ended, chaser.chk is ahead of writer.chk.'
      });
    case 'chunkHeaderInvalid':
      return asStartFinding(finding, { effect: 'refuses', wouldDo: REFUSES });
    case 'notOwnedByServerUser': {
      const owner = fileSystem.describe(fileSystem.join(dataDirectory, 'writer.chk'))?.uid;
      if (owner === SUPERUSER) {
        return asStartFinding(finding, {
          effect: 'none',
          wouldDo: 'It continues if it runs as the superuser.'
        });
      }
      return asStartFinding(
        { ...finding, severity: 'damage' },
        {
          effect: 'refuses',
          wouldDo: 'It cannot set the permissions of these files and ends with exit code 1.'
        }
      );
    }
    default:
      return asStartFinding(finding, { effect: 'none', wouldDo: NOTHING_CHANGES });
  }
}

function removedFiles({ chunkSet }: Database): StartFinding[] {
  const gone = (code: string, files: readonly { file: string; fileSize: number }[], what: string) => {
    const [first] = files;
    if (!first) return [];
    const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0);
    const others = files.length === 1 ? '' : ` and ${files.length - 1} more`;
    const isOne = files.length === 1;
    return [
      startHint(code, {
        file: first.file,
        message: `${first.file}${others} (${bytes} bytes) ${isOne ? 'is' : 'are'} ${what}.`,
        remedy: 'Nothing to do.',
        effect: 'none',
        wouldDo: isOne ? 'It removes it.' : 'It removes them.'
      })
    ];
  };
  return [
    ...gone('supersededChunk', chunkSet.superseded, 'replaced by a newer version or a merged chunk'),
    ...gone('temporaryFile', chunkSet.leftovers, 'left over from an interrupted rewrite')
  ];
}
