/**
 * How many questions of one user the engine works on at a time. The engine gives all its work turns of a few
 * milliseconds: a user with a hundred questions at once would get a hundred turns for each turn of another.
 *
 * Invariant: memory is bounded; a question whose page is gone is not passed on.
 */
import { EngineError, OperationStopped } from '../../../src-core/index.ts';

export const MOST_QUESTIONS_OF_USER = 4;
export const MOST_WAITING_OF_USER = 64;

interface OwnQuestions {
  running: number;
  waiting: (() => void)[];
}

export class QuestionTurns {
  readonly #users = new Map<string, OwnQuestions>();

  /** `ask` when it is this user's turn; throws OperationStopped when `signal` fired before. */
  async run<T>(user: string, signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
    const own = this.#users.get(user) ?? { running: 0, waiting: [] };
    this.#users.set(user, own);
    if (own.running < MOST_QUESTIONS_OF_USER) own.running++;
    else if (own.waiting.length < MOST_WAITING_OF_USER) {
      await new Promise<void>((resolve) => own.waiting.push(resolve));
    } else throw tooMany();
    try {
      if (signal?.aborted) throw new OperationStopped();
      return await ask();
    } finally {
      this.#hand(user, own);
    }
  }

  /** The turn goes to the question that has waited longest. */
  #hand(user: string, own: OwnQuestions): void {
    const next = own.waiting.shift();
    if (next) next();
    else if (--own.running === 0) this.#users.delete(user);
  }
}

function tooMany(): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `You already have ${MOST_WAITING_OF_USER} questions waiting.`,
    remedy: 'Try again once some of them are answered.',
    details: {}
  });
}
