// Commands of the pages that need more than the sample as it is made: what is done before, in a directory of their own with a fresh
// ./sample, and what is typed instead of places that no other machine has. A command that does not run has its reason here.

import path from 'node:path';

/** Instead of a place on a page: the sample. Words in capitals are what a reader fills in. */
const SAMPLE = /\/var\/lib\/kurrentdb|\.\/data(?=\s|$)|\bDB\b/g;

const backup = (options = '') => `winnow backup create ./sample --to ./backups --yes --quiet ${options} >&2`;
const member = (name) => `cp -r ./sample ./${name}`;
const trio = `${member('one')}; ${member('two')}; winnow cluster register trio ./one ./two --yes --quiet >&2`;
const firstOf = (json, member) =>
  `"$NODE" -p "JSON.parse(require('fs').readFileSync(0,'utf8').split('\\n').find((line) => line.includes('${json}'))).${member}"`;
const signKeys =
  'openssl genpkey -algorithm ed25519 -out sign.pem 2>/dev/null; openssl pkey -in sign.pem -pubout -out sign.pub';
const keys = (name) => `winnow backup key ${name}.key --quiet >&2`;
const backupId =
  'ID=$(winnow backup list ./backups --json | "$NODE" -p "JSON.parse(require(\'fs\').readFileSync(0)).backups[0].id")';

/** Where nobody is there to answer. */
const withYes = (line) => (/--(?:yes|dry-run)\b/.test(line) ? line : `${line} --yes`);

/**
 * By page and the beginning of the command. `before`: a script of the shell, in which `winnow` is the command. `line`: what is typed; else
 * the page's line with its places replaced. `serves`: it runs until it is stopped. `shownOf`: only its ending counts, since what the page
 * shows is of a database that no sample is like. `notRun`: why not.
 */
