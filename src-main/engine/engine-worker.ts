/**
 * Entry point of the engine: a worker thread for the command line and in tests, Electron's utility process for
 * the window. Connects the channel it finds to an EngineServer; decides nothing else. An uncaught error
 * ends it, with a last message to the host, because the state it left behind is not known.
 */
import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { NodeFileSystem, ownFacts } from '../../src-core/index.ts';
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

/** Time for the last message to leave before the process exits. */
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
 * With fewer processors than work, the window is drawn first: a scavenge that takes a moment longer is
 * better than a button that does not respond. Threads that the engine starts inherit this.
 */
function standBehindWindow(): void {
  try {
    os.setPriority(ownFacts.priorityBehindWindow);
  } catch {
    // Not allowed here: everything works, only the window may be less smooth.
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
