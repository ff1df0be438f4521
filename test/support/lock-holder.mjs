/**
 * Another process that locks a file as a server or another machine would, until its standard input ends:
 *   node lock-holder.mjs loop FILE     opens and locks it shared without waiting, again and again, as a server that starts
 *   node lock-holder.mjs record FILE   a record lock of the whole file, as a share shows what another machine holds
 * Says `ready` first, and at the end, of a loop, how often it tried and was refused.
 */
import { closeSync, openSync } from 'node:fs';
import koffi from 'koffi';

const [kind, file] = process.argv.slice(2);
const LOCK_SHARED_WITHOUT_WAITING = 1 | 4;
const F_OFD_SETLK = 37;
const library = koffi.load(process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6');
const flock = library.func('int flock(int, int)');
const fcntl = library.func('int fcntl(int, int, ...)');

let isDone = false;
process.stdin.on('end', () => (isDone = true)).resume();

if (kind === 'record') {
  const lock = Buffer.alloc(32);
  lock.writeInt16LE(1, 0);
  if (fcntl(openSync(file, 'r+'), F_OFD_SETLK, 'void *', lock) !== 0) throw new Error('no record lock');
  console.log('ready');
} else {
  let tried = 0;
  let refused = 0;
  console.log('ready');
  while (!isDone) {
    for (let i = 0; i < 200; i++) {
      const descriptor = openSync(file, 'r');
      tried++;
      if (flock(descriptor, LOCK_SHARED_WITHOUT_WAITING) !== 0) refused++;
      closeSync(descriptor);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(JSON.stringify({ tried, refused }));
}
