/** Puts what is no regular file where one is expected. Real ones: a double would not wait as these do. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const IRREGULAR_KINDS = ['a named pipe', '/dev/zero', '/dev/full', 'a directory', 'a socket'] as const;
export type IrregularKind = (typeof IRREGULAR_KINDS)[number];

/** All that may lie where a file is expected, and is not to be read: links that lead nowhere as well, and files without rights. */
export const PLACE_KINDS = [
  ...IRREGULAR_KINDS,
  'a link to nothing',
  'a link to itself',
  'a file without rights'
] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** `nothing`: where a link to nothing leads. A file without rights keeps its bytes; root may read it all the same. */
export async function putInPlace(file: string, kind: PlaceKind, nothing: string): Promise<void> {
  if (kind === 'a file without rights') {
    mkdirSync(path.dirname(file), { recursive: true });
    if (!existsSync(file)) writeFileSync(file, 'bytes');
    chownSync(file, 0, 0);
    chmodSync(file, 0);
  } else if (kind === 'a link to nothing' || kind === 'a link to itself') {
    rmSync(file, { recursive: true, force: true });
    mkdirSync(path.dirname(file), { recursive: true });
    symlinkSync(kind === 'a link to nothing' ? nothing : path.basename(file), file);
  } else await putIrregular(file, kind);
}

/** What lies at `file` is replaced. Returns what a message calls the new thing. */
export async function putIrregular(file: string, kind: IrregularKind): Promise<string> {
  rmSync(file, { recursive: true, force: true });
  mkdirSync(path.dirname(file), { recursive: true });
  if (kind === 'a named pipe') putPipe(file);
  else if (kind === 'a directory') mkdirSync(file);
  else if (kind === 'a socket') await leaveSocket(file);
  else symlinkSync(kind, file);
  return kind.startsWith('/dev/') ? 'a device' : kind;
}

/** Node makes none itself, and to start a program takes longer than most commands: a further pipe is another name of the last. */
let lastPipe: string | undefined;

function putPipe(file: string): void {
  const last = lastPipe;
  lastPipe = file;
  // Something else may lie there by now.
  if (last !== undefined && lstatSync(last, { throwIfNoEntry: false })?.isFIFO()) {
    try {
      return linkSync(last, file);
    } catch {
      // it is on another volume
    }
  }
  execFileSync('mkfifo', [file]);
}

/**
 * As a server leaves it that was killed: Node removes its own when it closes, so the name is a second one. The first is short: that
 * of a socket may have 107 bytes.
 */
async function leaveSocket(file: string): Promise<void> {
  const short = mkdtempSync(path.join(tmpdir(), 's-'));
  const bound = path.join(short, 's');
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(bound, resolve);
  });
  linkSync(bound, file);
  await new Promise((resolve) => server.close(resolve));
  rmSync(short, { recursive: true });
}
