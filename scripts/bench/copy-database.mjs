// A copy of a database to scavenge, without copying its gigabytes. A scavenge never writes into a completed chunk: it
// writes new files and removes old ones, so completed chunks may be shared by a link. Everything else (checkpoints
// are written in place) is copied, and so is the newest chunk, which might still be written to.
import { constants, copyFileSync, cpSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

export function copyDatabase(from, to) {
  mkdirSync(to, { recursive: true });
  const chunks = readdirSync(from)
    .filter((name) => name.startsWith('chunk-'))
    .sort();
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) cpSync(source, target, { recursive: true });
    else if (!chunks.includes(entry.name) || entry.name === chunks.at(-1)) duplicate(source, target);
    else linkOrDuplicate(source, target);
  }
}

function linkOrDuplicate(source, target) {
  try {
    linkSync(source, target);
  } catch {
    duplicate(source, target); // another volume, or one without links
  }
}

function duplicate(source, target) {
  copyFileSync(source, target, constants.COPYFILE_FICLONE);
}
