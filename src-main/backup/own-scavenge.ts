/**
 * A Winnow scavenge that runs on the database to be backed up, in any process: found by the description of its
 * door in WINNOW_HOME, asked to pause, and released afterwards; then it resumes by itself with the options it was started
 * with. If it dies meanwhile, its work stays where it paused; if this process dies, it resumes.
 */
import net from 'node:net';
import { EngineError } from '../../src-core/index.ts';
import { describedDoor, onLines, type DoorDescription } from './scavenge-door.ts';

export interface OwnScavenge {
  pid: number;
  scavengeId: string;
}

export interface HeldScavenge extends OwnScavenge {
  /** Throws if the scavenge resumed although it was held: what was copied meanwhile cannot be trusted. */
  requireHeld(): void;
  /** Lets it resume. False: it has ended meanwhile, killed or stopped, and will not resume by itself. */
  release(): boolean;
}

const CONNECT_MS = 10_000;
/** A run stops at the next record; a merge of large chunks may take a while. */
const LIMIT_MS = 10 * 60 * 1000;
const HEARTBEAT_MS = 5000;

/** undefined if none runs; the description of a killed process does not count. */
export async function findOwnScavenge(place: {
  dataDirectory: string;
  winnowHome: string | undefined;
}): Promise<OwnScavenge | undefined> {
  const call = await reach(place);
  call?.socket.destroy();
  return call && { pid: call.door.pid, scavengeId: call.door.scavengeId };
}

/** Asks it to pause and resolves when it has; undefined if there is none, or it ended instead. */
export async function holdOwnScavenge(
  place: { dataDirectory: string; winnowHome: string | undefined },
  signal: AbortSignal | undefined
): Promise<HeldScavenge | undefined> {
  const call = await reach(place);
  if (!call) return undefined;
  const { socket, door } = call;
  const held = new Held(socket, door);
  return (await held.ask(signal)) ? held : undefined;
}

class Held implements HeldScavenge {
  readonly pid: number;
  readonly scavengeId: string;
  readonly #socket: net.Socket;
  #state: 'asked' | 'held' | 'resumed' | 'gone' = 'asked';
  #heartbeat: NodeJS.Timeout | undefined;
  #onChange: () => void = () => undefined;

  constructor(socket: net.Socket, { pid, scavengeId }: DoorDescription) {
    this.pid = pid;
    this.scavengeId = scavengeId;
    this.#socket = socket;
    socket.on('close', () => this.#become('gone'));
    onLines(socket, ({ state }) => {
      if (state === 'held' || state === 'resumed') this.#become(state);
      if (state === 'ended') this.#become('gone');
    });
  }

  async ask(signal: AbortSignal | undefined): Promise<boolean> {
    this.#socket.write('{"ask":"hold"}\n');
    this.#heartbeat = setInterval(() => this.#socket.write('\n'), HEARTBEAT_MS);
    let isLate = false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, LIMIT_MS);
      this.#onChange = () => {
        clearTimeout(timer);
        resolve();
      };
      signal?.addEventListener('abort', this.#onChange, { once: true });
      if (this.#state !== 'asked' || signal?.aborted) this.#onChange();
    });
    this.#onChange = () => undefined;
    if (this.#state === 'held') return true;
    this.#hangUp();
    if (isLate) throw stillRunning(this, `it has not paused within ${LIMIT_MS / 60_000} minutes`);
    return false;
  }

  requireHeld(): void {
    if (this.#state === 'resumed') throw stillRunning(this, 'it lost contact for a while and resumed');
  }

  release(): boolean {
    const isThere = this.#state === 'held' || this.#state === 'resumed';
    this.#hangUp();
    return isThere;
  }

  #hangUp(): void {
    clearInterval(this.#heartbeat);
    this.#socket.destroySoon();
  }

  #become(state: 'held' | 'resumed' | 'gone'): void {
    // That a run has resumed must not be forgotten when its door closes the connection.
    if (this.#state === 'resumed') return;
    this.#state = state;
    this.#onChange();
  }
}

/** Connects to the described door; undefined if no process answers there. */
async function reach(place: {
  dataDirectory: string;
  winnowHome: string | undefined;
}): Promise<{ socket: net.Socket; door: DoorDescription } | undefined> {
  const door =
    place.winnowHome === undefined ? undefined : describedDoor(place.winnowHome, place.dataDirectory);
  if (!door) return undefined;
  const socket = net.connect(door.socket);
  const isThere = await new Promise<boolean>((resolve) => {
    socket.setTimeout(CONNECT_MS, () => resolve(false));
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  socket.on('error', () => undefined);
  socket.setTimeout(0);
  if (isThere) return { socket, door };
  socket.destroy();
  return undefined;
}

function stillRunning({ scavengeId, pid }: OwnScavenge, reason: string): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `The scavenge ${scavengeId} (process ${pid}) is working on this database: ${reason}.`,
    remedy: 'Stop the scavenge, take the backup, and start the scavenge again: it resumes where it stopped.',
    details: { scavengeId, pid }
  });
}
