// Commands in Markdown, with what a page shows of their output.

/** A comment behind a command, and a prompt or the way through npm before it. */
const COMMAND = /^\s*(?:\$ )?(?:npm run -s winnow -- |winnow )(.+?)(?:\s+# .*)?$/;

/**
 * Every command of a code block. `shown`: the lines below a command with a prompt, up to the next one; none where a page shows
 * the command alone. `line`: without `winnow`, continued lines joined.
 */
export function commandsIn(markdown) {
  const commands = [];
  let isFenced = false;
  let last;
  for (const text of markdown.replaceAll(/\\\n\s*/g, '').split('\n')) {
    if (/^```/.test(text)) {
      isFenced = !isFenced;
      last = undefined;
      continue;
    }
    const isCode = isFenced || /^ {4}\S/.test(text);
    const [, line] = isCode ? (COMMAND.exec(text) ?? []) : [];
    if (line !== undefined) {
      last = { line, shown: [], hasPrompt: /^\s*\$ /.test(text) };
      commands.push(last);
    } else if (isCode && last?.hasPrompt) last.shown.push(text);
    else if (!isFenced) last = undefined;
  }
  return commands.map(({ line, shown }) => ({ line, shown }));
}

/** Two or more spaces keep columns apart. */
const columnsOf = (line) => line.trim().split(/\s{2,}/);
const words = (text) => text.replaceAll(/\s+/g, ' ').trim();
const hasValue = (text) => /\d|…|\.\.\.|[\\/"]/.test(text);

/**
 * What a page shows and a command does not print: headers of tables and sentences without values as they are, of other lines
 * with columns their first one where it is a label.
 */
export function differences(shown, printed) {
  const lines = printed.split('\n');
  const whole = new Set(lines.map(words));
  const labels = new Set(lines.map((line) => columnsOf(line)[0]));
  return shown.filter((line) => {
    if (words(line) === '' || /^\s*#/.test(line)) return false;
    const columns = columnsOf(line);
    if (!hasValue(line)) return !whole.has(words(line)) && !(columns.length === 2 && labels.has(columns[0]));
    const [label] = columns;
    return columns.length === 2 && /^[a-z]+(?: [a-z]+)*$/.test(label) && !labels.has(label);
  });
}
