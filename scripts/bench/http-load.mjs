// npm run bench -- http-load [--seconds 60] [--rate 200] [--size 256MiB]: status requests at a steady rate while the
// same service scavenges one copy of a database after another; the same scavenges without requests in between, so
// that both see the same machine.
import '../answer-help.mjs';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../build.mjs';
import { PASSWORD, basic, startServer } from '../../test/main/http/running-server.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '200' },
    size: { type: 'string', default: '256MiB' }
  }
});
const seconds = Number(values.seconds);
const rate = Number(values.rate);

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-http-load-'));
const cli = path.join(root, 'src-main/cli/cli.ts');
const sample = path.join(directory, 'sample');
const made = spawnSync(process.execPath, [
  cli,
  'sample',
  sample,
  '--size',
  values.size,
  '--chunk-size',
  '16MiB',
  '--yes',
  '-q'
]);
if (made.status !== 0) throw new Error(String(made.stderr));

const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });

function send(server, method, target) {
  const url = new URL(target, server.url);
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const request = http.request(
      url,
      { method, agent, headers: { authorization: basic('ops', PASSWORD) } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece) => (text += piece));
        answer.on('end', () =>
          resolve({ status: answer.statusCode, text, ms: performance.now() - startedMs })
        );
      }
    );
    request.on('error', (error) =>
      resolve({ status: 0, text: error.message, ms: performance.now() - startedMs })
    );
    request.end();
  });
}

/** Milliseconds that one scavenge of a fresh copy takes. */
async function scavengeOnce() {
  const copy = path.join(directory, 'copy');
  fs.rmSync(copy, { recursive: true, force: true });
  fs.cpSync(sample, copy, { recursive: true });
  const server = await startServer({
    home: path.join(directory, 'home'),
    words: [
      copy,
      '--single-node',
      '--scavenge-point',
      'detached',
      '--licensing:license-file',
      'evaluation',
      '-q'
    ]
  });
  await send(server, 'GET', '/auto-scavenge/status');
  return {
    server,
    run: async () => {
      const startedMs = performance.now();
      const started = await send(server, 'POST', '/admin/scavenge');
      if (started.status !== 200) throw new Error(started.text);
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const last = JSON.parse((await send(server, 'GET', '/admin/scavenge/last')).text);
        if (last.scavengeResult === 'InProgress') continue;
        if (last.scavengeResult !== 'Success') throw new Error(last.scavengeResult);
        return performance.now() - startedMs;
      }
    }
  };
}

/** Requests at a steady rate until `until` resolves; answers with their statuses and times. */
async function load(server, until) {
  const answers = [];
  const waiting = [];
  let isOver = false;
  void until.finally(() => (isOver = true));
  const startedMs = performance.now();
  for (let count = 0; !isOver; count++) {
    const dueMs = startedMs + (count * 1000) / rate;
    const leftMs = dueMs - performance.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
    const target = count % 2 === 0 ? '/auto-scavenge/status' : '/admin/scavenge/current';
    waiting.push(send(server, 'GET', target).then((answer) => answers.push(answer)));
  }
  await Promise.all(waiting);
  return answers;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  const quiet = [];
  const busy = [];
  const answers = [];
  let loadedMs = 0;
  while (loadedMs < seconds * 1000) {
    const alone = await scavengeOnce();
    quiet.push(await alone.run());
    await alone.server.stop('SIGTERM');
    const loaded = await scavengeOnce();
    const running = loaded.run();
    answers.push(...(await load(loaded.server, running)));
    busy.push(await running);
    loadedMs += busy.at(-1);
    await loaded.server.stop('SIGTERM');
  }
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
  const errors = answers.filter(({ status }) => status !== 200);
  console.log(`${answers.length} requests in ${(loadedMs / 1000).toFixed(1)} s, ${errors.length} errors`);
  console.log(`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
  console.log(
    `scavenge of ${values.size}: ${(median(quiet) / 1000).toFixed(2)} s alone, ${(median(busy) / 1000).toFixed(2)} s under load; ` +
      `rate under load ${(median(quiet) / median(busy)).toFixed(2)} of that alone (median of ${busy.length} pairs)`
  );
  if (errors.length > 0) console.error(errors.slice(0, 3));
} finally {
  agent.destroy();
  fs.rmSync(directory, { recursive: true, force: true });
}
