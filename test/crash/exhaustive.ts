/**
 * Every cut and every refusal of every variant of a scavenge: all calls, all ways, all words of the system. Takes
 * many minutes; the tests do the most important part of it. For `npm run crash -- --exhaustive`.
 */
import { cutScavenge, refuseScavenge } from './scavenge-cuts.ts';
import { SCAVENGE_VARIANTS, type VariantName } from './scavenge-subject.ts';

/** Reads that fail are sampled: each cut is tested, and a read changes nothing. */
const EVERY_READ = 7;

/** Says one line for each part. Gives the faults; none is the good end. */
export async function runExhaustive(
  say: (line: string) => void,
  { seed = 1 }: { seed?: number } = {}
): Promise<string[]> {
  const faults: string[] = [];
  const attempt = async (name: string, action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      const fault = `${name}: ${error instanceof Error ? error.message : String(error)}`;
      say(`FAULT ${fault}`);
      faults.push(fault);
    }
  };
  for (const variant of Object.keys(SCAVENGE_VARIANTS) as VariantName[]) {
    await attempt(`${variant}, cut`, () => cutScavenge(variant, say, { seed }));
    await attempt(`${variant}, refused`, () => refuseScavenge(variant, say, { seed }));
    await attempt(`${variant}, refused to read`, () =>
      refuseScavenge(variant, say, { calls: 'reading', oneCodeEach: true, every: EVERY_READ, seed })
    );
  }
  return faults;
}
