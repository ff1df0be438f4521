// What threads and commands of tests counted. Node writes a file for each of them when it ends; the counts of one source file are
// added up as they come, since thousands of them would fill the disk, and are put on those that vitest has of its own processes.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergeScriptCovs } from '@bcoe/v8-coverage';
import { convert } from 'ast-v8-to-istanbul';
import { parseAst } from 'vite';

/** Adding up two costs as much as adding up many. */
const MOST_WAITING = 64;

export class ProcessCounts {
  #directory;
  #source;
  /** By source file the counts of its scripts that are not added up yet. */
  #waiting = new Map();
  /** Processes and threads that were counted. */
  processes = 0;

  /** `source`: the directory whose files count. */
  constructor(directory, source) {
    this.#directory = directory;
    this.#source = source + path.sep;
  }

  /** Takes what has been written since. A file that is still being written is taken the next time. */
  take() {
    for (const name of readdirSync(this.#directory)) {
      const file = path.join(this.#directory, name);
      let scripts;
      try {
        if (statSync(file).size === 0) continue;
        scripts = JSON.parse(readFileSync(file, 'utf8')).result;
      } catch {
        continue;
      }
      rmSync(file);
      this.processes++;
      for (const script of scripts) this.#add(script);
    }
  }

  #add(script) {
    if (!script.url.startsWith('file:')) return;
    const file = fileURLToPath(script.url.replace(/[?#].*$/, ''));
    if (!file.startsWith(this.#source) || !file.endsWith('.ts')) return;
    const waiting = this.#waiting.get(file);
    if (!waiting) this.#waiting.set(file, [script]);
    else if (waiting.push(script) >= MOST_WAITING) this.#waiting.set(file, [mergeScriptCovs(waiting)]);
  }

  /**
   * Adds them to counts of vitest, by file. Both come from the same walk through the same code without its types, so the
   * branches of a file are the same ones in the same order; throws where they are not.
   */
  async addTo(files) {
    for (const [file, scripts] of this.#waiting) {
      // Types become blanks: places are those of the source.
      const code = stripTypeScriptTypes(readFileSync(file, 'utf8'));
      const coverage = mergeScriptCovs(scripts);
      const [counts] = Object.values(
        await convert({ code, ast: parseAst(code), wrapperLength: 0, coverage })
      );
      const known = files[file];
      if (!known) {
        files[file] = counts;
        continue;
      }
      if (shapeOf(known) !== shapeOf(counts))
        throw new Error(`The branches of ${file} are others in its threads and commands than in tests.`);
      const ids = Object.keys(known.b);
      for (const [at, taken] of Object.values(counts.b).entries())
        for (const [which, count] of taken.entries()) known.b[ids[at]][which] += count;
    }
  }
}

/** Kinds of the branches and how many ways each has. */
function shapeOf({ branchMap }) {
  return Object.values(branchMap)
    .map(({ type, locations }) => `${type} ${locations.length}`)
    .join();
}
