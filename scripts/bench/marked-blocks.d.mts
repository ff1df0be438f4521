export function replaceBlocks(text: string, blocks: Readonly<Record<string, string | undefined>>): string;
