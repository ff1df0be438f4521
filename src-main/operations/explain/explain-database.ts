/** Why a scavenge keeps or removes an event, a stream's events or a chunk. Only reads. */
import {
  explain,
  eventNumberFromBigInt,
  eventNumberToJson,
  invalidRequest,
  ticksToIso,
  type ExplainAnswer,
  type ExplainQuestion,
  type ExplainedLimits,
  type ExplainedStream,
  type Explanation
} from '../../../src-core/index.ts';
import type { ExplainReport } from '../../contract/operations/explain-reports.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { OperationContext } from '../operation.ts';
import { scavengeOf, withPlannedRequest } from './planned-request.ts';

type ExplainRequest = CheckedRequestOf<'explain'>;

export async function explainDatabase(
  request: ExplainRequest,
  context: OperationContext
): Promise<ExplainReport> {
  const question = questionOf(request);
  const answer = await withPlannedRequest(request, context, (planned, environment) =>
    explain(question, planned, environment)
  );
  return reportOf(answer);
}

function questionOf({ stream, eventNumber, position, chunk }: ExplainRequest): ExplainQuestion {
  const named = [stream, position, chunk].filter((one) => one !== undefined).length;
  if (named !== 1) {
    throw invalidRequest(
      named === 0 ? 'Nothing to explain is named.' : 'More than one thing to explain is named.',
      'stream',
      'Name a stream, a position or a chunk.'
    );
  }
  if (eventNumber !== undefined && stream === undefined) {
    throw invalidRequest(
      'An event number means nothing without its stream.',
      'eventNumber',
      'Name the stream.'
    );
  }
  if (position !== undefined) return { kind: 'position', position };
  if (chunk !== undefined) return { kind: 'chunk', chunk };
  const name = stream ?? '';
  if (eventNumber === undefined) return { kind: 'stream', stream: name };
  return { kind: 'event', stream: name, eventNumber: eventNumberFromBigInt(BigInt(eventNumber)) };
}

function reportOf(answer: ExplainAnswer): ExplainReport {
  const scavenge = scavengeOf(answer.scavenge);
  switch (answer.kind) {
    case 'event': {
      const { kind, stream, eventNumber, isUncommitted, position, chunk, chain } = answer;
      const number = eventNumber === null ? null : eventNumberToJson(eventNumber);
      const uncommitted = isUncommitted ? { uncommitted: true as const } : {};
      const what = { kind, stream, eventNumber: number, ...uncommitted, position, chunk };
      return { ...what, ...wordsOf(answer), chain, scavenge };
    }
    case 'stream':
      return { ...streamOf(answer), scavenge };
    case 'chunk':
      return { ...answer, scavenge };
  }
}

function streamOf({ stream, rules, rulesAtPoint, lastEvent, ranges, unnumberedRecords }: ExplainedStream) {
  return {
    kind: 'stream' as const,
    stream,
    rules: rules && {
      ...limitsOf({
        maxCount: numberOf(rules.maxCount),
        maxAgeSeconds: numberOf(rules.maxAgeSeconds),
        truncateBefore: numberOf(rules.truncateBefore)
      }),
      cacheControlSeconds: jsonOf(numberOf(rules.cacheControlSeconds)),
      acl: rules.acl
    },
    rulesAtPoint: limitsOf(rulesAtPoint),
    lastEvent: jsonOf(lastEvent),
    ranges: ranges.map((range) => ({
      from: eventNumberToJson(range.from),
      to: eventNumberToJson(range.to),
      ...wordsOf(range)
    })),
    unnumberedRecords
  };
}

function wordsOf({ verdict, rule, until, because, change }: Explanation) {
  return { verdict, rule, until: until === null ? null : ticksToIso(until), because, change };
}

function limitsOf({ maxCount, maxAgeSeconds, truncateBefore }: ExplainedLimits) {
  return {
    maxCount: jsonOf(maxCount),
    maxAgeSeconds: jsonOf(maxAgeSeconds),
    truncateBefore: jsonOf(truncateBefore)
  };
}

function numberOf(value: bigint | null): number | null {
  return value === null ? null : eventNumberFromBigInt(value);
}

function jsonOf(value: number | null): number | string | null {
  return value === null ? null : eventNumberToJson(value);
}