export const PREPARED = [
  { page: 'README.md', starts: 'serve', serves: true },
  {
    page: 'browser.md',
    starts: 'serve /var/lib/kurrentdb --single-node --ui --allow-path',
    before: 'mkdir backups restored',
    line: 'serve ./sample --single-node --ui --allow-path "$PWD/backups" --allow-path "$PWD/restored"',
    serves: true
  },
  { page: 'browser.md', starts: 'serve', serves: true },
  { page: 'serve.md', starts: 'serve', serves: true, line: 'serve ./sample --single-node' },
  { page: 'activity.md', starts: 'activity', before: 'winnow verify ./sample --quiet >&2' },
  {
    page: 'backup-scavenge.md',
    starts: 'backup scavenge',
    before: `${backup()}; ${backupId}`,
    line: 'backup scavenge ./backups --backup $ID --remove-old --yes'
  },
  {
    page: 'backup.md',
    starts: 'backup rekey',
    typed: withYes,
    before: `${keys('old')}; ${keys('new')}; ${backup('--key-file old.key')}; grep -o "age1[a-z0-9]*" new.key > team.pub`
  },
  {
    page: 'backup.md',
    starts: 'backup create DB --to DIR --sign-key',
    before: signKeys,
    line: 'backup create ./sample --to ./backups --sign-key sign.pem --yes'
  },
  {
    page: 'backup.md',
    starts: 'backup verify DIR',
    before: `${signKeys}; ${backup('--sign-key sign.pem')}`,
    line: 'backup verify ./backups --all --verify-key sign.pub'
  },
  {
    page: 'bundle.md',
    starts: 'bundle --unpack',
    before: 'winnow bundle ./sample --to ./made --pack problem.tar.zst --yes --quiet >&2'
  },
  { page: 'bundle.md', starts: 'bundle' },
  {
    page: 'cluster.md',
    starts: 'cluster register trio',
    before: `mkdir data; cp -r ./sample data/1; cp -r ./sample data/2; cp -r ./sample data/3`,
    line: 'cluster register trio ./data/1 ./data/2 ./data/3 --yes'
  },
  {
    page: 'cluster.md',
    starts: 'cluster register live',
    notRun: 'needs running nodes with certificates; tests run it against simulated ones'
  },
  {
    page: 'cluster.md',
    starts: 'cluster add-node',
    notRun: 'needs running nodes with certificates; tests run it against simulated ones'
  },
  {
    page: 'cluster.md',
    starts: 'cluster list',
    before: trio,
    line: ['cluster list', 'cluster status trio', 'cluster scavenge trio --yes']
  },
  { page: 'cluster.md', starts: 'cluster plan', before: trio },
  {
    page: 'cluster.md',
    starts: 'cluster auto-scavenge',
    before: trio,
    line: [
      "cluster auto-scavenge trio configure '0 3 * * sun' --yes",
      'cluster auto-scavenge trio status',
      'cluster auto-scavenge trio pause --yes',
      'cluster auto-scavenge trio resume --yes'
    ]
  },
  {
    page: 'cluster.md',
    starts: 'cluster quiet-hours',
    before: trio,
    line: [
      'cluster quiet-hours trio --from 08:00 --to 20:00 --days mon-fri --yes',
      'cluster quiet-hours trio --window 02:00-04:00 --yes',
      'cluster quiet-hours trio --off --yes'
    ]
  },
  {
    page: 'diff.md',
    starts: 'diff',
    before: `${member('two')}; winnow scavenge ./two --scavenge-point detached --yes --quiet >&2`,
    line: 'diff ./sample ./two',
    shownOf: 'two other directories, which a sentence names'
  },
  { page: 'doctor.md', starts: 'doctor', shownOf: 'a node with a damaged checkpoint' },
  { page: 'doctor.md', starts: 'repair', line: 'repair ./sample --dry-run' },
  {
    page: 'erasure.md',
    starts: 'erasure ./data',
    before: backup(),
    line: 'erasure ./sample --stream metrics --backup ./backups --html erased.html',
    shownOf: 'a stream that was deleted'
  },
  { page: 'export.md', starts: 'export' },
  { page: 'extract.md', starts: 'extract' },
  { page: 'fleet.md', starts: 'fleet', before: trio, line: 'fleet ./sample' },
  { page: 'index.md', starts: 'index rebuild' },
  {
    page: 'plan.md',
    starts: 'scavenge',
    before: `ID=$(winnow plan ./sample --scavenge-point detached --json --quiet | "$NODE" -p "JSON.parse(require('fs').readFileSync(0)).planId")`
  },
  {
    page: 'redact.md',
    starts: 'redact',
    before: `ID=$(winnow records ./sample --type ItemAdded --limit 1 --json --quiet | ${firstOf('eventId', 'eventId')})`,
    line: 'redact ./sample --event $ID --html certificate.html --yes'
  },
  { page: 'repair.md', starts: 'repair ./node', before: member('node'), shownOf: 'a damaged chunk' },
  {
    page: 'rescue.md',
    starts: 'rescue /var/lib/kurrentdb --scratch-directory',
    before: 'mkdir usb',
    line: 'rescue ./sample --scratch-directory ./usb --yes'
  },
  { page: 'rescue.md', starts: 'rescue' },
  {
    page: 'restore.md',
    starts: 'restore',
    before: backup(),
    line: 'restore ./backups --to ./sample --dry-run',
    shownOf: 'a node with more than its backup, and a log to be cut'
  },
  { page: 'sample.md', starts: 'sample ./sample', before: 'rm -r sample' },
  {
    page: 'scavenge.md',
    starts: 'scavenge ./sample --single-node',
    before: 'rm -r sample; winnow sample ./sample --size 4MiB --now 2026-01-01T00:00:00Z --yes --quiet >&2'
  },
  { page: 'startup.md', starts: 'startup ./sample --prepare' },
  { page: 'undo.md', starts: 'scavenge ./sample --keep-replaced' },
  {
    page: 'undo.md',
    starts: 'scavenge --undo',
    before: `winnow scavenge ./sample --keep-replaced 7d --single-node --yes --quiet >&2; ID=$(ls sample/winnow-replaced | grep -v lock | head -1)`,
    typed: (line) => withYes(line.replace(/\bID\b/, '$ID'))
  },
  {
    page: 'verify.md',
    starts: 'verify /var/lib/kurrentdb --budget',
    shownOf: 'a log that takes longer than its budget'
  }
];

const met = new Set();

/** How a command of a page is run; undefined: it has no preparation. */
export function preparationOf(page, { line }) {
  const name = path.basename(page);
  const found = PREPARED.find((one) => one.page === name && line.startsWith(one.starts));
  if (found) met.add(found);
  if (!found || found.notRun !== undefined) return found;
  const asOnPage = (found.typed ?? ((given) => given))(line);
  const replaced = asOnPage.replaceAll(SAMPLE, './sample').replaceAll(/\bNAME\b/g, 'trio');
  return { ...found, lines: [found.line ?? replaced].flat() };
}

/** Preparations of commands that no page has any more, after all pages were asked about. */
export function leftOver() {
  return PREPARED.filter((one) => !met.has(one)).map(({ page, starts }) => `${page}: winnow ${starts}`);
}
