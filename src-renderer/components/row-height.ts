/** Heights of rows in pixels, as --row and --row-compact in tokens.css: the virtual lists need them as numbers. */
export const ROW_HEIGHT = 28;
export const COMPACT_ROW_HEIGHT = 24;

/** What a table asks of its rows: scrolls as little as brings the whole row into sight. */
export interface RevealsRows {
  reveal: (index: number) => void;
}
