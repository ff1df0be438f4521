/** The member by which a run names its plan: see plan-identity.ts. */
import { z } from 'zod';

/** Runs exactly this plan, at its time, or is refused (PlanStale). Without it, whatever the request says is done. */
export const planOption = z.string().min(1).max(200).optional();

/** Of a plan: what its run is started by. */
export const planId = z.string();
