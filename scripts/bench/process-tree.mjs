// The processes that one has started, and their memory, as the kernel of Linux tells it in files; elsewhere there are none.
import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** Ids of all processes below one, in no order. */
export function processesBelow(pid) {
  const children = childrenOf(pid);
  return children.flatMap((child) => [child, ...processesBelow(child)]);
}

/** Memory that is there, summed; what several of them share counts once for each. */
export function residentBytes(pids) {
  return sumOf(pids, (pid) => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES);
}

/** The same with a fair part of what is shared. */
export function proportionalBytes(pids) {
  return sumOf(pids, (pid) => {
    const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return Number(found?.[1] ?? 0) * 1024;
  });
}

function childrenOf(pid) {
  return orElse([], () =>
    readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    )
  );
}

const sumOf = (pids, bytesOf) => pids.reduce((sum, pid) => sum + orElse(0, () => bytesOf(pid)), 0);

/** A process may end while it is looked at. */
function orElse(otherwise, look) {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
