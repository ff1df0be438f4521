// Asks the built engine for one thing, as its process under the window is asked, and prints how long that took.
//   node view-request.mjs OPERATION REQUEST-AS-JSON     a request with its defaults
import path from 'node:path';
import { root } from '../build.mjs';

const [name, json] = process.argv.slice(2);
const startedMs = performance.now();

// What Electron gives to a process that an application starts: the engine takes a message from it, and answers there.
process.parentPort = {
  on: (_, listener) =>
    setImmediate(() => listener({ data: { kind: 'call', id: 1, name, request: JSON.parse(json) } })),
  postMessage: ({ kind, outcome, reason }) => {
    if (kind === 'dying') throw new Error(reason);
    if (kind !== 'outcome') return;
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error?.message ?? 'stopped'}`);
    console.log(JSON.stringify({ ms: performance.now() - startedMs }));
    process.exit();
  }
};
await import(path.join(root, 'out/main/engine-worker.js'));
