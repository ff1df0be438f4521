/** What lies in WINNOW_HOME and how large it is, by the names that Winnow itself gives there. Only looks. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';

export interface HomeEntry {
  name: string;
  files: number;
  bytes: number;
}

/** More than this is not counted: something else fills the directory. */
const MOST_FILES = 200_000;
/** A name that has other characters, or a long one, is not ours. */
const OWN_NAME = /^[a-z][a-z-]{0,30}(\.(json|jsonl|txt|lock))?$/;

/** One entry for each of its members, and `other` for what is not ours; empty where there is no directory yet. */
export function homeContents(home: string): HomeEntry[] {
  const entries = new Map<string, HomeEntry>();
  let left = MOST_FILES;
  const count = (entry: HomeEntry, file: string): void => {
    for (const open = [file]; open.length > 0 && left > 0;) {
      const next = open.pop()!;
      const facts = factsOf(next);
      if (!facts) continue;
      if (facts.isDirectory()) for (const name of namesIn(next)) open.push(path.join(next, name));
      else {
        left--;
        entry.files++;
        entry.bytes += facts.size;
      }
    }
  };
  for (const member of namesIn(home)) {
    const name = member.startsWith('activity-') ? 'activity.jsonl' : OWN_NAME.test(member) ? member : 'other';
    const entry = entries.get(name) ?? { name, files: 0, bytes: 0 };
    entries.set(name, entry);
    count(entry, path.join(home, member));
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** undefined: it is gone by now, or its directory shows names only. */
function factsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // not there, or not ours to read: it counts as empty
  }
}
