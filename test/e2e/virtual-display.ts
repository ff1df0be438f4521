/**
 * A virtual display (Xvfb) of one worker's own: windows on one display share the clipboard and take the focus from
 * each other.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export interface VirtualDisplay {
  /** For `DISPLAY`. */
  name: string;
  close: () => Promise<void>;
}

/** Starts Xvfb on a free number. undefined: this system has displays of another kind, or no Xvfb. */
export async function startVirtualDisplay(): Promise<VirtualDisplay | undefined> {
  if (process.platform !== 'linux') return undefined;
  const words = ['-displayfd', '3', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp', '-noreset'];
  const server = spawn('Xvfb', words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const exited = once(server, 'exit').catch(() => undefined);
  const numbers = (server.stdio[3] as Readable).setEncoding('utf8');
  const number = await Promise.race([once(numbers, 'data').then(([text]) => String(text).trim()), exited]);
  if (typeof number !== 'string') return undefined;
  return {
    name: `:${number}`,
    close: async () => {
      server.kill();
      await exited;
    }
  };
}
