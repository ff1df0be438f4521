/** Puts what is no regular file where one is expected. Real ones: a double would not wait as these do. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

export const IRREGULAR_KINDS = ['a named pipe', '/dev/zero', '/dev/full', 'a directory', 'a socket'] as const;
export type IrregularKind = (typeof IRREGULAR_KINDS)[number];

/** What lies at `file` is replaced. Returns what a message calls the new thing. */
export async function putIrregular(file: string, kind: IrregularKind): Promise<string> {
  rmSync(file, { recursive: true, force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  if (kind === 'a named pipe') execFileSync('mkfifo', [file]);
  else if (kind === 'a directory') mkdirSync(file);
  else if (kind === 'a socket') await leaveSocket(file);
  else symlinkSync(kind, file);
  return kind.startsWith('/dev/') ? 'a device' : kind;
}

/** As a server leaves it that was killed: Node removes its own when it closes, so the name is a second one. */
async function leaveSocket(file: string): Promise<void> {
  const bound = `${file}.bound`;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(bound, resolve));
  execFileSync('ln', [bound, file]);
  await new Promise((resolve) => server.close(resolve));
}
