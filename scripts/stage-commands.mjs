// Puts the command line alone into release/commands, as a package for npm: no Electron, no window but the page that
// `winnow serve --ui` serves. `npm run package:commands` packs it into release/winnow-VERSION.tgz, which `npx` runs and the
// container image is made of.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './build.mjs';

const NODE_AT_LEAST = 24;
/** Where the command line begins, and what it starts by itself. */
const ENTRIES = /^(?:cli|[\w-]+-worker|string-width|yaml)\.js$/;
/** How a bundle names another one: imports of both kinds, and threads. */
const NAMED = /["'`]\.\/([\w.-]+\.js)["'`]/g;

const from = path.join(root, 'out/main');
const to = path.join(root, 'release/commands');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Names of the bundles that are reached from the entries. Of names that only look like one there is no file. */
function reachedBundles() {
  const bundles = new Set(readdirSync(from));
  const reached = new Set([...bundles].filter((name) => ENTRIES.test(name)));
  if (!reached.has('cli.js')) throw new Error('out/main has no cli.js: build first.');
  for (const name of reached) {
    for (const [, other] of readFileSync(path.join(from, name), 'utf8').matchAll(NAMED)) {
      if (bundles.has(other)) reached.add(other);
    }
  }
  return [...reached];
}

/** The client for scripts of others, as it is written and commented, and its types: what goes wrong in it is read there. */
function clientFiles() {
  const fileName = path.join(root, 'src-main/client/winnow-client.ts');
  const source = readFileSync(fileName, 'utf8');
  const { options } = ts.getParsedCommandLineOfConfigFile(path.join(root, 'tsconfig.json'), {}, ts.sys);
  const compilerOptions = { ...options, declaration: true, sourceMap: false };
  const made = [
    ts.transpileModule(source, { fileName, compilerOptions, reportDiagnostics: true }),
    ts.transpileDeclaration(source, { fileName, compilerOptions })
  ];
  const diagnostics = made.flatMap((one) => one.diagnostics ?? []);
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
  const [code, types] = made.map(({ outputText }) => outputText);
  return { 'client.mjs': code, 'client.d.mts': types };
}

rmSync(to, { recursive: true, force: true });
mkdirSync(path.join(to, 'bin'), { recursive: true });
mkdirSync(path.join(to, 'out/main'), { recursive: true });
for (const name of [...reachedBundles(), 'package.json', 'third-party-licences.md', 'winnow.cdx.json']) {
  cpSync(path.join(from, name), path.join(to, 'out/main', name));
}
cpSync(path.join(root, 'out/renderer'), path.join(to, 'out/renderer'), {
  recursive: true,
  filter: (name) => !name.endsWith('.map')
});
cpSync(path.join(root, 'resources/man'), path.join(to, 'man'), { recursive: true });
cpSync(path.join(root, 'resources/schemas'), path.join(to, 'schemas'), { recursive: true });
cpSync(path.join(root, 'resources/openapi.json'), path.join(to, 'openapi.json'));
for (const [name, text] of Object.entries(clientFiles()))
  writeFileSync(path.join(to, 'out/main', name), text);
cpSync(path.join(root, 'LICENSE'), path.join(to, 'LICENSE'));

const { version, description, license, dependencies } = manifest;
writeFileSync(
  path.join(to, 'package.json'),
  `${JSON.stringify(
    {
      name: 'winnow',
      version,
      description,
      license,
      type: 'module',
      bin: { winnow: 'bin/winnow.mjs' },
      exports: {
        './client': { types: './out/main/client.d.mts', default: './out/main/client.mjs' },
        './openapi.json': './openapi.json',
        './schemas/*': './schemas/*',
        './package.json': './package.json'
      },
      man: ['man/winnow.1'],
      engines: { node: `>=${NODE_AT_LEAST}` },
      dependencies
    },
    null,
    2
  )}\n`
);
writeFileSync(
  path.join(to, 'bin/winnow.mjs'),
  `#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
import '../out/main/cli.js';
`,
  { mode: 0o755 }
);
writeFileSync(
  path.join(to, 'README.md'),
  `# Winnow, the command line

${description}: \`winnow --help\`, \`man winnow\`. The window is in the other packages.

    npx --package ./winnow-${version}.tgz winnow inspect /var/lib/kurrentdb
`
);
