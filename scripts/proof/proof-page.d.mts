import type { KeptCampaign } from './proof-counts.mjs';

export function proofPage(text: string, campaigns: readonly KeptCampaign[]): string;
