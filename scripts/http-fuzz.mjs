// npm run http-fuzz -- [--requests N] [--seed S]: random requests against the node service.
import './answer-help.mjs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../test/fuzz/http-run.ts', import.meta.url));
const { status } = spawnSync(process.execPath, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
