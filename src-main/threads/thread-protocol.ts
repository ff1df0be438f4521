/** The messages between a pool of worker threads and each of them. One question at a time is in a thread. */
import type { Outcome } from '../engine/engine-protocol.ts';

export type ToThread<Question> =
  | { kind: 'ask'; question: Question }
  /** The present question is given up; what it comes to then is its outcome. */
  | { kind: 'stop' }
  | { kind: 'close' };

export type FromThread =
  /** How much more is done of the present question. */
  { kind: 'advanced'; count: number } | { kind: 'outcome'; outcome: Outcome };
