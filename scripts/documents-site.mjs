// npm run docs:site: the documentation as static pages in release/site, after its commands were run (npm run docs:check).
//   npm run docs:site                 checks, then builds
//   npm run docs:site -- --unchecked  only builds
// A link that leads nowhere ends the build. Nothing is fetched; npx vitepress preview docs shows the result.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './build.mjs';

const run = (...words) => {
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

if (!process.argv.includes('--unchecked')) run('scripts/check-documents.mjs');
run(path.join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'docs');
