// Time to open a database: directory, headers and footers of all chunks, checkpoints. Median of several, after one.
import { NodeFileSystem, openDatabase } from '../../src-core/index.ts';
import { medianMs } from './measure.mjs';

const fileSystem = new NodeFileSystem();
const [dataDirectory] = process.argv.slice(2);
console.log(
  JSON.stringify({ ms: await medianMs(() => openDatabase({ fileSystem, dataDirectory }).close()) })
);
