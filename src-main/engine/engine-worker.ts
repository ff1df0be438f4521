/**
 * Entry of the engine: a worker thread under the command line and in tests, Electron's utility process beside
 * the window. Connects the channel it finds to an EngineServer; decides nothing else. An error that nobody
 * caught ends it, with its last words to the host, because nobody can say what state it left behind.
 */
import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { NodeFileSystem } from '../../src-core/index.ts';
import type { FromEngine, ToEngine } from './engine-protocol.ts';
import { EngineServer } from './engine-server.ts';

/** What Electron adds to `process` in a utility process; declared here so that this file does not import electron. */
interface UtilityParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

interface Channel {
  send: (message: FromEngine) => void;
  onMessage: (listener: (message: ToEngine) => void) => void;
}

/** Time for the last message to leave before the process ends. */
const LAST_WORDS_MS = 50;
const BROKEN_EXIT_CODE = 70;

function findChannel(): Channel | undefined {
  const port = parentPort;
  if (port) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => port.on('message', (message: ToEngine) => listener(message))
    };
  }
  const utilityPort = (process as unknown as { parentPort?: UtilityParentPort }).parentPort;
  if (!utilityPort) return undefined;
  standBehindWindow();
  return {
    send: (message) => utilityPort.postMessage(message),
    onMessage: (listener) => utilityPort.on('message', (event) => listener(event.data as ToEngine))
  };
}

/**
 * Where there are fewer processors than work, the window is drawn first: a scavenge that takes a moment longer is
 * better than a button that does not answer. Threads that the engine starts inherit this.
 */
function standBehindWindow(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here: everything works, only the window is smooth with less certainty.
  }
}

const channel = findChannel();
if (channel) {
  const die = (reason: string): void => {
    channel.send({ kind: 'dying', reason });
    setTimeout(() => process.exit(BROKEN_EXIT_CODE), LAST_WORDS_MS);
  };
  process.on('uncaughtException', (error) => die(error.stack ?? error.message));
  process.on('unhandledRejection', (reason) =>
    die(reason instanceof Error ? (reason.stack ?? reason.message) : String(reason))
  );
  const server = new EngineServer({
    fileSystem: new NodeFileSystem(),
    clock: () => Date.now(),
    send: channel.send,
    onBroken: die
  });
  channel.onMessage((message) => server.handle(message));
}
