/**
 * Chunks that need not be read for the records of some streams: a digest says that they hold none of them. Only what is kept is
 * asked; a chunk of which nothing is known is read.
 */
import type { Chunk, Database } from '../../../src-core/index.ts';
import { digestsOf } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';
import type { QueryTerm } from './record-query.ts';

export interface StreamsAsked {
  /** Our own data, where digests are kept. */
  winnowHome?: string | undefined;
  stream?: string | undefined;
  terms: readonly QueryTerm[];
}

/** A name with it, or with half of a pair, may be one of several sequences of bytes, which only the records themselves tell. */
const REPLACEMENT = '\ufffd';

/** undefined: the question names no streams, and any chunk may hold what it asks for. */
export function lacksStreams(
  { winnowHome, stream, terms }: StreamsAsked,
  { dataDirectory }: Database,
  context: OperationContext
): ((chunk: Chunk) => boolean) | undefined {
  const groups = [stream === undefined ? [] : [stream], exactStreamsOf(terms)].filter(isAskable);
  if (winnowHome === undefined || groups.length === 0) return undefined;
  const digests = digestsOf({ dataDirectory, winnowHome }, context);
  if (digests.isEmpty) return undefined;
  const mayHold = (chunk: Chunk, name: string): boolean =>
    digests.mayHoldStream(chunk, name, context.fileSystem);
  return (chunk) => groups.some((names) => !names.some((name) => mayHold(chunk, name)));
}

/** Of which one must match; none where a pattern is among them. */
function exactStreamsOf(terms: readonly QueryTerm[]): string[] {
  const names = terms.flatMap((term) => (term.key === 'stream' && !term.isNegated ? [term.value] : []));
  return names.some((name) => name.includes('*')) ? [] : names;
}

function isAskable(names: readonly string[]): boolean {
  return names.length > 0 && !names.some((name) => name.includes(REPLACEMENT) || !name.isWellFormed());
}
