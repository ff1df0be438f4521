// Writes resources/openapi.json: what a service of a node answers at /openapi.json. Run with Node 24:
// npx node scripts/make-openapi.mjs. A test checks that the file is current.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildStale, root } from './build.mjs';

buildStale('commands', { quiet: true });
const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-openapi-'));
const data = path.join(scratch, 'data');
const env = { ...process.env, WINNOW_HOME: path.join(scratch, 'home') };
const winnow = (...words) =>
  spawn(process.execPath, [path.join(root, 'out/main/cli.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit']
  });

const words = ['--size', '1MiB', '--chunk-size', '256KiB', '--yes', '--quiet'];
await once(winnow('sample', data, ...words).on('error', console.error), 'exit');
const service = winnow('serve', data, '--single-node', '--port', '0', '--quiet');
try {
  const [line] = await once(service.stdout.setEncoding('utf8'), 'data');
  const answer = await fetch(`${JSON.parse(line).listening}/openapi.json`);
  writeFileSync(path.join(root, 'resources/openapi.json'), `${await answer.text()}\n`);
} finally {
  service.kill('SIGTERM');
  await once(service, 'exit');
  rmSync(scratch, { recursive: true, force: true });
}
