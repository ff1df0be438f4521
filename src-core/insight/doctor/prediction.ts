/** From findings to the one sentence: does the node start, and what happens then. */
import type { TruncationPlan } from '../../log/truncation.ts';
import { describeTruncation, type LogFile } from '../../log/truncation-rule.ts';
import { durationWords } from '../../units/duration-words.ts';
import type { StartEstimate } from './start-estimate.ts';
import type { ServerVersion } from './server-version.ts';
import type { StartFinding } from './start-finding.ts';

export type StartOutcome =
  'runs' | 'truncatesAndRuns' | 'truncatesAndExits' | 'rebuildsIndex' | 'refuses' | 'diesLater';

export interface StartPrediction {
  /** The node comes up and stays up; after a truncation perhaps at the second start. */
  starts: boolean;
  then: StartOutcome;
  words: string;
  /** Chunk files that the start deletes because of truncate.chk, each with its bytes; the highest first. */
  deletes: Pick<LogFile, 'file' | 'bytes'>[];
}

export interface Predict {
  findings: readonly StartFinding[];
  truncation: TruncationPlan | undefined;
  server: ServerVersion;
  estimate: StartEstimate;
  /** Not all that the server reads was read. */
  isPartial: boolean;
}

export function predictStart({
  findings,
  truncation,
  server,
  estimate,
  isPartial
}: Predict): StartPrediction {
  const first = (effect: StartFinding['effect']) => findings.find((finding) => finding.effect === effect);
  const refusal = first('refuses');
  const later = first('diesLater');
  const rebuild = first('rebuildsIndex');
  const cut = truncation ? `clears truncate.chk and ${describeTruncation(truncation)}` : '';
  const then: StartOutcome = refusal
    ? 'refuses'
    : later
      ? 'diesLater'
      : truncation
        ? server.endsAfterTruncation
          ? 'truncatesAndExits'
          : 'truncatesAndRuns'
        : rebuild
          ? 'rebuildsIndex'
          : 'runs';
  const overwritten = findings.find(({ code }) => code === 'logOverwritten');
  const starts = `This node will start${isPartial ? ', as far as checked' : ''}`;
  const tail = rebuild
    ? `it rebuilds the index${estimate.readyMs < 1000 ? ' within a second' : `, ${about(estimate.readyMs)}`}`
    : readyWords(estimate.readyMs);
  const deletes = (truncation?.removed ?? []).map(({ file, bytes }) => ({ file, bytes }));
  return { starts: then !== 'refuses' && then !== 'diesLater', then, words: words(), deletes };

  function words(): string {
    switch (then) {
      case 'refuses':
        return cut === ''
          ? `This node will not start: ${lower(refusal!.message)}`
          : `This node will not start. First it ${cut}; then: ${lower(refusal!.message)}`;
      case 'diesLater':
        return `This node will not stay up: its background check ends it when it reaches ${later!.file ?? 'that chunk'}. ${later!.message}`;
      case 'truncatesAndExits':
        return `${starts} at the second attempt: the first one ${cut} and ends with exit code 0; then ${tail}.`;
      case 'truncatesAndRuns':
        return `${starts}: it ${cut}, then ${tail}.`;
      case 'rebuildsIndex':
        return `${starts}; ${tail}.`;
      case 'runs':
        return overwritten
          ? `This node will start with an empty log: ${lower(overwritten.message)}`
          : `${starts}; ${tail}.`;
    }
  }
}

function readyWords(readyMs: number): string {
  return `it is ready ${readyMs < 1000 ? 'within a second' : `after ${about(readyMs)}`}`;
}

function about(ms: number): string {
  return `about ${durationWords(ms)}`;
}

/** A message inside a sentence; names of files keep their letters. */
function lower(message: string): string {
  return /^(The|A|An|Each|There|Chunk|Chunks|Entry|Index|Epoch)\b/.test(message)
    ? message.charAt(0).toLowerCase() + message.slice(1)
    : message;
}
