// Writes the figures of a run into the document and draws its pictures.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tablesOf } from './figure-tables.mjs';
import { growthPictures } from './growth-pictures.mjs';
import { growthPoints, growthTable } from './growth.mjs';
import { replaceBlocks } from './marked-blocks.mjs';

const KINDS = { size: 'the size of the log', streams: 'the number of streams' };

/** `out`: the document, which has a place for each block; `pictures`: the directory of the pictures, which is made. */
export async function writeDocument({ figures, out, pictures }) {
  const blocks = tablesOf(figures);
  for (const [kind, words] of Object.entries(KINDS)) {
    const points = growthPoints(figures.parts, kind);
    if (points.length < 2) continue;
    const drawn = growthPictures(points, kind);
    mkdirSync(pictures, { recursive: true });
    const shown = Object.entries(drawn).map(([what, svg]) => {
      const file = path.join(pictures, `${kind}-${what}.svg`);
      writeFileSync(file, svg);
      const link = path.relative(path.dirname(out), file).split(path.sep).join('/');
      return `![${what === 'time' ? 'Time' : 'Peak memory'} against ${words}](${link})`;
    });
    blocks[`growth-${kind}`] = [growthTable(points, kind), ...shown].join('\n\n');
  }
  writeFileSync(out, replaceBlocks(readFileSync(out, 'utf8'), blocks));
}
