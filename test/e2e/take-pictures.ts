/**
 * Takes the pictures of docs/pictures: every view, light and dark, in two sizes. No test, so that tests leave the tree
 * as it is. After a build:
 *   node scripts/electron-runtime.mjs node test/e2e/take-pictures.ts [--to DIR] [reading scavenging …]
 */
import { parseArgs } from 'node:util';
import { takeAnswers } from './pictures/answers.ts';
import { takeApplication } from './pictures/application.ts';
import { takeBackups } from './pictures/backups.ts';
import { takeClusters } from './pictures/clusters.ts';
import { takeErasing } from './pictures/erasing.ts';
import { takeExtract } from './pictures/extract.ts';
import { takeFleet } from './pictures/fleet.ts';
import { takeGerman } from './pictures/german.ts';
import { takeInsight } from './pictures/insight.ts';
import { takeLarge } from './pictures/large.ts';
import { takeReading } from './pictures/reading.ts';
import { takeRekey } from './pictures/rekey.ts';
import { takeScavenging } from './pictures/scavenging.ts';
import { takeStates } from './pictures/states.ts';
import { takeUsage } from './pictures/usage.ts';
import { takeVerifying } from './pictures/verifying.ts';

const ALBUMS: Record<string, (directory: string) => Promise<void>> = {
  reading: takeReading,
  usage: takeUsage,
  scavenging: takeScavenging,
  backups: takeBackups,
  rekey: takeRekey,
  verifying: takeVerifying,
  answers: takeAnswers,
  clusters: takeClusters,
  fleet: takeFleet,
  erasing: takeErasing,
  extract: takeExtract,
  insight: takeInsight,
  application: takeApplication,
  german: takeGerman,
  large: takeLarge,
  states: takeStates
};

const { values, positionals } = parseArgs({
  options: { to: { type: 'string', default: 'docs/pictures' } },
  allowPositionals: true
});
for (const name of positionals.length > 0 ? positionals : Object.keys(ALBUMS)) {
  const take = ALBUMS[name];
  if (!take) throw new Error(`No such album: ${name}. There are: ${Object.keys(ALBUMS).join(', ')}.`);
  const startedMs = performance.now();
  await take(values.to);
  console.log(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}
