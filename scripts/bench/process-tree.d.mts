export function processesBelow(pid: number): number[];
export function residentBytes(pids: readonly number[]): number;
export function proportionalBytes(pids: readonly number[]): number;
