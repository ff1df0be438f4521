/** What a plan of several members says where nothing is known of one, and of all of them together. */
import type { MembersPlan, PlannedMember } from './window-reports.ts';

export const NOT_KNOWN = {
  bytesFreed: null,
  threads: null,
  throttlePercent: null,
  nights: null,
  throughAt: null
} as const;

/** Of all members, in their order. */
export function sumOf(members: PlannedMember[]): Pick<MembersPlan, 'members' | 'bytesFreed' | 'throughAt'> {
  const isKnown = members.every(({ throughAt, nights }) => throughAt !== null || nights?.length === 0);
  const frees = members.map(({ bytesFreed }) => bytesFreed);
  return {
    members,
    bytesFreed: frees.includes(null) ? null : frees.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0),
    throughAt: isKnown ? (members.findLast(({ throughAt }) => throughAt !== null)?.throughAt ?? null) : null
  };
}
