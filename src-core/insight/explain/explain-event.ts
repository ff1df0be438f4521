/**
 * One event, by its number or by its position. It is looked for in the index first; where that does not know it any
 * more the log is searched, because a scavenge may leave a record behind whose index entry is gone.
 */
import { EngineError, invalidRequest, requireFault } from '../../errors.ts';
import { CommittedNumbers, memberOf } from '../../log/committed-numbers.ts';
import type { LogReader } from '../../log/log-reader.ts';
import type { LogRecord } from '../../records/log-record.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import type { ChainStep, ExplainedEvent, Explanation } from './explanation.ts';
import type { PlannedScavenge } from './planned-scavenge.ts';
import { isNumbered } from './record-ruling.ts';
import type { RecordExplainer } from './record-explainer.ts';
import { reasonAtEnd } from './stream-at-end.ts';
import { RecordsOfStream } from './records-of-stream.ts';
import { becauseOf, numberText, ruleOf } from './wording.ts';

export interface EventQuestion {
  planned: PlannedScavenge;
  explainer: RecordExplainer;
}

/** The event with this number, also one that is gone. */
export async function explainEvent(
  question: EventQuestion,
  { stream, eventNumber }: { stream: string; eventNumber: number }
): Promise<ExplainedEvent> {
  const { planned } = question;
  const { index } = planned.session;
  const indexed = index.firstWritten(stream, eventNumber);
  const position = indexed ?? (await leftoverPosition(planned, stream, eventNumber));
  if (position !== undefined) return explainPosition(question, position, eventNumber);
  const atEnd = question.explainer.atEnd(stream);
  if (atEnd && (atEnd.isDeleted ? eventNumber >= atEnd.last : eventNumber > atEnd.last)) {
    throw noSuchEvent(stream, eventNumber, atEnd.last);
  }
  const entry = index.entries.range(index.hashOf(stream), eventNumber, eventNumber)[0];
  const gone = explainGone(question, stream, eventNumber);
  return {
    kind: 'event',
    scavenge: planned.facts,
    stream,
    eventNumber,
    isUncommitted: false,
    position: entry?.position ?? null,
    chunk: entry ? chunkNumberOf(entry.position, planned.session.database.log.chunkSizeBytes) : null,
    ...gone,
    chain: [stepOf(gone)]
  };
}

/** The record at a position. `knownNumber`: the index knows it under this number. */
export async function explainPosition(
  { planned, explainer }: EventQuestion,
  position: number,
  knownNumber?: number
): Promise<ExplainedEvent> {
  const { log } = planned.session.database;
  const record = (knownNumber === undefined ? undefined : log.readAt(position)) ?? recordNamed(log, position);
  const member = memberOf(record);
  const decided = await explainer.decide(record);
  const breathe = async (): Promise<void> => {
    if (planned.control.isDue()) await planned.control.breathe();
  };
  const committed = member && (await new CommittedNumbers({ log, breathe }).of(member));
  const { facts } = decided;
  return {
    kind: 'event',
    scavenge: planned.facts,
    stream: facts.kind === 'prepare' ? facts.stream : null,
    eventNumber: knownNumber ?? (isNumbered(facts) ? facts.eventNumber : (committed ?? null)),
    isUncommitted: knownNumber === undefined && committed === null,
    position,
    chunk: chunkNumberOf(position, log.chunkSizeBytes),
    ...explainer.explain(decided),
    chain: explainer.chain(decided)
  };
}

/** The record at a position that a person entered; throws InvalidRequest if none begins there. */
export function recordNamed(log: LogReader, position: number): LogRecord {
  const record = recordAt(log, position);
  if (record) return record;
  throw invalidRequest(
    `No record begins at position ${position}: it was removed, or there never was one.`,
    'position',
    'See "winnow records --from" for the existing records.'
  );
}

/** It is damage only if a record begins there: else the question is wrong, and a database is not to be called damaged for it. */
function recordAt(log: LogReader, position: number): LogRecord | undefined {
  try {
    return log.readAt(position);
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    const cursor = log.cursor(log.chunkAt(position)?.startPosition ?? position, position + 1);
    try {
      while (cursor.next());
    } catch {
      throw error;
    } finally {
      cursor.close();
    }
    return undefined;
  }
}

/** Why an event with this number is no longer in the log, as far as the rules at the end of the log show. */
export function explainGone(
  { planned, explainer }: EventQuestion,
  stream: string,
  eventNumber: number,
  isMany = false
): Explanation {
  const atEnd = explainer.atEnd(stream);
  const reason = atEnd && reasonAtEnd(atEnd, { eventNumber }, planned.now);
  const it = isMany ? 'They are' : 'It is';
  const explanation = { verdict: 'alreadyGone' as const, until: null, change: null };
  if (!atEnd || !reason) {
    return {
      ...explanation,
      rule: 'noRule',
      because: `${it} not in the log, and no rule in force says why: an earlier rule discarded ${isMany ? 'them' : 'it'}, or the number was never used.`
    };
  }
  const values = {
    limits: atEnd.limits,
    last: atEnd.last,
    discardPoint: 0,
    keptFrom: 0,
    chunk: null,
    expiry: null,
    lastExpiry: null,
    isMany
  };
  const because =
    reason === 'expired'
      ? `${it} gone: the stream has a $maxAge.`
      : `${it} gone: ${becauseOf(reason, values, planned)}`;
  return { ...explanation, rule: ruleOf(reason), because };
}

async function leftoverPosition(
  planned: PlannedScavenge,
  stream: string,
  eventNumber: number
): Promise<number | undefined> {
  let found: number | undefined;
  await new RecordsOfStream(planned, stream).forEach((record) => {
    if (!record.isSelfCommitted || record.eventNumber !== eventNumber) return;
    found ??= record.position;
  });
  return found;
}

function stepOf({ rule, because }: Explanation): ChainStep {
  return { rule, says: 'discards', text: because };
}

function noSuchEvent(stream: string, eventNumber: number, last: number): EngineError {
  const message =
    last < 0
      ? `There is no stream "${stream}" in this log.`
      : `The stream "${stream}" has no event ${numberText(eventNumber)}; its last one is ${numberText(last)}.`;
  return new EngineError({
    code: 'StreamNotFound',
    message,
    remedy: 'See "winnow streams" for the streams of this database.',
    details: { stream }
  });
}
