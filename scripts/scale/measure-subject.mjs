// Lays down one subject, and measures what is asked of it: commands first, then requests of views, each in a process of
// its own. What a command leaves behind, the next one finds.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build.mjs';
import { requests } from '../../src-main/contract/operations/operation-contract.ts';
import { runMeasured } from '../bench/measured-process.mjs';
import { placesIn } from './subjects.mjs';

const COMMAND_LINE = path.join(root, 'out/main/cli.js');
const VIEW_REQUEST = path.join(import.meta.dirname, 'view-request.mjs');
/** Damage was found, a start is not possible: an answer like any other. */
const ANSWERED = [0, 1];

/** One measurement after the other: `{ kind, name, processorMs, peakBytes, ms }`. */
export async function* measuredSubject(subject, { directory, count, isWithViews }) {
  const places = placesIn(directory);
  await subject.prepare({ ...places, count });
  for (const [operation, more] of isWithViews ? Object.entries(subject.views) : []) {
    const request = JSON.parse(
      JSON.stringify({ ...locationOf(places, more), ...more }).replace(
        '"BACKUPS"',
        JSON.stringify(places.backups)
      )
    );
    const checked = requests[operation].parse(request);
    const { processorMs, peakBytes, ms } = await runMeasured(VIEW_REQUEST, [
      operation,
      JSON.stringify(checked)
    ]);
    yield { kind: 'view', name: operation, processorMs, peakBytes, ms };
  }
  for (const [name, words] of Object.entries(subject.commands)) {
    const { processorMs, peakBytes, ms } = await runMeasured(
      COMMAND_LINE,
      [...wordsIn(words, places), '--quiet'],
      {
        env: { WINNOW_HOME: places.home },
        isText: true,
        codes: ANSWERED
      }
    );
    for (const file of [places.out, `${places.out}.jsonl`]) {
      if (existsSync(file)) rmSync(file, { recursive: true });
    }
    yield { kind: 'command', name, processorMs, peakBytes, ms };
  }
}

function locationOf({ db, home }, more) {
  return 'target' in more ? {} : { dataDirectory: db, winnowHome: home };
}

function wordsIn(words, { db, backups, out }) {
  const places = { DB: db, BACKUPS: backups, OUT: out, 'OUT.jsonl': `${out}.jsonl` };
  return words.map((word) => places[word] ?? word);
}
