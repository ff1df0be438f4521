// How long a worker thread of the built command takes: from `new Worker` to its first answer (an empty order), in this
// process, one after the other. Prints ms of each. Run it as a process of its own, with NODE_COMPILE_CACHE as a command has it.
//   node worker-start.mjs ENTRY COUNT
import { Worker } from 'node:worker_threads';
import { NODE_FLAGS } from './measured-process.mjs';

const [entry, count] = process.argv.slice(2);

function start() {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    // Without what measures this process: it would be loaded into the thread as well.
    const worker = new Worker(entry, { execArgv: NODE_FLAGS, workerData: {} });
    let answeredMs;
    worker.on('message', () => {
      answeredMs ??= performance.now() - startedMs;
      worker.postMessage({ kind: 'close' });
    });
    worker.once('error', reject);
    worker.once('exit', () => resolve(answeredMs));
    worker.postMessage({ kind: 'ask', question: [] });
  });
}

const times = [];
for (let i = 0; i < Number(count); i++) times.push(await start());
console.log(JSON.stringify({ times }));
