/**
 * The door of a running scavenge: a local socket of the process that runs it, described in WINNOW_HOME, through which
 * a backup asks it to pause. A pause lasts as long as its connection is open and active, so that it ends with the
 * process that requested it, however that one ends. No process is ever sent a signal.
 *
 * Lines of JSON. The runner sends `{"state":"running",…}` at once. On `{"ask":"hold"}` it pauses, sends `held`, and from
 * then on expects a line now and then; it sends `resumed` before it closes the connection of a silent caller.
 */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { makeDirectories, ownFacts, pipeAddress, type PlatformFacts } from '../../src-core/index.ts';
import { readJsonFile, writeJsonFile } from '../settings/json-file.ts';

/** A caller that is silent for this long counts as dead. */
const SILENCE_MS = 60_000;
const MOST_CALLERS = 16;
const MOST_BYTES = 4096;
/** The system cuts or refuses longer socket names. */
const LONGEST_SOCKET_NAME = 100;

const description = z.object({
  scavengeId: z.string(),
  pid: z.number().int(),
  hostName: z.string(),
  /** For people who read the file: its name is a hash. */
  dataDirectory: z.string(),
  socket: z.string()
});
export type DoorDescription = z.infer<typeof description>;

export interface DoorParts {
  winnowHome: string;
  dataDirectory: string;
  scavengeId: string;
  placement: string;
  threshold: number;
}

/** The runner's side. */
export class ScavengeDoor {
  readonly #parts: DoorParts;
  readonly #callers = new Set<net.Socket>();
  readonly #holders = new Set<net.Socket>();
  #server: net.Server | undefined;
  #socket: string | undefined;
  #pause = new AbortController();
  #isPaused = false;
  #onReleased: (() => void) | undefined;

  private constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  static async open(parts: DoorParts): Promise<ScavengeDoor> {
    const door = new ScavengeDoor(parts);
    await door.#listen();
    return door;
  }

  /** Aborted when a pause is requested. A new one after each pause. */
  get pauseSignal(): AbortSignal {
    return this.#pause.signal;
  }

  /** Call when the run has stopped for its pause. Resolves when the pause is no longer needed, or at `signal`. */
  async whilePaused(signal: AbortSignal | undefined): Promise<void> {
    this.#isPaused = true;
    for (const holder of this.#holders) say(holder, { state: 'held' });
    await new Promise<void>((resolve) => {
      this.#onReleased = resolve;
      signal?.addEventListener('abort', () => resolve(), { once: true });
      if (this.#holders.size === 0 || signal?.aborted) resolve();
    });
    this.#onReleased = undefined;
    this.#isPaused = false;
    this.#pause = new AbortController();
    // Only if the run was stopped: the others have gone.
    for (const holder of this.#holders) holder.end();
    this.#holders.clear();
  }

  close(): void {
    for (const caller of this.#callers) caller.end(line({ state: 'ended' }));
    this.#server?.close();
    const file = fileOf(this.#parts.winnowHome, this.#parts.dataDirectory);
    // Another run may have written its description since.
    if (readJsonFile(file, description)?.socket === this.#socket) fs.rmSync(file, { force: true });
    if (this.#socket !== undefined && ownFacts.hasSocketFiles) fs.rmSync(this.#socket, { force: true });
    try {
      fs.rmdirSync(path.dirname(file));
    } catch {
      // Other runs have theirs there.
    }
  }

  async #listen(): Promise<void> {
    const { winnowHome, dataDirectory, scavengeId } = this.#parts;
    const socket = socketName(winnowHome);
    const server = net.createServer((caller) => this.#answer(caller));
    server.maxConnections = MOST_CALLERS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socket, resolve);
    });
    // The door must not keep a scavenge's process alive.
    server.unref();
    server.on('error', () => undefined);
    this.#server = server;
    this.#socket = socket;
    const about: DoorDescription = {
      scavengeId,
      pid: process.pid,
      hostName: os.hostname(),
      dataDirectory,
      socket
    };
    writeJsonFile(fileOf(winnowHome, dataDirectory), about);
  }

  #answer(caller: net.Socket): void {
    this.#callers.add(caller);
    caller.setTimeout(SILENCE_MS, () => {
      if (this.#holders.has(caller)) caller.write(line({ state: 'resumed' }));
      this.#release(caller);
      caller.destroySoon();
    });
    caller.on('error', () => undefined);
    caller.on('close', () => {
      this.#callers.delete(caller);
      this.#release(caller);
    });
    const { scavengeId, placement, threshold } = this.#parts;
    say(caller, { state: 'running', scavengeId, placement, threshold });
    onLines(caller, (message) => {
      if (message['ask'] !== 'hold' || this.#holders.has(caller)) return;
      this.#holders.add(caller);
      if (this.#isPaused) say(caller, { state: 'held' });
      else this.#pause.abort();
    });
  }

  #release(caller: net.Socket): void {
    if (!this.#holders.delete(caller)) return;
    if (this.#holders.size === 0) this.#onReleased?.();
  }
}

/** The door of the scavenge that runs on a database; undefined if none is described. It may have ended since. */
export function describedDoor(winnowHome: string, dataDirectory: string): DoorDescription | undefined {
  const found = readJsonFile(fileOf(winnowHome, dataDirectory), description);
  return found?.hostName === os.hostname() ? found : undefined;
}

/** One line is one message; a line that is too long or not JSON ends the connection. */
export function onLines(socket: net.Socket, take: (message: Record<string, unknown>) => void): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (part: string) => {
    text += part;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const message = text.slice(0, end);
      text = text.slice(end + 1);
      if (message === '') continue;
      try {
        take(z.record(z.string(), z.unknown()).parse(JSON.parse(message)));
      } catch {
        socket.destroy();
        return;
      }
    }
    if (text.length > MOST_BYTES) socket.destroy();
  });
}

function say(socket: net.Socket, message: object): void {
  socket.write(line(message));
}

function line(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

function fileOf(winnowHome: string, dataDirectory: string): string {
  const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);
  return path.join(winnowHome, 'running-scavenges', `${name}.json`);
}

/** In WINNOW_HOME, which is private; if its name is too long, in a separate directory. Or a pipe, where sockets have no files. */
export function socketName(winnowHome: string, facts: PlatformFacts = ownFacts): string {
  const name = `winnow-${randomUUID().slice(0, 13)}`;
  if (!facts.hasSocketFiles) return pipeAddress(name);
  const directory = path.join(winnowHome, 'running-scavenges');
  const socket = path.join(directory, `${name}.sock`);
  if (Buffer.byteLength(socket) <= LONGEST_SOCKET_NAME) {
    makeDirectories(directory, 0o700);
    return socket;
  }
  return path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-')), 's.sock');
}
