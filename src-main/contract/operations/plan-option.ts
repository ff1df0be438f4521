/** The member with which a run names its plan: see plan-identity.ts. */
import { z } from 'zod';

/** Runs exactly this plan, at its time, or is refused (PlanStale). Without it, the request is carried out as it is. */
export const planOption = z.string().min(1).max(200).optional();

/** Only in a plan: its identity, with which its run is started. */
export const planId = z.string();
