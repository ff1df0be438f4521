/**
 * Entry point of the command line. Compiling is much of what a short command costs, so what was compiled is kept in
 * WINNOW_HOME; it is asked for here, before anything large is loaded. Node checks it against the code and its own version.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { winnowHome } from '../settings/winnow-home.ts';

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
  enableCompileCache(folder);
  // For the threads.
  process.env['NODE_COMPILE_CACHE'] = folder;
}

keepCompiledCode();
await import('./run-command.ts');
