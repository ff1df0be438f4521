// npm run http-matrix -- [--requests N] [--seed S]: every route and verb × method × user × kind of trouble against the node service.
import './answer-help.mjs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../test/fuzz/http-matrix-run.ts', import.meta.url));
const { status } = spawnSync(process.execPath, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
