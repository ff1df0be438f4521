/** A fault of the index, which opening collects as a value, as the error of an operation that cannot continue. */
import { EngineError, type IndexDirectory } from '../../../src-core/index.ts';

export function indexProblemAsError(problem: IndexDirectory['problems'][number]): EngineError {
  return new EngineError({
    code: 'IndexCorrupt',
    message: problem.message,
    remedy:
      'Rebuild the index from the log: "winnow index rebuild", or let the server do it at its next start.',
    details: {
      file: problem.file,
      problem: problem.code,
      ...(problem.offset === null ? {} : { offset: problem.offset })
    }
  });
}
