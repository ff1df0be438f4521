// Second half of npm run http-transcript: a cycle over three stopped nodes and one over running nodes (simulated), with
// the leader changing meanwhile, as the command line prints them, written to docs/transcripts/cluster.md. Ports, ids
// and directories are replaced, so that it only changes when what is printed does.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runWinnow } from '../test/main/cli/run-winnow.ts';
import { removeUnpacked, unpackDatabase } from '../test/support/golden.ts';
import { SimulatedCluster } from '../test/support/simulated-cluster.ts';

const OUTPUT = fileURLToPath(new URL('../docs/transcripts/cluster.md', import.meta.url));
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-transcript-'));
const environment = { WINNOW_HOME: home, WINNOW_CLUSTER_PASSWORD: 'changeit' };
const live = new SimulatedCluster();
const text = ['# Clusters on the command line', ''];
const replacements = new Map();
const ids = new Map();

function say(line) {
  text.push(line, '');
}

/** What is printed on both streams, in that order: what is said first, then the result. */
async function winnow(...words) {
  const { stdout, stderr, exitCode } = await runWinnow(words, { environment });
  const quoted = words.map((word) => (/[\s*]/.test(word) ? `'${word}'` : word));
  const printed = withoutChance(`${stderr}${stdout}`.split('\n').filter((line) => line !== ''));
  const status = exitCode === 0 ? [] : [`(exit ${exitCode})`];
  text.push('```', ...[`$ winnow ${quoted.join(' ')}`, ...printed, ...status].map(replaced), '```', '');
}

/** Without the lines of the engine and without repeated attempts: their places and numbers are a matter of time. */
function withoutChance(lines) {
  const seen = new Set();
  return lines.filter((line) => {
    if (line.startsWith('SCAVENGING: ')) return false;
    const isRepeated = /^(Starting|Failed to start) /.test(line) && seen.has(line);
    seen.add(line);
    return !isRepeated;
  });
}

function replaced(line) {
  let shown = line;
  for (const [from, to] of replacements) shown = shown.replaceAll(from, to);
  return (
    shown
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        if (!ids.has(id)) ids.set(id, `00000000-0000-0000-0000-${String(ids.size + 1).padStart(12, '0')}`);
        return ids.get(id);
      })
      .replaceAll(/next cycle in [\d.:]+/g, 'next cycle in 2.16:00:00')
      .replaceAll(/process \d+/g, 'process 4711')
      // Columns were made for longer names.
      .replaceAll(/ {3,}/g, '  ')
      .trimEnd()
  );
}

async function stoppedNodes() {
  say('## Three stopped nodes');
  const members = [1, 2, 3].map((number) => {
    const directory = unpackDatabase({ name: 'rules', folder: 'before' });
    replacements.set(directory, `/data/${number}`);
    return directory;
  });
  await winnow('cluster', 'register', 'trio', ...members, '--yes');
  await winnow('cluster', 'status', 'trio');
  say('A pass, one member after another:');
  await winnow('cluster', 'scavenge', 'trio', '--yes');
  await winnow('cluster', 'status', 'trio');
  say('A schedule, with hours in which it is left alone, a pause and its end:');
  await winnow('cluster', 'auto-scavenge', 'trio', 'configure', '0 3 * * sun', '--yes');
  await winnow(
    'cluster',
    'quiet-hours',
    'trio',
    '--from',
    '08:00',
    '--to',
    '20:00',
    '--days',
    'mon-fri',
    '--yes'
  );
  await winnow('cluster', 'auto-scavenge', 'trio', 'pause', '--yes');
  await winnow('cluster', 'auto-scavenge', 'trio', 'resume', '--yes');
  await winnow('cluster', 'quiet-hours', 'trio', '--off', '--yes');
  say('What cannot be asked:');
  await winnow('cluster', 'auto-scavenge', 'trio', 'configure', 'every night', '--yes');
  await winnow('cluster', 'quiet-hours', 'trio', '--from', '08:00', '--yes');
}

async function runningNodes() {
  say('## Three running nodes');
  say('Node 1 leads, node 3 lags furthest. Before its own scavenge the leader is asked to resign:');
  await live.start(3);
  live.nodes.forEach(({ port }, index) => {
    replacements.set(`http://127.0.0.1:${port}`, `https://node-${index + 1}:2113`);
    replacements.set(`127.0.0.1:${port}`, `node-${index + 1}:2113`);
  });
  const urls = live.nodes.map(({ url }) => url);
  await winnow('cluster', 'register', 'live', ...urls, '--cluster-size', '3', '--yes');
  const file = path.join(home, 'clusters.json');
  // The option asks for a password; here it comes from the environment.
  fs.writeFileSync(
    file,
    fs.readFileSync(file, 'utf8').replace('"clusterSize"', '"user": "ops", "clusterSize"')
  );
  await winnow('cluster', 'list');
  await winnow('cluster', 'status', 'live');
  await winnow('cluster', 'scavenge', 'live', '--threshold', '5', '--yes');
  await winnow('cluster', 'status', 'live');
  say(`What the nodes were asked to do: ${live.asked.map(inWords).join(', ')}.`);
  say(
    'A second pass. The leader, node 2 now, goes away while the first node is scavenged, and comes back later:'
  );
  const asked = live.asked.length;
  for (const node of live.nodes) node.polls = 3;
  const [, leader] = live.nodes;
  const watching = setInterval(() => {
    if (live.asked.length === asked) return;
    leader.faults.isDown = true;
    setTimeout(() => {
      leader.faults.isDown = false;
    }, 8000);
    clearInterval(watching);
  }, 100);
  await winnow('cluster', 'scavenge', 'live', '--yes');
  clearInterval(watching);
  say(`What the nodes were asked to do: ${live.asked.slice(asked).map(inWords).join(', ')}.`);
  say('A cluster that schedules itself is shown and controlled, not scavenged beside it:');
  live.ownSchedule = '0 5 * * *';
  await winnow('cluster', 'status', 'live');
  await winnow('cluster', 'scavenge', 'live', '--yes');
  await winnow('cluster', 'auto-scavenge', 'live', 'pause', '--yes');
  say(`Node scavenges that ran side by side: ${live.violations.length}.`);
}

function inWords(asked) {
  const [what, place] = asked.split(' ');
  return `${what} node ${Number(place) + 1}`;
}

try {
  say(
    'Written by `npm run http-transcript`. Directories, addresses, ids and times left are replaced; what the engine ' +
      'says of single chunks is left out, and so are repeated attempts.'
  );
  await stoppedNodes();
  await runningNodes();
  fs.writeFileSync(OUTPUT, `${text.join('\n').trimEnd()}\n`);
  console.log(`${OUTPUT}: ${text.filter((line) => line === '```').length / 2} commands`);
} finally {
  await live.close();
  removeUnpacked();
  fs.rmSync(home, { recursive: true, force: true });
}
