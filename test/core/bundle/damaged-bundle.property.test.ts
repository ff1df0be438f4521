/** What verification finds in the chunks of a damaged database it finds in those of its bundle, at the same places. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { entriesIn, namesIn } from '../../../src-core/storage/directory-entries.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { runScavenge } from '../../../src-core/scavenge/run-scavenge.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { guidsFrom, writeCrashDatabase } from '../../support/crash-database.ts';
import { makeBundle } from '../../support/make-bundle.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { Prng } from '../../support/prng.ts';
import {
  scavengeEnvironment,
  scavengeRequest,
  temporaryDirectory
} from '../../support/scavenge-environment.ts';
import { seedList } from '../../support/seeds.ts';

/** Only the state of a scavenge is on the disk there; all other files are in memory. */
const SOURCE = temporaryDirectory();
mkdirSync(join(SOURCE, 'index', 'scavenging'), { recursive: true });
afterAll(() => rmSync(SOURCE, { recursive: true, force: true }));
const TARGET = '/out/bundle';
const SEEDS = seedList(40);

/** Of a chunk mostly; of the index and of the checkpoints too. */
function damage(fileSystem: MemoryFileSystem, random: Prng): string {
  const chunks = namesIn(fileSystem, SOURCE).filter((name) => name.startsWith('chunk-'));
  const others = [
    ...namesIn(fileSystem, SOURCE).filter((name) => name.endsWith('.chk')),
    ...['index', 'index/stream-existence'].flatMap((folder) =>
      entriesIn(fileSystem, `${SOURCE}/${folder}`)
        .filter(({ isDirectory }) => !isDirectory)
        .map(({ name }) => `${folder}/${name}`)
    )
  ];
  const name = random.pick(random.chance(0.3) ? others : chunks);
  const path = `${SOURCE}/${name}`;
  const bytes = Buffer.from(readWholeFile(fileSystem, path)!);
  const at = random.below(bytes.length);
  const kind = random.pick(['flip', 'flip', 'zeros', 'number', 'cut', 'longer', 'tail']);
  if (bytes.length === 0) return `${name} is empty`;
  fileSystem.changeMode(path, 0o644);
  const file = fileSystem.open(path, 'readWrite');
  if (kind === 'flip') file.write(Buffer.from([bytes[at]! ^ (1 << random.below(8))]), 0, 1, at);
  else if (kind === 'zeros') file.write(Buffer.alloc(300), 0, Math.min(300, bytes.length - at), at);
  else if (kind === 'number') {
    const number = Buffer.alloc(4);
    number.writeInt32LE(random.pick([-1, 0, 1, 7, 4096, 2 ** 30, random.below(5000)]));
    file.write(number, 0, Math.min(4, bytes.length - at), at);
  } else if (kind === 'cut') file.truncate(at);
  else if (kind === 'longer') file.truncate(bytes.length + 1 + random.below(200));
  else {
    const from = Math.max(0, bytes.length - 1 - random.below(200));
    file.write(Buffer.from([random.below(256)]), 0, 1, from);
  }
  file.close();
  return `${kind} of ${name} at ${at}`;
}

async function chunkFindings(fileSystem: MemoryFileSystem, dataDirectory: string): Promise<unknown> {
  try {
    const database = openDatabase({ fileSystem, dataDirectory });
    try {
      const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
      return findings
        .filter(({ file }) => file?.startsWith('chunk-'))
        .map(({ severity, code, file }) => `${severity} ${code} ${file}`);
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { failed: error.code };
  }
}

it.each(SEEDS)('seed %i', async (seed) => {
  const random = new Prng(seed);
  const isScavenged = random.chance(0.4);
  const point = isScavenged ? { point: { threshold: 0 } } : {};
  const fileSystem = await writeCrashDatabase({ dataDirectory: SOURCE, rounds: 3, ...point });
  if (isScavenged) {
    const request = scavengeRequest(SOURCE, { merge: random.chance(0.5), pageSize: 512 });
    rmSync(join(SOURCE, 'index', 'scavenging', 'scavenging.db'), { force: true });
    await runScavenge(request, scavengeEnvironment({ fileSystem, newGuid: guidsFrom(9) }));
  }
  const steps = Array.from({ length: 1 + random.below(3) }, () => damage(fileSystem, random));
  await makeBundle(fileSystem, { source: SOURCE, target: TARGET, headersOnly: random.chance(0.3) });
  const wanted = await chunkFindings(fileSystem, SOURCE);
  expect(await chunkFindings(fileSystem, TARGET), steps.join(', ')).toEqual(wanted);
});
