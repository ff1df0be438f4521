/** Small random logs for tests of the index: events, deletions, empty writes and open, ended and interleaved transactions. */
import type { Prng } from '../../support/prng.ts';
import { MemoryLog } from './memory-log.ts';

export function randomLog(random: Prng, steps: number, streams = 12): MemoryLog {
  const log = new MemoryLog();
  const numbers = new Map<string, number>();
  const open: { stream: string; position: number; count: number }[] = [];
  const next = (stream: string, count = 1) => {
    const number = numbers.get(stream) ?? 0;
    numbers.set(stream, number + count);
    return number;
  };
  for (let i = 0; i < steps; i++) {
    const stream = `stream-${random.below(streams)}`;
    const kind = random.below(12);
    if (kind === 0) log.system();
    else if (kind === 1) log.emptyWrite(stream, next(stream, 0));
    else if (kind === 2) log.metadata(stream, next(`$$${stream}`), '{"$maxCount":3}');
    else if (kind === 3 && random.chance(0.2)) log.tombstone(stream);
    else if (kind === 4) open.push({ stream, position: log.begin(stream), count: 0 });
    else if (kind <= 7 && open.length > 0) {
      const transaction = random.pick(open);
      log.member(transaction.stream, transaction.position, transaction.count++);
    } else if (kind === 8 && open.length > 0) {
      const transaction = open.splice(random.below(open.length), 1)[0]!;
      log.endOf(transaction.stream, transaction.position);
      log.commit(transaction.position, next(transaction.stream, transaction.count));
    } else log.event(stream, next(stream));
  }
  return log;
}
