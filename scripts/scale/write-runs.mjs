// Histories of many scavenges: as a server tells of them in its log, and as Winnow records them in WINNOW_HOME.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeLog } from './write-events.mjs';

const NODE = '10.0.0.1:2113';
const idOf = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const json = (members) => Buffer.from(JSON.stringify(members, null, 2));

/** Each run: its point, its start, a chunk, its end, and the links to start and end. */
export function writeRuns({ dataDirectory, count }) {
  return writeLog({
    dataDirectory,
    tell: (append) => {
      for (let run = 0; run < count; run++) {
        const scavengeId = idOf(run);
        const stream = `$scavenges-${scavengeId}`;
        const link = (number, eventNumber) =>
          append({
            ...{ stream: '$scavenges', eventNumber, eventType: '$>' },
            data: Buffer.from(`${number}@${stream}`)
          });
        const tell = (eventNumber, eventType, members) =>
          append({
            stream,
            eventNumber,
            eventType,
            data: json({ scavengeId, nodeEndpoint: NODE, ...members })
          });
        tell(0, '$scavengeStarted', {});
        link(0, run * 2);
        append({
          ...{ stream: '$scavengePoints', eventNumber: run, eventType: '$scavengePoint' },
          data: Buffer.from('{"threshold":0}')
        });
        const done = { timeTaken: '00:00:01', spaceSaved: 1000 };
        tell(1, '$scavengeChunksCompleted', { chunkStartNumber: 0, chunkEndNumber: 0, ...done });
        tell(2, '$scavengeCompleted', { result: 'Success', error: null, ...done, maxChunkScavenged: 0 });
        link(2, run * 2 + 1);
      }
    }
  });
}

/** Detached runs, every tenth of them stopped and then resumed by the next one. */
export function writeRunsOfHome({ dataDirectory, home, count }) {
  const name = createHash('sha256').update(path.resolve(dataDirectory)).digest('hex').slice(0, 32);
  const directory = path.join(home, 'scavenge-history');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const begin = Date.now() - 86_400_000;
  const lines = [];
  for (let run = 0; run < count; run++) {
    const at = (ms) => new Date(begin + run * 100 + ms).toISOString().replace('Z', '0000Z');
    const start = {
      ...{ kind: 'start', scavengeId: idOf(run), at: at(0), dataDirectory, hostName: 'host' },
      ...{ placement: 'detached', number: 0, position: 100, threshold: 0, resumed: run % 10 === 1 }
    };
    const end = {
      ...{ kind: 'end', scavengeId: idOf(run), at: at(50) },
      ...{ result: run % 10 === 0 ? 'stopped' : 'success', error: null, spaceSavedBytes: 1000 }
    };
    lines.push(JSON.stringify(start), JSON.stringify(end));
  }
  writeFileSync(path.join(directory, `${name}.jsonl`), `${lines.join('\n')}\n`, { mode: 0o600 });
}
