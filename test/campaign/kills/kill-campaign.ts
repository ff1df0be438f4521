/**
 * Kills each command at random moments, several times in a row, judges what is left by a reader that shares no code with
 * the engine, and lets the same command end.
 */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { requireSeen, type SeenEvents } from '../../support/independent/seen-events.ts';
import { Prng } from '../../support/prng.ts';
import { BACKUP_SUBJECTS } from './backup-subjects.ts';
import { DATABASE_SUBJECTS } from './database-subjects.ts';
import { DOOR_SUBJECTS } from './door-subjects.ts';
import { seenIn, type KillSubject } from './kill-subject.ts';
import { requireCommand, runCommand, type CommandEnd } from './killed-command.ts';

export const KILL_SUBJECTS: readonly KillSubject[] = [
  ...DATABASE_SUBJECTS,
  ...BACKUP_SUBJECTS,
  ...DOOR_SUBJECTS
];

/** At most so many kills before a command is left alone. */
const KILLS_IN_A_ROW = 6;
/** Of the time of a whole run: before, the process only starts. */
const EARLIEST = 0.2;
/** How much a run is thought to be shorter after it was not killed in time: the machine has others to serve too. */
const SHORTER = 0.85;

export interface KillResult {
  name: string;
  kills: number;
  /** Runs that ended before the kill. */
  tooLate: number;
  /** Stories that came to their end. */
  finished: number;
  faults: string[];
}

export interface KillOptions {
  seed: number;
  /** Of each subject. */
  kills: number;
  subjects?: readonly KillSubject[];
  say?: (text: string) => void;
}

/** Two subjects at a time: each needs one processor. */
export async function killCommands(options: KillOptions): Promise<KillResult[]> {
  const { seed, kills, subjects = KILL_SUBJECTS, say } = options;
  const waiting = [...subjects];
  const results: KillResult[] = [];
  const work = async (): Promise<void> => {
    for (let subject = waiting.shift(); subject; subject = waiting.shift()) {
      const result = await killSubject(subject, seed, kills);
      results.push(result);
      const { name, tooLate, finished, faults } = result;
      say?.(`${name}: ${result.kills} kills, ${tooLate} came too late, ${finished} ends judged`);
      for (const fault of faults) say?.(`  FAULT ${fault}`);
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

async function killSubject(subject: KillSubject, seed: number, kills: number): Promise<KillResult> {
  const scratch = fs.mkdtempSync(path.join(tmpdir(), 'winnow-killed-'));
  const result: KillResult = { name: subject.name, kills: 0, tooLate: 0, finished: 0, faults: [] };
  try {
    await new KilledSubject(subject, scratch, seed, result).run(kills);
  } catch (error) {
    result.faults.push(inspect(error));
    // What is left of it is what there is to look at.
    if (process.env['WINNOW_KEEP']) return result;
  }
  fs.rmSync(scratch, { recursive: true, force: true });
  return result;
}

class KilledSubject {
  readonly #subject: KillSubject;
  readonly #scratch: string;
  readonly #random: Prng;
  readonly #result: KillResult;
  readonly #before = new Map<string, SeenEvents>();
  #copies = 0;
  #words: readonly string[] = [];
  #tookMs = 0;

  constructor(subject: KillSubject, scratch: string, seed: number, result: KillResult) {
    this.#subject = subject;
    this.#scratch = scratch;
    this.#result = result;
    const letters = [...subject.name].map((letter) => letter.charCodeAt(0));
    this.#random = new Prng(letters.reduce((hash, letter) => Math.imul(hash, 31) + letter, seed));
  }

  async run(kills: number): Promise<void> {
    const { prepare, logs, words, atEnd } = this.#subject;
    const base = path.join(this.#scratch, 'base');
    fs.mkdirSync(base);
    await prepare(base);
    for (const log of logs) this.#before.set(log, seenIn(base, log));
    this.#words = typeof words === 'function' ? await words(base) : words;
    const uncut = this.#copy(base);
    const end = await this.#run(uncut, this.#words);
    this.#tookMs = end.tookMs;
    if (!this.#hasEnded(end)) throw new Error(`left alone it ended with ${end.exitCode}: ${end.stderr}`);
    this.#judge(uncut);
    await atEnd(uncut, uncut);
    while (this.#result.kills < kills) {
      const directory = this.#copy(base);
      const moments: string[] = [];
      try {
        await this.#story(directory, kills, moments);
        await atEnd(directory, uncut);
        this.#result.finished++;
      } catch (error) {
        throw new Error(`${directory}: killed ${moments.join(', ')}`, { cause: error });
      }
      fs.rmSync(directory, { recursive: true, force: true });
    }
  }

  /** Killed a few times, then left alone. */
  async #story(directory: string, kills: number, moments: string[]): Promise<void> {
    const wanted = 1 + this.#random.below(KILLS_IN_A_ROW);
    let words = this.#words;
    for (let i = 0; i < wanted && this.#result.kills < kills; i++) {
      const share = EARLIEST + ((1 - EARLIEST) * this.#random.below(1_000_000)) / 1_000_000;
      const end = await this.#run(directory, words, this.#tookMs * share);
      moments.push(
        `at ${share.toFixed(3)} of ${this.#tookMs.toFixed(0)} ms${end.isKilled ? '' : ' (too late)'}`
      );
      this.#judge(directory);
      this.#subject.atAnyMoment?.(directory);
      if (end.isKilled) {
        this.#result.kills++;
        continue;
      }
      this.#result.tooLate++;
      if (share < 1) this.#tookMs *= SHORTER;
      const next = this.#nextWords(end);
      if (!next) return;
      words = next;
    }
    const next = this.#nextWords(await this.#run(directory, words));
    if (next) await requireCommand(directory, next);
    this.#judge(directory);
  }

  #run(directory: string, words: readonly string[], killAfterMs?: number): Promise<CommandEnd> {
    const { run } = this.#subject;
    return run ? run(directory, killAfterMs) : runCommand(directory, words, killAfterMs);
  }

  #hasEnded({ exitCode, stderr }: CommandEnd): boolean {
    return exitCode === 0 || this.#subject.isDone?.(stderr) === true;
  }

  /** undefined: it came to its end. Throws where it ended badly and named no way on. */
  #nextWords(end: CommandEnd): readonly string[] | undefined {
    if (this.#hasEnded(end)) return undefined;
    const next = this.#subject.goesOnWith?.(end.stderr);
    if (!next) throw new Error(`the same command ended with ${end.exitCode}: ${end.stderr}`);
    return next;
  }

  #judge(directory: string): void {
    const { change } = this.#subject;
    for (const [log, before] of this.#before) requireSeen(before, seenIn(directory, log), change);
  }

  #copy(base: string): string {
    const copy = path.join(this.#scratch, `copy-${this.#copies++}`);
    fs.cpSync(base, copy, { recursive: true, preserveTimestamps: true });
    return copy;
  }
}
