// Before tests that start commands: a command from its sources takes twice the processor time of the built one, and what
// users start is the built one.
import { buildStale } from '../../scripts/build.mjs';

export function setup() {
  buildStale('commands', { quiet: true });
}
