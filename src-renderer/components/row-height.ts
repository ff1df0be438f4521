/** Heights of rows in pixels, as --row and --row-compact in tokens.css: the virtual lists need them as numbers. */
export const ROW_HEIGHT = 28;
export const COMPACT_ROW_HEIGHT = 24;
