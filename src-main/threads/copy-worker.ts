/** Entry of a worker thread that copies files into a backup, one at a time. Reads the source, writes temporary names. */
import { copyFileInto, NodeFileSystem, type CopyJob } from '../../src-core/index.ts';
import { answerQuestions } from './answer-questions.ts';
import { nodeLinks } from './node-links.ts';

const fileSystem = new NodeFileSystem();

answerQuestions<CopyJob>(async (job, { signal, advance }) => ({
  value: await copyFileInto(job, { fileSystem, links: nodeLinks, signal, onBytes: advance })
}));
