/**
 * Something about the files of a log that contradicts the format or needs attention. A value, not an exception:
 * looking at a damaged directory must not stop at its first fault. Verification turns them into findings,
 * strict opening throws the first that the server would refuse.
 */
import { READER_VERSION_OFFSET } from '../chunks/chunk-header.ts';
import { EngineError, type ErrorDetails } from '../errors.ts';

export interface LogProblem {
  code:
    | 'chunkHeaderInvalid'
    | 'chunkFooterInvalid'
    | 'chunkMissing'
    | 'chunkTruncated'
    | 'chunkNotCompleted'
    | 'surplusChunk'
    | 'archiveGap'
    | 'writerCheckpointBeyondEnd'
    | 'checkpointMissing'
    | 'chaserBeyondWriter'
    | 'epochCheckpointInvalid'
    | 'encrypted';
  /** Damage: the server refuses, or data cannot be read. Hint: the server copes by itself. */
  severity: 'damage' | 'hint';
  file: string | null;
  offset: number | null;
  position: number | null;
  message: string;
  remedy: string;
}

export function problemAt(
  code: LogProblem['code'],
  severity: LogProblem['severity'],
  file: string | null,
  offset: number | null,
  position: number | null,
  text: { message: string; remedy: string }
): LogProblem {
  return { code, severity, file, offset, position, ...text };
}

/** The same as an error, for callers that need the log whole. */
export function problemAsError(problem: LogProblem): EngineError {
  const details: ErrorDetails = { problem: problem.code };
  if (problem.file !== null) details.file = problem.file;
  if (problem.offset !== null) details.offset = problem.offset;
  if (problem.position !== null) details.position = problem.position;
  const isForeign =
    problem.code === 'encrypted' ||
    problem.code === 'archiveGap' ||
    (problem.code === 'chunkHeaderInvalid' && problem.offset === READER_VERSION_OFFSET);
  return new EngineError({
    code: isForeign ? 'UnsupportedFormat' : 'LogCorrupt',
    message: problem.message,
    remedy: problem.remedy,
    details
  });
}
