/** Checks a gathered database before it replaces the old one, and says what the next start does. */
import {
  EngineError,
  INDEX_MADE_AGAIN,
  doubtfulRecords,
  isIndexFault,
  verifyDatabase,
  type Database,
  type Finding,
  type RestoreWarning
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';

/** Faults after which the server rebuilds its index from the log by itself. */
const MADE_AGAIN = new Set([
  'indexMapInvalid',
  'indexMapMissing',
  'indexAheadOfLog',
  'tableMissing',
  'tableInvalid',
  'tableHashMismatch'
]);

export interface Soundness {
  /** The index would silently give wrong answers; it is not restored. */
  isIndexLeftOut: boolean;
  /** Warnings for the report. */
  warnings: RestoreWarning[];
}

/**
 * Throws if the log is damaged. An index that does not match a sound log is the index's fault and never the log's:
 * one that the server rebuilds by itself is only reported, and one that no server would notice is left out, so that it is
 * rebuilt too. `isKnown`: every byte has already been compared with a hash.
 */
export async function requireSound(
  database: Database,
  { isKnown }: { isKnown: boolean },
  context: OperationContext
): Promise<Soundness> {
  const { findings } = await verifyDatabase({ database, quick: isKnown, control: context.control });
  const damages = findings.filter(({ severity }) => severity === 'damage');
  const ofLog = damages.filter((finding) => !isOfIndex(finding));
  if (ofLog.length > 0) throw unsound(ofLog);
  const doubtful = doubtfulRecords(findings, database);
  if (doubtful) throw unsound(doubtful.findings);
  const [first] = damages;
  if (!first) return { isIndexLeftOut: false, warnings: [] };
  const isIndexLeftOut = damages.some(({ code }) => !MADE_AGAIN.has(code));
  const left = isIndexLeftOut ? ' It was not restored.' : '';
  const warning = { code: first.code, message: `${first.message}${left}`, remedy: INDEX_MADE_AGAIN };
  return { isIndexLeftOut, warnings: [warning] };
}

/** The index is derived completely from the log. */
function isOfIndex(finding: Finding): boolean {
  return isIndexFault(finding) || finding.code.startsWith('filter');
}

function unsound(findings: readonly Finding[]): EngineError {
  const [first, ...others] = findings;
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  return new EngineError({
    code: 'LogCorrupt',
    message: `The backup cannot be restored: ${first!.message}${more}`,
    remedy: 'Use another backup. The target was not changed.',
    details: {
      problem: first!.code,
      ...(first!.file === null ? {} : { file: first!.file }),
      ...(first!.offset === null ? {} : { offset: first!.offset }),
      ...(first!.position === null ? {} : { position: first!.position })
    }
  });
}

/** `cut`: what the start does to the log, in the words of describeTruncation. */
export function nextStartText(parts: { isApplied: boolean; truncatesTo: number; cut?: string }): string {
  const { isApplied, truncatesTo, cut } = parts;
  if (isApplied) {
    return `The log is cut at position ${truncatesTo} here, so the server starts as usual: one start is enough.`;
  }
  return (
    `The first start of the server ${cut ?? `cuts the log at position ${truncatesTo}`}, clears truncate.chk and ends with exit code 0 (servers before 24.6 continue ` +
    'at once); start it a second time and it runs.'
  );
}
