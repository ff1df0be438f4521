/** `winnow serve` with its page over a sample, with the users and sessions that the matrix of requests needs. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { PASSWORD, ask, basic, startServer, type RunningServer } from '../main/http/running-server.ts';
import type { Role } from './http-matrix.ts';

export interface MatrixServer {
  server: RunningServer;
  roles: Record<Role, string | undefined>;
  cookies: Record<Role, string | undefined>;
  /** MiB, as the service tells it. */
  residentMiB: () => Promise<number>;
  /** Gives the exit code. */
  close: () => Promise<number | null>;
}

export async function startMatrixServer(): Promise<MatrixServer> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-http-matrix-'));
  const database = path.join(directory, 'database');
  await runWinnow(['sample', database, '--size', '512KiB', '--chunk-size', '128KiB', '--yes']);
  const words = [database, '--single-node', '--licensing:license-file', 'evaluation', '-q', '--ui'];
  const server = await startServer({ home: path.join(directory, 'home'), words });
  // Known already, so that wrong passwords do not lock them out.
  for (const as of ['admin', 'ops', 'joe'] as const) await ask(server, 'GET /metrics', { as });
  const [admin, ops, joe] = await Promise.all(
    ['admin', 'ops', 'joe'].map((name) => sessionOf(server.url, name))
  );
  return {
    server,
    roles: {
      admin: basic('admin', PASSWORD),
      ops: basic('ops', PASSWORD),
      joe: basic('joe', PASSWORD),
      nobody: undefined,
      stranger: basic('mallory', 'wrong')
    },
    cookies: { admin, ops, joe, nobody: undefined, stranger: 'winnow-session-1=x' },
    residentMiB: async () => {
      const { text } = await ask(server, 'GET /metrics');
      return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
    },
    close: async () => {
      const exitCode = await server.stop('SIGTERM');
      fs.rmSync(directory, { recursive: true, force: true });
      return exitCode;
    }
  };
}

/** The cookie of a log-in to the page. */
async function sessionOf(url: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/ui/session`, {
    method: 'POST',
    headers: { origin: url, 'x-requested-with': 'winnow', 'content-type': 'application/json' },
    body: JSON.stringify({ name, password: PASSWORD })
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
