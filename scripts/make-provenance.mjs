// Writes beside a package what it was made of, and the sums of all packages of this version. The package scripts end with it:
//   node scripts/make-provenance.mjs deb|tar|appimage|commands
// PACKAGE.provenance.json is an in-toto statement with the predicate of SLSA 1.0: SHA-256 of the package, commit, command,
// versions of the tools, and the Node and Electron inside as scripts/shipped-runtimes.mjs found them. SHA256SUMS names each
// package with a statement, the statements, and the bill of materials; `sha256sum -c SHA256SUMS` checks them.
// No times in it: the same commit and the same tools give the same bytes. It is not signed (docs/release.md).
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { copyFileSync, createReadStream, existsSync, readFileSync, readdirSync, renameSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { root } from './build.mjs';

const SUMS = 'SHA256SUMS';
const BILL = 'winnow.cdx.json';
const STATEMENT = '.provenance.json';

/** Of each kind of package: its file, the tools that lay it out (first line of their --version), what is inside. */
const KINDS = {
  deb: { file: (v) => `winnow_${v}_amd64.deb`, tools: ['dpkg-deb', 'tar', 'xz'], hasRuntimes: true },
  tar: { file: (v) => `winnow-${v}-linux-x64.tar.xz`, tools: ['tar', 'xz'], hasRuntimes: true },
  appimage: { file: (v) => `Winnow-${v}.AppImage`, tools: [], hasRuntimes: true, isNeverTrial: true },
  // Node is the user's own, and no Electron is in it.
  commands: { file: (v) => `winnow-${v}.tgz`, tools: [], hasRuntimes: false, isNeverTrial: true }
};

async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const firstLine = (command, ...words) =>
  execFileSync(command, words, { cwd: root, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
    .split('\n')[0]
    .trim();

/** The commit that is built, and whether files differ from it; undefined where there is no repository. */
function commitOf(directory) {
  const git = (...words) =>
    execFileSync('git', words, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    return { id: git('rev-parse', 'HEAD').trim(), isChanged: git('status', '--porcelain').trim() !== '' };
  } catch {
    return undefined;
  }
}

/** Node and Electron as a dependency of the build each; `isPublished`: compared with what their makers publish. */
function runtimeDependencies({ electron, node }) {
  const annotations = ({ isPublished }) => ({ comparedWithPublished: isPublished });
  return [
    {
      name: 'node',
      uri: `pkg:generic/node@${node.version}`,
      digest: { sha256: node.sha256 },
      annotations: annotations(node)
    },
    {
      name: 'electron',
      uri: `pkg:generic/electron@${electron.version}`,
      digest: { sha256: electron.sha256 },
      annotations: annotations(electron)
    },
    {
      name: electron.archive,
      uri: `https://github.com/electron/electron/releases/download/v${electron.version}/${electron.archive}`,
      digest: { sha256: electron.archiveSha256 },
      annotations: { note: 'as the package electron names it; what the files inside were compared with' }
    }
  ];
}

/**
 * The statement about a package. `file`: its path; `commit`: from git, or undefined; `runtimes`: release/runtimes.json, or
 * undefined for a package without any; `tools`: versions by name; `lock`: SHA-256 of package-lock.json.
 */
export async function provenanceOf({ file, command, isTrial, commit, runtimes, tools, lock, homepage }) {
  const source = { name: 'source', uri: homepage };
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: path.basename(file), digest: { sha256: await sha256(file) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${homepage}/winnow/package/v1`,
        externalParameters: { command, trial: isTrial },
        internalParameters: {
          system: `${process.platform}-${process.arch}`,
          commitKnown: commit !== undefined,
          uncommittedChanges: commit?.isChanged ?? null
        },
        resolvedDependencies: [
          commit === undefined ? source : { ...source, digest: { gitCommit: commit.id } },
          { name: 'package-lock.json', uri: 'package-lock.json', digest: { sha256: lock } },
          ...(runtimes === undefined ? [] : runtimeDependencies(runtimes))
        ]
      },
      runDetails: { builder: { id: `${homepage}/winnow/scripts`, version: tools } }
    }
  };
}

/** Never half a file beside a package: what reads it may be a script. */
function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Writes SHA256SUMS in `directory` again: all packages that have a statement, the statements, the bill of materials. */
export async function writeSums(directory) {
  const statements = readdirSync(directory).filter((name) => name.endsWith(STATEMENT));
  const packages = statements.map((name) => name.slice(0, -STATEMENT.length));
  const names = [...packages, ...statements, BILL].filter((name) => existsSync(path.join(directory, name)));
  const lines = [];
  for (const name of names.sort()) lines.push(`${await sha256(path.join(directory, name))}  ${name}\n`);
  writeWhole(path.join(directory, SUMS), lines.join(''));
}

/** Writes the statement about `file` beside it, then the sums. */
export async function writeProvenance(file, about) {
  const statement = await provenanceOf({ file, ...about });
  writeWhole(`${file}${STATEMENT}`, `${JSON.stringify(statement, null, 2)}\n`);
  await writeSums(path.dirname(file));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [name] = process.argv.slice(2);
  const kind = Object.hasOwn(KINDS, name ?? '') ? KINDS[name] : undefined;
  if (kind === undefined) {
    console.error(`Usage: node scripts/make-provenance.mjs ${Object.keys(KINDS).join('|')}`);
    process.exit(2);
  }
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const isTrial = Boolean(process.env.WINNOW_TRIAL) && !kind.isNeverTrial;
  const release = path.join(root, 'release');
  const file = path.join(release, kind.file(manifest.version + (isTrial ? '+trial' : '')));
  const installed = (dependency) =>
    JSON.parse(readFileSync(path.join(root, 'node_modules', dependency, 'package.json'), 'utf8')).version;
  const tools = { node: process.version, npm: firstLine('npm', '--version'), vite: installed('vite') };
  if (kind.hasRuntimes) tools['electron-builder'] = installed('electron-builder');
  for (const tool of kind.tools) tools[tool] = firstLine(tool, '--version');
  copyFileSync(path.join(root, 'out/main', BILL), path.join(release, BILL));
  await writeProvenance(file, {
    command: `npm run package:${name}`,
    isTrial: kind.hasRuntimes && Boolean(process.env.WINNOW_TRIAL),
    commit: commitOf(root),
    runtimes: kind.hasRuntimes
      ? JSON.parse(readFileSync(path.join(release, 'runtimes.json'), 'utf8'))
      : undefined,
    tools,
    lock: await sha256(path.join(root, 'package-lock.json')),
    homepage: manifest.homepage
  });
  console.log(`release/${path.basename(file)}${STATEMENT}\nrelease/${SUMS}`);
}
