/** What a busy machine may take to show something: three windows at once, other processes beside them. Never asserted. */
export const PATIENCE_MS = 180_000;
