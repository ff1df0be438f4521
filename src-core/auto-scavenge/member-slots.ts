/**
 * The members of a cycle in their order. The order decides between members that lag equally, so it is the
 * server's: a member that leaves frees its place, and the next one to join takes the place freed last.
 */
import { memberKey, type MemberId } from './cluster-view.ts';

export class MemberSlots {
  #slots: (MemberId | undefined)[] = [];
  #free: number[] = [];

  constructor(members: readonly MemberId[] = []) {
    for (const member of members) this.add(member);
  }

  /** In order. */
  list(): MemberId[] {
    return this.#slots.filter((member) => member !== undefined);
  }

  has(member: MemberId): boolean {
    return this.#indexOf(member) >= 0;
  }

  /** A member already there stays where it is. */
  add(member: MemberId): void {
    if (this.has(member)) return;
    const place = this.#free.pop() ?? this.#slots.length;
    this.#slots[place] = member;
  }

  remove(member: MemberId): void {
    const index = this.#indexOf(member);
    if (index < 0) return;
    this.#slots[index] = undefined;
    this.#free.push(index);
  }

  #indexOf(member: MemberId): number {
    const key = memberKey(member);
    return this.#slots.findIndex((slot) => slot !== undefined && memberKey(slot) === key);
  }
}
