/** The chunk files that a truncation deletes, one per line with its bytes. */
import { formatNoun } from './byte-size.ts';
import { visibleText } from './visible-text.ts';

export function removedText(title: string, files: readonly { file: string; bytes: number }[]): string {
  if (files.length === 0) return '';
  const lines = files.map(({ file, bytes }) => `  ${visibleText(file)}  ${formatNoun(bytes, 'byte')}\n`);
  const sum = files.reduce((total, { bytes }) => total + bytes, 0);
  const count =
    files.length === 1 ? '' : `  ${formatNoun(files.length, 'file')}, ${formatNoun(sum, 'byte')} in total\n`;
  return `${title}\n${lines.join('')}${count}`;
}
