// npm run docs:check: runs the commands that README.md and docs/operations show, in a scratch directory with a sample
// database, and compares the shape of what they print with what the pages show: headers of tables, labels of facts and
// sentences; numbers, times and ids may differ. What needs more than the sample (a second node, a cluster, a backup with keys) is
// prepared as documents/prepared-commands.mjs says, which also has the reason of each command that is not run; one with neither is
// a fault. --list names those that were not run, --page NAME takes one page. It takes some minutes, so no test runs it.
import './answer-help.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale, root } from './build.mjs';
import { leftOver, preparationOf } from './documents/prepared-commands.mjs';
import { commandsIn, differences } from './documents/shown-commands.mjs';

/** What asks is answered, what serves until it is stopped is left out. */
const ASKING = /^(?:scavenge|redact|restore|rescue)\b/;
const LISTENING_MS = 60_000;
/** Pages whose commands build upon each other: run from first to last. */
const TOGETHER = ['README.md', 'docs/operations/first-backup.md'];
const SCAVENGED = 'history.md';
const KNOWN_PLACES = new Set(['./sample', './backups', './restored']);

const { values } = parseArgs({ options: { list: { type: 'boolean' }, page: { type: 'string' } } });
buildStale('all', { quiet: true });
const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-documents-'));
const env = { ...process.env, WINNOW_HOME: path.join(scratch, 'home'), NO_COLOR: '1', COLUMNS: '200' };
const faults = [];
const notRun = [];
let compared = 0;
let ran = 0;

const CLI = path.join(root, 'out/main/cli.js');
/** In scripts of the shell. */
const AS_FUNCTION = 'winnow() { "$NODE" "$CLI" "$@"; }';
let prepared = 0;

/** A directory of its own with a fresh sample, and a home that knows nothing. */
function ownPlace() {
  const directory = path.join(scratch, `own-${prepared++}`);
  mkdirSync(directory);
  cpSync(path.join(scratch, 'fresh'), path.join(directory, 'sample'), { recursive: true });
  return {
    cwd: directory,
    env: { ...env, WINNOW_HOME: path.join(directory, 'home'), NODE: process.execPath, CLI }
  };
}

async function checkPrepared(page, { line, shown }, { before = ':', lines, serves, shownOf }) {
  const place = ownPlace();
  try {
    if (serves) return await checkService(page, { line, before, typed: lines[0], place });
    const done = lines.map((typed) => `winnow ${typed}; code=$?; [ $code -le 1 ] || exit $code`).join('\n');
    const script = `${AS_FUNCTION}\n{ ${before}\n} || exit 99\n${done}`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
      ...place,
      encoding: 'utf8',
      timeout: 300_000
    });
    judge(page, { line, shown: shownOf === undefined ? afterAnswer(shown) : [] }, { status, stdout, stderr });
  } finally {
    rmSync(place.cwd, { recursive: true, force: true });
  }
}

/** What is shown before a question is not printed where nobody is asked. */
function afterAnswer(shown) {
  return shown.slice(shown.findIndex((text) => text.includes('[y/N]')) + 1);
}

/** Started, until it says where it listens; then stopped as a terminal would. */
async function checkService(page, { line, before, typed, place }) {
  spawnSync('sh', ['-c', before], place);
  const child = spawn('sh', ['-c', `exec "$NODE" "$CLI" ${typed} --port 0`], place);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = once(child, 'close');
  const late = new Promise((resolve) => setTimeout(resolve, LISTENING_MS).unref());
  const listens = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined), late]);
  child.kill('SIGTERM');
  const [status] = await ended;
  const isRight = listens?.[0].toString().includes('"listening"') && status === 0;
  judge(page, { line, shown: [] }, { status: isRight ? 0 : (status ?? 99) || 99, stdout: '', stderr: said });
}

/** `line`: what stands behind `winnow`. */
function winnow(line) {
  const script = `exec "$NODE" "$CLI" ${line}`;
  return spawnSync('sh', ['-c', script], {
    cwd: scratch,
    encoding: 'utf8',
    env: { ...env, NODE: process.execPath, CLI },
    timeout: 300_000
  });
}

function check(page, { line, shown }) {
  const asks = ASKING.test(line) && !/--(?:yes|dry-run)\b/.test(line);
  const { status, stdout, stderr } = winnow(asks ? `${line} --yes` : line);
  judge(page, { line, shown }, { status, stdout, stderr });
}

function judge(page, { line, shown }, { status, stdout, stderr }) {
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

/** Of this page, if one was named. */
function isAsked(page) {
  return values.page === undefined || page.endsWith(values.page);
}

/** Names of places in a command: what the scratch directory must have. */
const placesIn = (line) => line.match(/(?:^|\s)(?:\.{0,2}\/[\w./-]+)/g)?.map((word) => word.trim()) ?? [];

try {
  winnow('sample ./fresh --size 16MiB --yes --quiet');
  for (const page of TOGETHER.filter(isAsked)) {
    for (const name of ['sample', 'backups', 'restored', 'orders', 'orders.jsonl', 'bundle', 'bundle.key']) {
      rmSync(path.join(scratch, name), { recursive: true, force: true });
    }
    for (const { line, shown } of commandsIn(readFileSync(path.join(root, page), 'utf8'))) {
      const preparation = preparationOf(page, { line });
      if (preparation) await checkPrepared(page, { line, shown }, preparation);
      else check(page, { line: line.replace(/\bID\b/, newestBackup), shown });
    }
  }
  // The other pages show a sample as it is made, not what those did to it.
  rmSync(path.join(scratch, 'sample'), { recursive: true, force: true });
  cpSync(path.join(scratch, 'fresh'), path.join(scratch, 'sample'), { recursive: true });
  const pages = readdirSync(path.join(root, 'docs/operations')).filter(
    (name) => name.endsWith('.md') && isAsked(name)
  );
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
      const preparation = preparationOf(page, command);
      const named = `docs/operations/${page}`;
      if (preparation?.notRun !== undefined)
        notRun.push(`${named}: winnow ${command.line}\n  ${preparation.notRun}`);
      else if (preparation) await checkPrepared(named, command, preparation);
      else if (isRunnable && reads) check(named, command);
      else
        faults.push(
          `${named}: winnow ${command.line}\n  is neither run nor has a reason (scripts/documents/prepared-commands.mjs)`
        );
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (values.page === undefined) {
  for (const one of leftOver()) faults.push(`${one}\n  is prepared, and no page has it any more`);
}
if (values.list) console.log(notRun.join('\n'));
for (const fault of faults) console.log(fault);
console.log(
  `${ran} commands ran, ${compared} of them compared with what their page shows; ${notRun.length} were not run; ${faults.length} faults.`
);
process.exitCode = faults.length > 0 ? 1 : 0;
