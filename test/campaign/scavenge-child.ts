/** A scavenge in a process of its own, which a campaign kills. Speaks as the command line does: report, exit code. */
import { EngineError } from '../../src-core/errors.ts';
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import type { ScavengeRequest } from '../../src-core/scavenge/scavenge-request.ts';
import { ticksFromIso } from '../../src-core/units/ticks.ts';
import { scavengeEnvironment } from '../support/scavenge-environment.ts';
import { sealingTogether } from '../support/sealing-together.ts';
import { hasherOf, type HasherName } from './weak-hash.ts';

const [requestText, hasherName, now] = process.argv.slice(2);
const request = JSON.parse(requestText!) as ScavengeRequest;
const ticks = ticksFromIso(now!)!;
try {
  const environment = scavengeEnvironment({
    hasher: hasherOf(hasherName as HasherName),
    now: () => ticks,
    hostName: 'campaign',
    workers: { start: sealingTogether(() => undefined), processorCount: 4 }
  });
  console.log(JSON.stringify(await runScavenge(request, environment)));
} catch (error) {
  if (!(error instanceof EngineError)) throw error;
  const { code, message, remedy, details } = error;
  console.log(JSON.stringify({ error: { code, message, remedy, details } }));
  process.exitCode = code === 'StorageFailed' ? 15 : 1;
}
