/**
 * Names whose hash is in the table already and that memory does not know: whether they are the name that is stored
 * there. A tree that is larger than its cache fetches a page for each such question, so the questions wait and are
 * asked in the order of their hashes, many in one statement that answers with those that are not in the table.
 */
import type { StatementSync } from 'node:sqlite';
import type { NameBytes } from './known-names.ts';
import { PendingUsers } from './pending-users.ts';
import type { StateConnection } from './state-connection.ts';

/** Names of one statement. */
const TOGETHER = 64;
const QUESTION = '(CAST(? AS INTEGER) << 32) | CAST(? AS INTEGER), ?';

/** What answers are given to. */
export interface TakeAnswers {
  /** Called before a question: the answers to it are not to change the table until all of them are taken. */
  makeRoom: (names: number) => void;
  /** A name whose hash the table does not have. */
  takeUnknown: (high: number, low: number, name: string) => void;
}

export class DoubtedNames {
  readonly #store: StateConnection;
  readonly #answers: TakeAnswers;
  readonly #most: number;
  readonly #waiting = new PendingUsers();
  #statement: StatementSync | undefined;
  /** What differed, in no order that counts. */
  #differing: string[] = [];

  /** `most`: names that wait. */
  constructor(store: StateConnection, most: number, answers: TakeAnswers) {
    this.#store = store;
    this.#most = most;
    this.#answers = answers;
  }

  /** A transaction is open. */
  add(high: number, low: number, name: Omit<NameBytes, 'view'>): void {
    if (this.#waiting.count >= this.#most) this.#ask();
    this.#waiting.add(high, low, name);
  }

  /** A name that is not the one that is known for its hash. */
  addDiffering(name: string): void {
    this.#differing.push(name);
  }

  /** The answer about another name with this hash is still open. */
  hasOther(high: number, low: number, name: Omit<NameBytes, 'view'>): boolean {
    return this.#differing.length > 0 || this.#waiting.hasOther(high, low, name);
  }

  /** Names that are not the one that is known for their hash; those of no known hash are handed over before. */
  take(): readonly string[] {
    if (this.#waiting.count > 0) this.#ask();
    if (this.#differing.length === 0) return this.#differing;
    const differing = this.#differing;
    this.#differing = [];
    return differing;
  }

  clear(): void {
    this.#waiting.clear();
    this.#differing = [];
  }

  /** Nothing is asked any more. */
  release(): void {
    this.#waiting.release();
  }

  #ask(): void {
    let questions: (number | string)[] = [];
    this.#waiting.drain((high, low, name) => {
      questions.push(high | 0, low >>> 0, name);
      if (questions.length < TOGETHER * 3) return;
      this.#askOf(questions);
      questions = [];
    });
    if (questions.length === 0) return;
    // The last one over and over: it has been taken up, or found to differ, with its first answer.
    const [high, low, name] = questions.slice(-3);
    while (questions.length < TOGETHER * 3) questions.push(high!, low!, name!);
    this.#askOf(questions);
  }

  #askOf(questions: readonly (number | string)[]): void {
    const statement = (this.#statement ??= this.#store.prepare(
      'SELECT (asked.column1 >> 32) AS high, (asked.column1 & 4294967295) AS low, asked.column2 AS name, ' +
        'HashUsers.key IS NULL AS isUnknown ' +
        `FROM (VALUES ${Array.from({ length: TOGETHER }, () => `(${QUESTION})`).join()}) AS asked ` +
        'LEFT JOIN HashUsers ON HashUsers.key = asked.column1 WHERE HashUsers.value IS NOT asked.column2'
    ));
    this.#answers.makeRoom(TOGETHER);
    for (const { high, low, name, isUnknown } of this.#store.guarded(() => statement.all(...questions))) {
      if (isUnknown === 1) this.#answers.takeUnknown(Number(high) >>> 0, Number(low), String(name));
      else this.#differing.push(String(name));
    }
  }
}
