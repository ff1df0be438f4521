/**
 * Rules between the options of a scavenge, the same for every door: the command line asks them before it asks
 * the user, the engine before it opens a file. Each refusal names the option.
 */
import { invalidRequest } from '../../src-core/index.ts';
import type { ScavengeOptions } from './operation-contract.ts';

const KIB_PAGE_SIZES = [1, 2, 4, 8, 16, 32, 64];
const BYTE_PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

type CheckedMembers = Pick<
  ScavengeOptions,
  'scavengePoint' | 'syncOnly' | 'threads' | 'throttlePercent' | 'pageSize' | 'now'
>;

/** Throws InvalidRequest for options that contradict each other. */
export function checkScavengeOptions(options: CheckedMembers): void {
  if (options.threads > 1 && options.throttlePercent < 100) {
    throw invalidRequest(
      `${options.threads} threads cannot be throttled to ${options.throttlePercent} %.`,
      'throttlePercent',
      'Use one thread, or 100 percent.'
    );
  }
  if (options.syncOnly && (options.scavengePoint === 'new' || options.scavengePoint === 'detached')) {
    throw invalidRequest(
      `"Sync only" means an existing scavenge point; it contradicts the placement "${options.scavengePoint}".`,
      'syncOnly',
      'Give one of the two.'
    );
  }
  if (options.pageSize !== undefined) pageSizeBytes(options.pageSize);
}

/** Bytes of a page of the scavenge state: 1 to 64 are KiB, 512 to 65536 bytes, powers of two. */
export function pageSizeBytes(pageSize: number): number {
  if (KIB_PAGE_SIZES.includes(pageSize)) return pageSize * 1024;
  if (BYTE_PAGE_SIZES.includes(pageSize)) return pageSize;
  throw invalidRequest(
    `${pageSize} is no page size.`,
    'pageSize',
    'Give 1, 2, 4 up to 64 (KiB) or 512, 1024 up to 65536 (bytes).'
  );
}
