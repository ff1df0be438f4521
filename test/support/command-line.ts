/**
 * The command line as users have it: built, one file and its chunks. `build-command-line.mjs` keeps it of today. Where
 * branches are counted it is that of the sources (covered-processes.ts).
 */
import { fileURLToPath } from 'node:url';

const place = process.env['WINNOW_COVERED'] === undefined ? 'out/main/cli.js' : 'src-main/cli/cli.ts';

export const COMMAND_LINE = fileURLToPath(new URL(`../../${place}`, import.meta.url));
