/** The nights of a plan in a maintenance window as rows: of one member after the other, each with its name. */
import type { MembersPlan } from '../../../src-main/contract/verbs/workbench-contract.ts';

type Night = NonNullable<MembersPlan['members'][number]['nights']>[number];

export interface NightRow extends Night {
  /** For people. */
  name: string;
  /** The first of its member. */
  isFirst: boolean;
}

/** `names`: of the members, in their order; where one is missing, its place stands for it. */
export function nightRows({ members }: MembersPlan, names: readonly string[]): NightRow[] {
  return members.flatMap(({ node, nights }, at) =>
    (nights ?? []).map((night, i) => ({ ...night, name: names[at] ?? node, isFirst: i === 0 }))
  );
}

/** Of members for which there are no nights, or not all of them, why that is. */
export function unplanned(
  { members }: MembersPlan,
  names: readonly string[]
): { name: string; why: string; bytesFreed: number | null }[] {
  return members.flatMap(({ node, why, bytesFreed }, at) =>
    why === null ? [] : [{ name: names[at] ?? node, why, bytesFreed }]
  );
}
