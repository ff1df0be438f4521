import type { RunFigures } from './figure-tables.mjs';

export function writeDocument(parts: { figures: RunFigures; out: string; pictures: string }): Promise<void>;
