/** The messages between a pool of worker threads and each of them. A thread works on one question at a time. */
import type { Outcome } from '../contract/outcome.ts';

export type ToThread<Question> =
  | { kind: 'ask'; question: Question }
  /** The current question is abandoned; it still sends an outcome. */
  | { kind: 'stop' }
  | { kind: 'close' };

export type FromThread =
  /** Progress of the current question. */
  { kind: 'advanced'; count: number } | { kind: 'outcome'; outcome: Outcome };
