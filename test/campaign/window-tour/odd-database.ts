/**
 * A database of some hundred small chunks whose streams have the names nobody expects: very long, of other scripts,
 * like markup, with control characters and direction marks, without any letter. The same seed gives the same bytes.
 */
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { writeSampleIndex } from '../../../src-core/sample/write-sample-index.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, TICKS_PER_SECOND } from '../../../src-core/units/ticks.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { Prng } from '../../support/prng.ts';
import { scavengeEnvironment } from '../../support/scavenge-environment.ts';

const CHUNK_BYTES = 16_384;
const BEGIN = '2025-06-01T00:00:00Z';

export const ODD_NAMES: readonly string[] = [
  'a'.repeat(4000),
  `very long with words ${'and more words '.repeat(60)}`,
  '<script>document.title = "taken"</script>',
  '<img src=x onerror="document.title=1"> & &amp; <b>bold</b>',
  '"quoted" \'name\' `and` ${more} {{braces}} %s %d',
  'bell\u0007 null\u0000 escape\u001b[31m red',
  'line\nbreak\r\nand\ttab',
  '\u202Eright to left override',
  'עברית-עם-מספרים-123',
  'العربية-تيار',
  '日本語のストリーム名',
  '👩‍👩‍👧‍👦 family 🏳️‍🌈',
  'e\u0301 combining',
  'zero\u200Bwidth\u2060joiners\uFEFF',
  ' spaces at both ends ',
  '/slashes/../and?question=1&more#hash',
  'winnow://node/view',
  '%E0%A4%A not an escape %',
  'undefined-',
  '$ce-',
  '$$',
  '-',
  '__proto__',
  'constructor',
  'C:\\windows\\path'
];

/** Data of events nobody expects either: no JSON at all, broken, deep, of many numbers. */
const BODIES: readonly string[] = [
  '',
  '{',
  '{"deep":'.repeat(40) + '1' + '}'.repeat(40),
  `{"long":"${'x'.repeat(3000)}"}`,
  '{"huge":123456789012345678901234567890,"tiny":1e-400}',
  '{"html":"<script>document.title = 1</script>","rtl":"\u202Eabc"}',
  '[1,[2,[3,{"__proto__":{"a":1}}]]]',
  'null',
  '\u0000\u0001\u0002'
];

export async function writeOddDatabase(
  dataDirectory: string,
  options: { chunks: number; seed: number }
): Promise<void> {
  const fileSystem = new NodeFileSystem();
  fileSystem.makeDirectory(dataDirectory);
  const prng = new Prng(options.seed);
  const newGuid = guidsFrom(options.seed);
  const writer = LogWriter.create({
    fileSystem,
    directory: dataDirectory,
    chunkSizeBytes: CHUNK_BYTES,
    newGuid
  });
  let ticks: bigint = ticksFromIso(BEGIN)!;
  const appender = new EventAppender({
    writer,
    newGuid,
    now: () => (ticks += 60n * TICKS_PER_SECOND),
    lastEventNumber: () => -1
  });
  appender.setMetadata('prices', '{"$maxCount":2}');
  for (const stream of ODD_NAMES.slice(2, 8)) appender.setMetadata(stream, '{"$maxCount":1,"odd":"<b>"}');
  for (const stream of ODD_NAMES.slice(8)) appender.append(stream, [eventOf(prng.pick(BODIES))]);
  appender.hardDelete('constructor');
  appender.softDelete('__proto__');
  while (writer.position < options.chunks * CHUNK_BYTES) {
    const isOdd = prng.chance(0.1);
    const stream = isOdd ? prng.pick(ODD_NAMES.slice(0, 20)) : prng.pick(['prices', 'orders', 'other']);
    const data = isOdd ? prng.pick(BODIES) : `{"text":"${'y'.repeat(prng.below(3000))}"}`;
    appender.append(stream, [eventOf(data)]);
  }
  writer.close();
  const database = openDatabase({ fileSystem, dataDirectory });
  const { log, indexDirectory } = database;
  await writeSampleIndex({
    fileSystem,
    indexDirectory,
    log,
    newGuid,
    control: scavengeEnvironment().operation
  });
  database.close();
}

const eventOf = (data: string) => ({
  eventType: '<type>\u202E & more',
  data: Buffer.from(data),
  metadata: Buffer.from('{"$correlationId":null,"<b>":[]}'),
  isJson: data.startsWith('{')
});
