/**
 * What holds for the values of all options: none is empty, which is mostly a variable of a shell that is not set, and none
 * is taken from the next word if that looks like an option of its own (`--to --json`).
 */
import { InvalidArgumentError, type Command, type Option } from 'commander';

/** A dash and a letter, or two dashes: a negative number and a lone dash are values. */
const OPTION_LIKE = /^--?[A-Za-z]/;

/** Makes `command` refuse such values; to be called once its options are defined. */
export function guardValues(command: Command): void {
  for (const option of command.options.filter(takesValue)) refuseEmpty(option);
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (words) => {
    refuseOptionLike(command, words);
    return parse(words);
  };
}

const takesValue = (option: Option): boolean => option.required || option.optional;

function refuseEmpty(option: Option): void {
  const { parseArg } = option;
  option.argParser((value: string, previous: unknown) => {
    if (value === '') throw new InvalidArgumentError('Give a value that is not empty.');
    return parseArg === undefined ? value : parseArg(value, previous);
  });
}

function refuseOptionLike(command: Command, words: readonly string[]): void {
  for (let i = 0; i < words.length && words[i] !== '--'; i += 1) {
    const option = command.options.find((known) => known.required && isNamed(known, words[i]));
    if (option === undefined) continue;
    i += 1;
    const value = words[i];
    if (value === undefined || !OPTION_LIKE.test(value)) continue;
    const flag = option.long ?? option.flags;
    const message = `error: option '${option.flags}' argument '${value}' is invalid. Give ${flag} a value; if it begins with a dash, write ${flag}=${value}.`;
    command.error(message, { code: 'commander.invalidArgument' });
  }
}

const isNamed = ({ short, long }: Option, word: string | undefined): boolean =>
  word !== undefined && (word === short || word === long);
