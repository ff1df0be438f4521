/**
 * Entry point of the command line. Compiling is much of what a short command costs, so what was compiled is kept in
 * WINNOW_HOME; it is asked for here, before anything large is loaded. Node checks it against the code and its own version. The
 * engine's thread starts here too, where it will be needed: it loads its modules while this one loads the command's.
 */
import { existsSync, mkdirSync } from 'node:fs';
// As a whole: an older Node has no such function, and could not even load this file.
import nodeModule from 'node:module';
import path from 'node:path';
import { startEarlyThread, WITH_ENGINE } from '../engine/early-thread.ts';
import { winnowHome } from '../settings/winnow-home.ts';
import { refusalOfNode, type OldNode } from './required-node.ts';

const HELP = new Set(['--help', '-h', '--version']);

function keepCompiledCode(): void {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return;
  const home = winnowHome(process.env, process.platform);
  // A command that only looks creates no home.
  if (!existsSync(home)) return;
  const folder = path.join(home, 'code-cache');
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    if (!existsSync(folder)) return; // a home that cannot be written
  }
  nodeModule.enableCompileCache(folder);
  // For the threads.
  process.env['NODE_COMPILE_CACHE'] = folder;
}

function startEngineEarly([, , command = '', ...rest]: readonly string[]): void {
  if (!WITH_ENGINE.has(command) || rest.some((word) => HELP.has(word))) return;
  startEarlyThread(
    new URL(
      import.meta.url.endsWith('.ts') ? '../engine/engine-worker.ts' : './engine-worker.js',
      import.meta.url
    )
  );
}

/** As any failure of a command; what usually says it may not load here. */
function refuse({ message, remedy }: OldNode): void {
  process.exitCode = 2;
  if (!process.argv.includes('--json')) {
    process.stderr.write(`Error: ${message}\n${remedy}\n`);
    return;
  }
  const error = { code: 'InvalidRequest', message, remedy, details: { node: process.version } };
  process.stdout.write(`${JSON.stringify({ error })}\n`);
}

const tooOld = refusalOfNode(process.versions.node);
if (tooOld) refuse(tooOld);
else {
  keepCompiledCode();
  startEngineEarly(process.argv);
  void import('./run-command.ts');
}
