// Opens the workbench from a checkout, building first what is stale.
//   npm start -- [DIR]     with the database of that data directory
//   npm run demo           with a sample database, written to out/demo on the first run
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildStale, root } from './build.mjs';
import { ensureElectron, extraArgs } from './electron-runtime.mjs';

const args = process.argv.slice(2);
const isSample = args[0] === '--sample';
const run = (command, rest) => spawnSync(command, rest, { cwd: root, stdio: 'inherit' }).status ?? 1;
const script = (name) => path.join(root, 'scripts', name);

await ensureElectron();
buildStale('all', { quiet: true });

let directory = args.find((argument) => !argument.startsWith('-'));
if (isSample) {
  directory = path.join(root, 'out/demo/sample');
  if (!existsSync(path.join(directory, 'writer.chk'))) {
    console.error('Writing a sample database ...');
    const status = run(process.execPath, [script('winnow.mjs'), 'sample', directory, '--yes', '--quiet']);
    if (status !== 0) process.exit(status);
  }
} else if (directory) {
  directory = path.resolve(process.env.INIT_CWD ?? process.cwd(), directory);
}
const electron = [script('electron-runtime.mjs'), 'electron', ...extraArgs(), '--log-level=3', root];
process.exit(run(process.execPath, directory ? [...electron, directory] : electron));
