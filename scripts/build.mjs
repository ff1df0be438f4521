// Builds what is stale into out/ and does nothing when nothing changed.
//   node scripts/build.mjs               window, preload and command line
//   node scripts/build.mjs --commands    only the command line and the engine (out/main): no renderer
// Benchmarks have a target of their own: an operation that says how long it took (out/measured).
//   node scripts/build.mjs --fresh       everything again, with nothing of earlier builds left (for packages)
// A build goes to a directory of its own first and is then moved file by file into out/, entries last, so a
// command that runs meanwhile never meets half a file. One build at a time: the lock is a directory (creating
// one is atomic everywhere) that names its owner; a build that finds the owner dead takes it over.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeBillOfMaterials } from './make-sbom.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const out = path.join(root, 'out');
const lock = path.join(root, 'out', '.build-lock');
const LOCK_LIMIT_MS = 5 * 60_000;
/** Chunks of earlier builds stay this long: a command started before may still load one. */
const OLD_CHUNK_MS = 60 * 60_000;

/** Packages whose files are in the bundle though no module of theirs is: the builder does not see their licences. */
const TYPEFACES = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];

const SHARED_INPUTS = ['package.json', 'package-lock.json', 'electron.vite.config.ts'];
/** What the window shows as its documentation. */
const DOCUMENTATION = ['scripts/documentation-plugin.ts', 'docs/operations', 'docs/glossary.md', 'README.md'];
/** What each target is made of, and the folders of out/ that it makes. */
const TARGETS = {
  commands: { inputs: ['src-core', 'src-main'], parts: ['main'] },
  measured: { inputs: ['src-core', 'src-main', 'scripts/bench'], parts: ['measured'] },
  all: {
    inputs: ['src-core', 'src-main', 'src-renderer', ...DOCUMENTATION],
    parts: ['main', 'preload', 'renderer']
  }
};

/** One line per input file: name, size, time. A deleted file changes it as well as an edited one. */
function fingerprint(inputs) {
  const hash = createHash('sha256');
  const add = (file) => {
    const stat = statSync(path.join(root, file), { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(path.join(root, file)).sort()) add(path.join(file, name));
    } else {
      hash.update(`${file} ${stat.size} ${stat.mtimeMs}\n`);
    }
  };
  for (const input of [...SHARED_INPUTS, ...inputs]) add(input);
  return hash.digest('hex');
}

const stampFile = (target) => path.join(out, `.built-${target}`);

function isFresh(target) {
  const { inputs, parts } = TARGETS[target];
  if (!parts.every((part) => existsSync(path.join(out, part)))) return false;
  if (target === 'commands' && !existsSync(path.join(out, 'main', 'cli.js'))) return false;
  const stamp = stampFile(target);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(inputs);
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

function takeLock() {
  mkdirSync(out, { recursive: true });
  const deadline = Date.now() + LOCK_LIMIT_MS;
  for (;;) {
    try {
      mkdirSync(lock);
      writeFileSync(path.join(lock, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const pidFile = path.join(lock, 'pid');
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    // Without a pid file the owner is between its two calls, or died there: a second is ample for the former.
    const owner = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : undefined;
    const isAbandoned = owner ? !isAlive(owner) : age > 1000;
    if (isAbandoned || Date.now() > deadline) rmSync(lock, { recursive: true, force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

/** Adds the licences of the typefaces to those that the builder collected, in the same form. */
function addTypefaceLicences(file) {
  for (const name of TYPEFACES) {
    const directory = path.join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));
    const text = readFileSync(path.join(directory, 'LICENSE'), 'utf8').trim();
    appendFileSync(file, `\n## ${name} - ${version} (${license})\n\n${text}\n`);
  }
}

/** Moves a finished part over the one in use: chunks first, entries last, every file by one rename. */
function install(from, to, oldChunkMs) {
  mkdirSync(to, { recursive: true });
  const fresh = new Set();
  const move = (relative) => {
    for (const entry of readdirSync(path.join(from, relative), { withFileTypes: true })) {
      const name = path.join(relative, entry.name);
      if (entry.isDirectory()) {
        mkdirSync(path.join(to, name), { recursive: true });
        move(name);
      } else fresh.add(name);
    }
  };
  move('');
  const isEntry = (name) => !path.basename(name).startsWith('chunk-') && !name.includes('assets');
  const ordered = [...fresh].sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  for (const name of ordered) renameSync(path.join(from, name), path.join(to, name));
  const sweep = (relative) => {
    for (const entry of readdirSync(path.join(to, relative), { withFileTypes: true })) {
      const name = path.join(relative, entry.name);
      if (entry.isDirectory()) sweep(name);
      else if (!fresh.has(name) && Date.now() - statSync(path.join(to, name)).mtimeMs >= oldChunkMs) {
        rmSync(path.join(to, name), { force: true });
      }
    }
  };
  sweep('');
}

/**
 * Brings out/ up to date; returns whether anything was built. What the builder says goes to stderr, and only
 * when it fails or `quiet` is false: a command's stdout belongs to the command.
 */
export function buildStale(target, { quiet = false, fresh: isFromScratch = false } = {}) {
  if (!isFromScratch && isFresh(target)) return false;
  takeLock();
  try {
    if (!isFromScratch && isFresh(target)) return false; // another build did it while we waited
    const { inputs, parts } = TARGETS[target];
    const before = fingerprint(inputs); // taken first: an edit during the build makes the result stale again
    const commandsBefore = fingerprint(TARGETS.commands.inputs);
    const fresh = path.join(out, `.new-${process.pid}`);
    rmSync(fresh, { recursive: true, force: true });
    const env = { ...process.env, WINNOW_BUILD_OUT: path.relative(root, fresh), WINNOW_BUILD_TARGET: target };
    const bin = path.join(root, 'node_modules/electron-vite/bin/electron-vite.js');
    const run = spawnSync(process.execPath, [bin, 'build', '--logLevel', quiet ? 'warn' : 'info'], {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe']
    });
    if (run.status !== 0 || !quiet) process.stderr.write(`${run.stdout ?? ''}${run.stderr ?? ''}`);
    try {
      if (run.status !== 0) throw new Error('The build failed (see above).');
      if (parts.includes('renderer')) {
        addTypefaceLicences(path.join(fresh, 'renderer', 'third-party-licences.md'));
      }
      if (parts.includes('main')) {
        writeBillOfMaterials(path.join(fresh, 'main', 'winnow.cdx.json'), fresh, out);
      }
      const oldChunkMs = isFromScratch ? -Infinity : OLD_CHUNK_MS;
      for (const part of parts) install(path.join(fresh, part), path.join(out, part), oldChunkMs);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    writeFileSync(stampFile(target), before);
    if (target === 'all') writeFileSync(stampFile('commands'), commandsBefore);
    // Preload and renderer may be older than main now.
    if (target === 'commands') rmSync(stampFile('all'), { force: true });
    return true;
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const has = (option) => process.argv.includes(option);
    const options = { quiet: has('--quiet'), fresh: has('--fresh') };
    const isBuilt = buildStale(has('--commands') ? 'commands' : 'all', options);
    if (!isBuilt && !options.quiet) console.error('Nothing to build.');
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
