/** Every option that the engine's words name has a name in the window: found in the sources, so that a new one is noticed. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inWindowWords } from '../../src-renderer/format/window-words.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Not said in a window: of the service, of clusters that are registered by commands, of settings. */
const ELSEWHERE =
  /^src-main\/(?:cli|http|settings|access|cluster|window|contract|auto-scavenge)\/|^src-main\/operations\/(?:scavenge\/member-readiness|index)/;
/** Of a server, or of the service, which are started with them. */
const OF_A_SERVER =
  /--(?:max-truncation=-1|skip-db-verify|max-auto-merge-index-level|server-version|thorough|allow-path)/g;

function textsWithOptions(): [string, string][] {
  return textsOfEngine().filter(([, text]) => /--[a-z]/.test(text));
}

function textsOfEngine(): [string, string][] {
  return ['src-core', 'src-main'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name))
      .filter((file) => !ELSEWHERE.test(file.replaceAll('\\', '/')))
      .flatMap((file) =>
        readFileSync(path.join(ROOT, file), 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line))
          .flatMap((line) => line.match(/'(?:[^'\\]|\\.)*'|`[^`]*`?/g) ?? [])
          // A single option is the name of a field.
          .filter((text) => !/^['`]--[a-z0-9-]+['`]$/.test(text))
          // A command to copy.
          .filter((text) => !/^['`]winnow /.test(text))
          .map((text): [string, string] => [file, text.slice(1, -1)])
      )
  );
}

test('the sources have texts with options', () => {
  expect(textsWithOptions().length).toBeGreaterThan(40);
});

test.each(textsWithOptions())('%s: %s', (_file, text) => {
  expect(inWindowWords(text).replaceAll(OF_A_SERVER, '')).not.toMatch(/--[a-z]/);
});

/** Of a browser page, about what it does not have. */
const withCommands = textsOfEngine().filter(
  ([, text]) => /"winnow [a-z]/.test(text) && !text.startsWith('Use the window')
);
test.each(withCommands)('%s names no command: %s', (_file, text) => {
  expect(inWindowWords(text)).not.toMatch(/"winnow [^"]*"/);
});

test.each([
  ['give a backup of this node with --from-backup', 'give a backup of this node with “Give a backup”'],
  [
    'Finish it with "winnow restore --continue --to /data", or put the old files back with "winnow restore --undo --to /data".',
    'Finish it with “Finish the restore”, or put the old files back with “Put the old files back”.'
  ],
  [
    'Run with "--scavenge-point existing", which resumes where it stopped.',
    'Run with “An existing point only”, which resumes where it stopped.'
  ],
  [
    'Give --moved if it is the same node at another place, else take a full backup.',
    'Choose “The node has moved” if it is the same node at another place, else take a full backup.'
  ],
  [
    'Free space in the target ("winnow backup prune"), or name another one.',
    'Free space in the target (“Plan pruning” in the view Backups), or name another one.'
  ],
  ['Write it as --max-truncation=-1.', 'Write it as --max-truncation=-1.'],
  ['A stream named my--stream.', 'A stream named my--stream.']
])('%s is worded as %s', (said, worded) => {
  expect(inWindowWords(said)).toBe(worded);
});
