/** How long the next start takes, in one sentence: what takes longest first, what is below a second together. */
import type { StartPart } from '../insight/doctor/start-estimate.ts';
import { durationWords } from '../units/duration-words.ts';
import type { StartupForecast } from './forecast-startup.ts';

const WORDS: Record<StartPart, string> = {
  openChunks: 'opening the chunk files',
  hashTables: 'hashing the index tables',
  copyIndexAside: 'copying the old index aside',
  readLogIntoIndex: 'reading the log into the index',
  loadFilter: 'loading the filter of existing streams',
  rebuildFilter: 'rebuilding the filter of existing streams',
  readLogIntoFilter: 'reading the log into the filter',
  hashChunks: 'hashing the chunks'
};
const SHORT_MS = 1000;

export function startupWords({
  estimatedMs,
  preparedMs,
  parts,
  preparation,
  examination
}: Pick<StartupForecast, 'estimatedMs' | 'preparedMs' | 'parts' | 'preparation' | 'examination'>): string {
  if (!examination.prediction.starts) return examination.prediction.words;
  const long = parts
    .filter(({ ms, isInBackground }) => ms >= SHORT_MS && !isInBackground)
    .sort((a, b) => b.ms - a.ms)
    .map(({ what, ms }) => `${WORDS[what]} ${durationWords(ms)}`);
  const why =
    long.length > 1 ? `: ${long.join(', ')}` : long.length === 1 ? `, for ${WORDS[onlyLong(parts)]}` : '';
  const takes = estimatedMs < SHORT_MS ? 'less than a second' : `about ${durationWords(estimatedMs)}`;
  const now = `The next start takes ${takes}${why}.`;
  if (preparation.steps.length === 0 || estimatedMs < SHORT_MS) return now;
  const then = preparedMs < SHORT_MS ? 'less than a second' : `about ${durationWords(preparedMs)}`;
  return `${now} Prepared beforehand, it takes ${then}.`;
}

function onlyLong(parts: StartupForecast['parts']): StartPart {
  return parts.find(({ ms, isInBackground }) => ms >= SHORT_MS && !isInBackground)!.what;
}
