/** The chunk files that a truncation deletes, each with its bytes, on lines of their own. */
import { formatCount } from './byte-size.ts';
import { visibleText } from './visible-text.ts';

export function removedText(title: string, files: readonly { file: string; bytes: number }[]): string {
  if (files.length === 0) return '';
  const lines = files.map(({ file, bytes }) => `  ${visibleText(file)}  ${formatCount(bytes)} bytes\n`);
  const sum = files.reduce((total, { bytes }) => total + bytes, 0);
  const count =
    files.length === 1 ? '' : `  ${formatCount(files.length)} files, ${formatCount(sum)} bytes in all\n`;
  return `${title}\n${lines.join('')}${count}`;
}
