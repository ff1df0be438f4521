// Imported first by scripts that take options: answers --help with the comment at the head of the script, and ends.
import { headComment } from './head-comment.mjs';

const [, script, ...args] = process.argv;
if (script !== undefined && args.some((arg) => arg === '--help' || arg === '-h')) {
  console.log(headComment(script).join('\n'));
  process.exit(0);
}
