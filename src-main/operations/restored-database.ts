/** Looks a gathered database through before it takes the place of the old one, and says what the next start does. */
import { EngineError, verifyDatabase, type Database, type Finding } from '../../src-core/index.ts';
import type { OperationContext } from './operation.ts';

/** Faults at which the server makes its index again from the log. */
const MADE_AGAIN = new Set([
  'indexMapInvalid',
  'indexMapMissing',
  'indexAheadOfLog',
  'tableMissing',
  'tableInvalid',
  'tableHashMismatch',
  'filterMissing',
  'filterInvalid',
  'orphanFile',
  'temporaryFile'
]);

/**
 * Throws when the log does not bear it, or when the index would answer wrongly without anybody noticing. What the
 * server makes again by itself is only said. `isKnown`: every byte was held against a hash already.
 */
export async function requireSound(
  database: Database,
  { isKnown }: { isKnown: boolean },
  context: OperationContext
): Promise<void> {
  const { findings } = await verifyDatabase({ database, quick: isKnown, control: context.control });
  const damages = findings.filter(({ severity }) => severity === 'damage');
  const serious = damages.filter(({ code }) => !MADE_AGAIN.has(code));
  if (serious.length > 0) throw unsound(serious);
  if (damages.length > 0) {
    const message = `${damages[0]!.message} The server makes the index again from the log at its next start.`;
    context.log({ level: 'warning', message });
  }
}

function unsound(findings: readonly Finding[]): EngineError {
  const [first, ...others] = findings;
  const more = others.length === 0 ? '' : ` And ${others.length} more.`;
  return new EngineError({
    code: 'LogCorrupt',
    message: `The backup does not bear a restore: ${first!.message}${more}`,
    remedy: 'Use another backup. The target was not changed.',
    details: {
      problem: first!.code,
      ...(first!.file === null ? {} : { file: first!.file }),
      ...(first!.offset === null ? {} : { offset: first!.offset }),
      ...(first!.position === null ? {} : { position: first!.position })
    }
  });
}

export function nextStartText(parts: { isApplied: boolean; truncatesTo: number; cutBytes?: number }): string {
  const { isApplied, truncatesTo, cutBytes } = parts;
  if (isApplied) {
    return `The log is cut at position ${truncatesTo} here, so the server starts as usual: one start suffices.`;
  }
  const cuts =
    cutBytes === 0
      ? `finds nothing to cut behind position ${truncatesTo}`
      : `cuts the log at position ${truncatesTo}${cutBytes === undefined ? '' : `, ${cutBytes} bytes before its end`}`;
  return (
    `The first start of the server ${cuts}, clears truncate.chk and ends with exit code 0 (servers before 24.6 go on ` +
    'at once); start it a second time and it runs.'
  );
}
