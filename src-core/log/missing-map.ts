/** A scavenged chunk with records and no position map: none of its records would be found by position. */
import type { Chunk } from '../chunks/chunk.ts';
import { CHUNK_FOOTER_LENGTH, type ChunkFooter } from '../chunks/chunk-footer.ts';
import type { LogProblem } from './log-problem.ts';

/** Of a scavenged chunk: a scavenge writes one entry for each record that it keeps. */
export function lacksMap({ mapSize, physicalDataSize }: ChunkFooter): boolean {
  return mapSize === 0 && physicalDataSize > 0;
}

/** The same of a chunk that was opened. */
export function isWithoutMap({ isScavenged, footer }: Pick<Chunk, 'isScavenged' | 'footer'>): boolean {
  return isScavenged && footer !== null && lacksMap(footer);
}

export function mapMissing({ file, fileSize }: { file: string; fileSize: number }): LogProblem {
  return {
    severity: 'damage',
    code: 'chunkFooterInvalid',
    file,
    offset: fileSize - CHUNK_FOOTER_LENGTH + 1,
    position: null,
    message: `The header of ${file} says that it was scavenged, but it has records and no position map: none of them would be found.`,
    remedy: `Restore ${file} from a backup.`
  };
}
