/**
 * Starts Electron under Playwright. One start in some dozens never connects on a busy machine: the process is there,
 * but the driver waits for it for ever (seen with an empty page as well). So a start that does not connect in
 * time is given up and made again; what the application itself does wrong shows in every attempt.
 */
import { _electron, type ElectronApplication } from 'playwright-core';

const CONNECT_MS = 15_000;
const CLOSE_MS = 15_000;
const ATTEMPTS = 4;

export type ElectronLaunch = NonNullable<Parameters<typeof _electron.launch>[0]>;

export async function launchElectron(options: ElectronLaunch): Promise<ElectronApplication> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await within(CONNECT_MS * 2, _electron.launch({ ...options, timeout: CONNECT_MS }));
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
    app.process().kill('SIGKILL');
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
