/** The command line as users have it: built, one file and its chunks. `build-command-line.mjs` keeps it of today. */
import { fileURLToPath } from 'node:url';

export const COMMAND_LINE = fileURLToPath(new URL('../../out/main/cli.js', import.meta.url));
