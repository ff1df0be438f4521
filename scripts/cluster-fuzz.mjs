// npm run cluster-fuzz -- [--runs N] [--seed S]: random faults against the coordinator of a cluster of running nodes.
import './answer-help.mjs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../test/fuzz/cluster-run.ts', import.meta.url));
const { status } = spawnSync(process.execPath, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
