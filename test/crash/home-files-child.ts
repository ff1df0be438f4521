/**
 * Appends events of a schedule and replaces a JSON file, again and again, until it is killed. Each number is told on
 * stdout once both are said to be stored.
 */
import { writeSync } from 'node:fs';
import path from 'node:path';
import { CoordinatorFile } from '../../src-main/cluster/coordinator-store.ts';
import { writeJsonFile } from '../../src-main/settings/json-file.ts';

const [home = '', first = '0', linesOfACycle = '9'] = process.argv.slice(2);
/** Large enough that a cycle's end comes to replacing the file within a few lines. */
const FILLING = 'x'.repeat(40_000);
const LINES_OF_A_CYCLE = Number(linesOfACycle);

const store = new CoordinatorFile(path.join(home, 'events.jsonl'));
for (let number = Number(first); ; number++) {
  const isEnd = number % LINES_OF_A_CYCLE === LINES_OF_A_CYCLE - 1;
  const type = isEnd ? '$cluster-scavenge-completed' : '$configuration-updated';
  await store.append({ type, data: { number, filling: FILLING } });
  writeJsonFile(path.join(home, 'kept.json'), { number, filling: FILLING });
  writeSync(1, `${number}\n`);
}
