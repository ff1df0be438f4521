/**
 * One run of the command line: its streams, its engine (started when first needed), its stop signal, and
 * the ways in which commands answer. Commands write only through it, so that `--json`, closed pipes and
 * colours are decided once.
 *
 * Invariants: with `--json` stdout carries JSON and nothing else; a closed pipe is not a failure; everything that
 * is not the answer goes to stderr.
 */
import pc from 'picocolors';
import type { CallOptions, EngineHost } from '../engine/engine-host.ts';
import type {
  Replies,
  ReportOperation,
  RequestOf,
  StreamOperation,
  StreamRows
} from '../contract/operations/operation-contract.ts';
import { EXIT_DONE } from './exit-codes.ts';
import type { GlobalOptions } from './global-options.ts';
import { ProgressLine, type ProgressMode } from './progress-line.ts';
import { jsonPieces, visibleOutput } from './visible-text.ts';

export type Colours = ReturnType<typeof pc.createColors>;

export interface CommandLineParts {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  environment: Record<string, string | undefined>;
}

export class CommandLine {
  readonly parts: CommandLineParts;
  readonly #abort = new AbortController();
  #engine: Promise<EngineHost> | undefined;
  #progress: ProgressLine | undefined;
  #isPipeClosed = false;
  /** By Ctrl+C, which a person presses; other signals come from a service manager. */
  wasInterrupted = false;
  /** Set by a command that asks one question, which is answered before a thread for it would have started. */
  needsNoThread = false;
  /** The exit code when nothing fails. */
  exitCode = EXIT_DONE;

  constructor(parts: CommandLineParts) {
    this.parts = parts;
    for (const stream of [parts.stdout, parts.stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
        // The reader has closed the pipe. Stop work that writes in an orderly way, and report nothing.
        this.#isPipeClosed = true;
        this.stop();
      });
    }
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isPipeClosed(): boolean {
    return this.#isPipeClosed;
  }

  /** Asks running work to stop in an orderly way. */
  stop(): void {
    this.#abort.abort();
  }

  /** The engine itself, for work that takes more than one call. Started when first used. */
  async engine(): Promise<EngineHost> {
    const { environment } = this.parts;
    // Loaded only here: help and refusals need none.
    this.#engine ??= import('./own-engine.ts').then(({ startOwnEngine, ownEngineHere }) =>
      this.needsNoThread ? ownEngineHere(environment) : startOwnEngine(environment)
    );
    return this.#engine;
  }

  get isTerminal(): boolean {
    return this.parts.stdout.isTTY === true;
  }

  get colours(): Colours {
    const { NO_COLOR, TERM } = this.parts.environment;
    return pc.createColors(this.isTerminal && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb');
  }

  /** Runs a report operation of the engine, its progress on stderr. */
  async call<N extends ReportOperation>(
    name: N,
    request: RequestOf<N>,
    options: GlobalOptions
  ): Promise<Replies[N]> {
    try {
      return await (await this.engine()).call(name, request, this.#callOptions(options));
    } finally {
      this.#progress?.clear();
    }
  }

  /** Runs a stream operation of the engine and gives each batch to `take` before it asks for more. */
  async stream<N extends StreamOperation>(
    name: N,
    request: RequestOf<N>,
    options: GlobalOptions,
    take: (rows: StreamRows[N][]) => Promise<void>
  ): Promise<void> {
    try {
      for await (const rows of (await this.engine()).stream(name, request, this.#callOptions(options))) {
        this.#progress?.clear();
        await take(rows);
      }
    } finally {
      this.#progress?.clear();
    }
  }

  /** Writes text for people to stdout; resolves when the reader has caught up. */
  async write(text: string): Promise<void> {
    await this.writeExactly(visibleOutput(text));
  }

  /** Writes what a program reads, character for character. */
  async writeExactly(text: string): Promise<void> {
    if (text === '' || this.#isPipeClosed) return;
    const { stdout } = this.parts;
    if (stdout.write(text)) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        stdout.off('drain', settle);
        stdout.off('error', settle);
        stdout.off('close', settle);
        resolve();
      };
      stdout.on('drain', settle);
      stdout.on('error', settle);
      stdout.on('close', settle);
    });
  }

  /** The one document of `--json`. */
  async writeJson(value: unknown): Promise<void> {
    for (const piece of jsonPieces(value)) await this.writeExactly(piece);
  }

  /** Text that is not the answer: what is about to be done, remarks. */
  say(text: string): void {
    this.#progress?.clear();
    if (!this.#isPipeClosed) this.parts.stderr.write(visibleOutput(text));
  }

  /** A remark for the command's log: silent with `--quiet`, an object with `--progress json`. */
  warn(message: string, options: GlobalOptions): void {
    this.#progress?.clear();
    if (this.#isPipeClosed) return;
    new ProgressLine(this.parts.stderr, this.#progressMode(options)).log({ level: 'warning', message });
  }

  async close(): Promise<void> {
    this.#progress?.clear();
    await (await this.#engine)?.close();
  }

  #callOptions(options: GlobalOptions): CallOptions {
    const progress = new ProgressLine(this.parts.stderr, this.#progressMode(options));
    this.#progress = progress;
    return {
      signal: this.signal,
      onProgress: (snapshot) => {
        if (!this.#isPipeClosed) progress.show(snapshot);
      },
      onLog: (line) => {
        if (!this.#isPipeClosed) progress.log(line);
      }
    };
  }

  #progressMode(options: GlobalOptions): ProgressMode {
    if (options.quiet) return 'none';
    if (options.progress !== undefined) return options.progress;
    return this.parts.stderr.isTTY === true && this.parts.environment['TERM'] !== 'dumb' ? 'bar' : 'lines';
  }
}
