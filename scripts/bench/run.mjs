// `npm run bench`: all benchmarks, or those that are named. `all` makes the figures of docs/performance.md (all.mjs).
//   npm run bench -- NAME...             these, one after the other
//   npm run bench -- NAME [OPTIONS]      options go to the one that is named alone
//   npm run bench -- NAME --help         what it measures, and its options
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../build.mjs';
import { headComment } from '../head-comment.mjs';

const at = (name) => path.join(root, 'scripts', name);
const FLAGS = ['--disable-warning=ExperimentalWarning'];
const node = (...args) => [process.execPath, [...FLAGS, ...args]];
const BENCHES = {
  answers: node(at('bench/answers.mjs')),
  backup: node(at('bench/backup.mjs')),
  'command-start': node(at('bench/command-start.mjs')),
  diff: node(at('bench/diff.mjs')),
  'http-load': node(at('bench/http-load.mjs')),
  read: node(at('bench/read.mjs')),
  scavenge: node(at('bench/scavenge.mjs')),
  'start-up': node(at('electron-runtime.mjs'), process.execPath, ...FLAGS, at('bench/start-up.mjs')),
  usage: node(at('bench/usage.mjs')),
  window: node(at('electron-runtime.mjs'), process.execPath, ...FLAGS, at('bench/window.mjs')),
  'window-scavenge': node(
    at('electron-runtime.mjs'),
    process.execPath,
    ...FLAGS,
    at('bench/window-scavenge.mjs')
  )
};

/** Runs several of them and writes the document: not one of those that run when none is named. */
const ALL = node(at('bench/all.mjs'));

const args = process.argv.slice(2);
const firstOption = args.findIndex((arg) => arg.startsWith('-'));
const wanted = firstOption < 0 ? args : args.slice(0, firstOption);
const options = firstOption < 0 ? [] : args.slice(firstOption);
if (wanted.length === 0 && options.includes('--help')) {
  console.log(
    [...headComment(fileURLToPath(import.meta.url)), '', `Names: ${Object.keys(BENCHES).join(', ')}.`].join(
      '\n'
    )
  );
  process.exit(0);
}
let isOk = true;
for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
  const bench = name === 'all' ? ALL : BENCHES[name];
  if (!bench) {
    console.error(`No such benchmark: ${name}. There are: ${Object.keys(BENCHES).join(', ')}.`);
    process.exit(2);
  }
  const given = wanted.length === 1 ? options : [];
  if (
    name === 'start-up' &&
    !given.includes('--built') &&
    !existsSync(path.join(root, 'release/linux-unpacked/winnow-window'))
  ) {
    console.error('start-up: run "npm run package" first, or pass --built.');
    isOk = false;
    continue;
  }
  console.log(`== ${name}`);
  const [command, fixed] = bench;
  isOk = spawnSync(command, [...fixed, ...given], { cwd: root, stdio: 'inherit' }).status === 0 && isOk;
}
process.exitCode = isOk ? 0 : 1;
