/** `npm run http-fuzz`: serves a sample database and sends it random requests; or a server of one's own by --url. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { PASSWORD, ask, basic, startServer } from '../main/http/running-server.ts';
import { runHttpCampaign } from './http-campaign.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string' } }
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const requests = Number(values.requests);
console.log(`${requests} requests, seed ${seed}`);

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-http-fuzz-'));
const database = path.join(directory, 'database');
try {
  await runWinnow(['sample', database, '--size', '1MiB', '--chunk-size', '256KiB', '--yes']);
  const folder = path.join(directory, 'allowed');
  fs.mkdirSync(path.join(folder, 'a', 'etc'), { recursive: true });
  fs.symlinkSync('/etc', path.join(folder, 'link'));
  const words = [database, '--single-node', '--licensing:license-file', 'evaluation', '-q'];
  words.push('--ui', '--allow-path', folder);
  const server = await startServer({ home: path.join(directory, 'home'), words });
  const credentials = ['admin', 'ops', 'joe'].map((name) => basic(name, PASSWORD));
  // Known already, so that the campaign's wrong attempts do not lock them out.
  for (const as of ['admin', 'ops', 'joe'] as const) await ask(server, 'GET /metrics', { as });
  const startedMs = performance.now();
  const cookies = await Promise.all(['admin', 'ops', 'joe'].map((name) => sessionOf(server.url, name)));
  const page = { cookies, folder };
  const { statuses, faults } = await runHttpCampaign({ url: server.url, requests, seed, credentials, page });
  const seconds = (performance.now() - startedMs) / 1000;
  const metrics = (await ask(server, 'GET /metrics')).text;
  const resident = Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
  const exitCode = await server.stop('SIGTERM');
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  console.log(
    `${counts.join(', ')}; ${seconds.toFixed(1)} s, ${Math.round(resident / 2 ** 20)} MiB resident, exit ${exitCode}`
  );
  for (const fault of faults.slice(0, 20)) console.error(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'no faults' : `${faults.length} faults`);
  if (faults.length > 0 || exitCode !== 0) process.exitCode = 1;
} finally {
  fs.rmSync(directory, { recursive: true, force: true });
}

/** The cookie of a log-in to the page. */
async function sessionOf(url: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/ui/session`, {
    method: 'POST',
    headers: { origin: url, 'x-requested-with': 'winnow', 'content-type': 'application/json' },
    body: JSON.stringify({ name, password: PASSWORD })
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
