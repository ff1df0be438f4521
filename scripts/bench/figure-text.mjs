// Figures as the document writes them.
const MIB = 2 ** 20;
const LINE_LENGTH = 125;

/** `8.2 ms`, `352 ms`, `4.21 s`, `161 s`; a range of two numbers as `2.5 to 3.5 s`. */
export function timeText(ms) {
  if (ms === undefined || ms === null) return '';
  if (Array.isArray(ms)) return `${secondsOf(ms[0])} to ${secondsOf(ms[1])} s`;
  if (ms < 1000) return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
  return `${(ms / 1000).toFixed(ms < 100_000 ? 2 : 0)} s`;
}

const secondsOf = (ms) => String(Number((ms / 1000).toFixed(1)));

export const memoryText = (bytes) =>
  bytes === undefined || bytes === null ? '' : `${(bytes / MIB).toFixed(0)} MiB`;

export const ratioText = (ratio) => (Number.isFinite(ratio) ? ratio.toFixed(2) : '');

export const countText = (count) => count.toLocaleString('en');

/** `512 MiB`, `2.4 GiB`. */
export function sizeText(bytes) {
  return bytes < 1024 * MIB ? `${(bytes / MIB).toFixed(0)} MiB` : `${(bytes / 1024 / MIB).toFixed(1)} GiB`;
}

/** `1,742,157 records`, `1 run`. */
export const countOfText = (count, noun) => `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A table of the document; columns that are empty in every row are left out. */
export function tableText(head, rows) {
  const kept = head.map((_, i) => i === 0 || rows.some((row) => row[i] !== ''));
  const line = (cells) =>
    `|${cells
      .filter((_, i) => kept[i])
      .map((cell) => (cell === '' ? ' |' : ` ${cell} |`))
      .join('')}`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A paragraph in lines as long as those of our documents. */
export function paragraphText(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== '' && line.length + 1 + word.length > LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
