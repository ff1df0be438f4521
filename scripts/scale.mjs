// `npm run scale`: databases, targets and homes that are large in one way each, and the bound that every command and every
// request of a view keeps there in processor time and memory. Writes the measured numbers into docs/proof.md.
//   npm run scale                      all but the two that write gigabytes
//   npm run scale -- --long            these too (some 8 GB of disk, an hour)
//   npm run scale -- --only backups    one subject; the others stay as they are on the page
//   npm run scale -- --small           few of each, for a look in seconds; memory only, writes no page
//   npm run scale -- --small --commands   without the requests of views
//   npm run scale -- --page            only the page, from the figures that are kept
// Processor time, since another program on the machine does not change it; exit code 1 where a bound is not kept.
import './answer-help.mjs';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale, root } from './build.mjs';
import { judged } from './scale/bounds.mjs';
import { measuredSubject } from './scale/measure-subject.mjs';
import { pageWith } from './scale/scale-table.mjs';
import { SUBJECTS } from './scale/subjects.mjs';

const PAGE = path.join(root, 'docs/proof.md');
/** What was measured, for the page: a run of one subject leaves the others as they are. */
const KEPT = path.join(root, 'test/scale-figures.json');

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    commands: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    page: { type: 'boolean', default: false }
  }
});

const kept = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : [];
const writePage = () => writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), kept.map(withBounds)));

/** The bounds of today: what was measured stays, what is asked of it may have become less. */
function withBounds(measured) {
  const subject = SUBJECTS.find(({ name }) => name === measured.name);
  const boundsOf = (one) => judged(subject, measured.count, one, { isTimeJudged: true }).bounds;
  return { ...measured, asked: measured.asked.map((one) => ({ ...one, bounds: boundsOf(one) })) };
}

if (values.page) {
  writePage();
} else {
  const chosen = SUBJECTS.filter(({ name, isLong, isStep }) =>
    values.only ? values.only.includes(name) : values.small ? !isStep : values.long || !isLong
  );
  if (chosen.length === 0) {
    console.error(`There is no such subject. There are: ${SUBJECTS.map(({ name }) => name).join(', ')}.`);
    process.exit(2);
  }
  buildStale('commands', { quiet: true });
  const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-scale-'));
  let misses = 0;
  try {
    for (const subject of chosen) {
      const count = values.small ? subject.smallCount : subject.count;
      console.log(`${count.toLocaleString('en')} ${subject.title}`);
      const directory = path.join(scratch, subject.name.replaceAll(' ', '-'));
      const measured = { name: subject.name, title: subject.title, count, asked: [] };
      for await (const one of measuredSubject(subject, { directory, count, isWithViews: !values.commands })) {
        const { faults, bounds } = judged(subject, count, one, { isTimeJudged: !values.small });
        misses += faults.length;
        measured.asked.push({ ...one, bounds });
        const { kind, name, processorMs, peakBytes } = one;
        const figures = `${(processorMs / 1000).toFixed(2)} s, ${(peakBytes / 2 ** 20).toFixed(0)} MiB`;
        console.log(
          `  ${kind} ${name}: ${figures}${faults.map((fault) => ` | NOT KEPT: ${fault}`).join('')}`
        );
      }
      rmSync(directory, { recursive: true, force: true });
      if (values.small || values.commands) continue;
      const at = kept.findIndex(({ name }) => name === subject.name);
      kept.splice(at < 0 ? kept.length : at, at < 0 ? 0 : 1, measured);
      kept.sort((a, b) => orderOf(a.name) - orderOf(b.name));
      writeFileSync(KEPT, `${JSON.stringify(kept, null, 2)}\n`);
      writePage();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  if (misses > 0) console.error(`${misses} bounds are not kept.`);
  process.exitCode = misses > 0 ? 1 : 0;
}

function orderOf(name) {
  return SUBJECTS.findIndex((subject) => subject.name === name);
}
