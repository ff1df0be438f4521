/** Scavenges the database named on the command line in a process of its own, which a test kills. */
import { runScavenge } from '../../src-core/scavenge/run-scavenge.ts';
import { scavengeEnvironment, scavengeRequest } from '../support/scavenge-environment.ts';

const [dataDirectory] = process.argv.slice(2);
process.stdout.write('ready\n');
await runScavenge(scavengeRequest(dataDirectory!), scavengeEnvironment());
