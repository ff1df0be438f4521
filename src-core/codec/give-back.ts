/**
 * Gives the memory of a column back at once, which then has no elements: a collection of garbage comes when it likes, and
 * large columns would lie there beside what has replaced them.
 */
export function giveBack(column: ArrayBufferView): void {
  const { buffer, byteLength } = column;
  // A part of a larger piece of memory belongs to others too.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
