/**
 * Starts Electron under Playwright. Without a path of its own Playwright takes the Electron of node_modules and holds
 * `app.whenReady` back until it is connected: a window that opens earlier can navigate while the driver attaches to it,
 * and the driver then waits for ever. A start that does not connect in time for another reason is given up and made
 * again; what the application itself does wrong shows in every attempt.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { _electron, type ElectronApplication } from 'playwright-core';
import { ensureElectron } from '../../scripts/electron-runtime.mjs';

const CONNECT_MS = 15_000;
const CLOSE_MS = 15_000;
const END_MS = 5000;
const ATTEMPTS = 4;

export type ElectronLaunch = Omit<NonNullable<Parameters<typeof _electron.launch>[0]>, 'executablePath'>;

/** The driver forgets the process of an application that has ended. */
const processes = new WeakMap<ElectronApplication, ChildProcess>();

export async function launchElectron(options: ElectronLaunch): Promise<ElectronApplication> {
  await ensureElectron();
  for (let attempt = 1; ; attempt++) {
    try {
      const app = await within(CONNECT_MS * 2, _electron.launch({ ...options, timeout: CONNECT_MS }));
      processes.set(app, app.process());
      return app;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.error(`Electron did not connect, attempt ${attempt} of ${ATTEMPTS}: ${String(error)}`);
    }
  }
}

/** Ends the application, by force if it does not end by itself. */
export async function closeElectron(app: ElectronApplication): Promise<void> {
  try {
    await within(CLOSE_MS, app.close());
  } catch {
    processes.get(app)?.kill('SIGKILL');
  }
}

/** Ends the application at once, whatever it is doing: it asks nothing and stores nothing more. */
export async function endElectron(app: ElectronApplication): Promise<void> {
  const child = processes.get(app);
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  app.evaluate(({ app: own }) => own.exit(0)).catch(() => undefined);
  try {
    await within(END_MS, ended);
  } catch {
    child.kill('SIGKILL');
    await ended;
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing happened for ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
