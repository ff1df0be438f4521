// npm run docs:check: runs the commands that README.md and docs/operations show, in a scratch directory with a sample
// database, and compares the shape of what they print with what the pages show: headers of tables, labels of facts and
// sentences; numbers, times and ids may differ. A command about something that the scratch directory has not (a second node, a
// cluster, a damaged database) is counted as not run, with --list by name. It takes a few minutes, so no test runs it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildStale, root } from './build.mjs';
import { commandsIn, differences } from './documents/shown-commands.mjs';

/** What asks is answered, what serves until it is stopped is left out. */
const ASKING = /^(?:scavenge|redact|restore|rescue)\b/;
const SERVING = /^serve\b/;
/** Pages whose commands build upon each other: run from first to last. */
const TOGETHER = ['README.md', 'docs/operations/first-backup.md'];
const SCAVENGED = 'history.md';
const KNOWN_PLACES = new Set(['./sample', './backups', './restored']);

buildStale('commands', { quiet: true });
const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-documents-'));
const env = { ...process.env, WINNOW_HOME: path.join(scratch, 'home'), NO_COLOR: '1', COLUMNS: '200' };
const faults = [];
const notRun = [];
let compared = 0;
let ran = 0;

/** `line`: what stands behind `winnow`. */
function winnow(line) {
  const script = `exec "$NODE" "$CLI" ${line}`;
  return spawnSync('sh', ['-c', script], {
    cwd: scratch,
    encoding: 'utf8',
    env: { ...env, NODE: process.execPath, CLI: path.join(root, 'out/main/cli.js') },
    timeout: 300_000
  });
}

function check(page, { line, shown }) {
  const asks = ASKING.test(line) && !/--(?:yes|dry-run)\b/.test(line);
  const { status, stdout, stderr } = winnow(asks ? `${line} --yes` : line);
  ran++;
  if (status !== 0 && status !== 1) {
    faults.push(`${page}: winnow ${line}\n  ends with ${status}: ${stderr.trim().split('\n').at(-1)}`);
    return;
  }
  if (shown.length === 0) return;
  compared++;
  const missing = differences(shown, `${stdout}${stderr}`);
  if (missing.length > 0) {
    faults.push(`${page}: winnow ${line}\n${missing.map((one) => `  is not printed: ${one}`).join('\n')}`);
  }
}

/** Id of the newest backup, as a page that says ID means it. */
const newestBackup = () => JSON.parse(winnow('backup list ./backups --json').stdout).backups.at(-1).id;

/** Names of places in a command: what the scratch directory must have. */
const placesIn = (line) => line.match(/(?:^|\s)(?:\.{0,2}\/[\w./-]+)/g)?.map((word) => word.trim()) ?? [];

try {
  for (const page of TOGETHER) {
    for (const name of ['sample', 'backups', 'restored', 'orders', 'orders.jsonl', 'bundle', 'bundle.key']) {
      rmSync(path.join(scratch, name), { recursive: true, force: true });
    }
    for (const { line, shown } of commandsIn(readFileSync(path.join(root, page), 'utf8'))) {
      if (SERVING.test(line)) notRun.push(`${page}: winnow ${line}`);
      else check(page, { line: line.replace(/\bID\b/, newestBackup), shown });
    }
  }
  // The other pages show a sample as it is made, not what those did to it.
  rmSync(path.join(scratch, 'sample'), { recursive: true });
  winnow('sample ./sample --size 16MiB --yes --quiet');
  const pages = readdirSync(path.join(root, 'docs/operations')).filter((name) => name.endsWith('.md'));
  // What `history` shows is there only after a scavenge.
  const ordered = [...pages.filter((page) => page !== SCAVENGED).sort(), SCAVENGED];
  for (const page of ordered) {
    if (page === SCAVENGED) winnow('scavenge ./sample --single-node --yes --quiet');
    if (TOGETHER.includes(`docs/operations/${page}`)) continue;
    for (const command of commandsIn(readFileSync(path.join(root, 'docs/operations', page), 'utf8'))) {
      const places = placesIn(command.line);
      const isRunnable = places.length > 0 && places.every((place) => KNOWN_PLACES.has(place));
      const reads =
        !/--(?:yes|to|from|remove-old|key-file)\b|^(?:serve|repair|scavenge|redact|undo)\b|\bID\b|<|\.\.\./.test(
          command.line
        );
      if (isRunnable && reads) check(`docs/operations/${page}`, command);
      else notRun.push(`docs/operations/${page}: winnow ${command.line}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (process.argv.includes('--list')) console.log(notRun.join('\n'));
for (const fault of faults) console.log(fault);
console.log(
  `${ran} commands ran, ${compared} of them compared with what their page shows; ${notRun.length} were not run; ${faults.length} faults.`
);
process.exitCode = faults.length > 0 ? 1 : 0;
