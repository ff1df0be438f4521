/** Positions and sizes inside sentences of the engine, which writes plain digits at every door, as this window writes numbers. */
import { formatCount } from './count.ts';

/**
 * Four digits and more that stand alone. Not parts of names, times, ids, versions and addresses (`chunk-000063.000000`,
 * `20261125T033006Z`), and not what is a name itself: a process, a port.
 */
const ALONE = /(?<![\w.,:/\\@#"“'+-])(?<!\b(?:process|pid|port|inode) )\d{4,20}(?![\w/\\@"”'-]|[.,]\d|:\S)/gi;

/** The same with thousands separators. Nothing is rounded. */
export function groupedNumbers(sentence: string): string {
  return sentence.replaceAll(ALONE, (digits) => (digits.startsWith('0') ? digits : formatCount(digits)));
}
