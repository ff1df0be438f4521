/**
 * Why a scavenge keeps or discards an event, a stream's events or a chunk: the answer follows from the state of
 * the very scavenge that the request describes, planned as far as its decisions. Reads only; its state lies in the
 * request's scratch directory and is removed at the end.
 */
import type { ScavengeEnvironment, ScavengeRequest } from '../../scavenge/scavenge-request.ts';
import { explainChunk } from './explain-chunk.ts';
import { explainEvent, explainPosition } from './explain-event.ts';
import { explainStream } from './explain-stream.ts';
import type { ExplainAnswer, ExplainQuestion } from './explanation.ts';
import { openPlannedScavenge } from './planned-scavenge.ts';
import { RecordExplainer } from './record-explainer.ts';

/** Answers one question about the scavenge that `request` describes. */
export async function explain(
  asked: ExplainQuestion,
  request: ScavengeRequest,
  environment: ScavengeEnvironment
): Promise<ExplainAnswer> {
  const planned = await openPlannedScavenge(request, environment);
  try {
    const question = { planned, explainer: new RecordExplainer(planned) };
    switch (asked.kind) {
      case 'event':
        return await explainEvent(question, asked);
      case 'position':
        return await explainPosition(question, asked.position);
      case 'stream':
        return await explainStream(question, asked.stream);
      case 'chunk':
        return await explainChunk(question, asked.chunk);
    }
  } finally {
    planned.close();
  }
}
