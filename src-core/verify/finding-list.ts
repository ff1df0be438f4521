/**
 * Keeps the first findings of damage of each kind and counts the rest, so that a broken table does not fill the
 * memory. Hints are the normal traces of a scavenge: one for each kind, with the count.
 */
import type { Finding } from './finding.ts';

/** More damage of one kind than this is summed up in one finding. */
const MAX_FINDINGS_OF_A_KIND = 20;

export class FindingList {
  readonly #kept: Finding[] = [];
  readonly #counts = new Map<string, { count: number; first: Finding }>();

  /**
   * Whether one more of a kind would be kept. If not it is counted, and there is no need to find words for it: those
   * cost a look into the log.
   */
  isWanted(severity: Finding['severity'], code: string): boolean {
    const known = this.#counts.get(`${severity} ${code}`);
    if (!known || (severity === 'damage' && known.count < MAX_FINDINGS_OF_A_KIND)) return true;
    known.count++;
    return false;
  }

  add(finding: Finding): void {
    const kind = `${finding.severity} ${finding.code}`;
    const known = this.#counts.get(kind);
    const count = (known?.count ?? 0) + 1;
    this.#counts.set(kind, { count, first: known?.first ?? finding });
    if (finding.severity === 'damage' && count <= MAX_FINDINGS_OF_A_KIND) this.#kept.push(finding);
  }

  all(): Finding[] {
    const sums: Finding[] = [];
    for (const { count, first } of this.#counts.values()) {
      if (first.severity === 'hint') {
        sums.push(count === 1 ? first : { ...first, message: `${count} times, the first: ${first.message}` });
      } else if (count > MAX_FINDINGS_OF_A_KIND) {
        const more = count - MAX_FINDINGS_OF_A_KIND;
        sums.push({ ...first, offset: null, position: null, message: `${more} more of this kind.` });
      }
    }
    return [...this.#kept, ...sums];
  }
}
