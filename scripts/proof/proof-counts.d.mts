/** A campaign of test/support/proof-record.ts with the test that ran it. */
export interface KeptCampaign {
  name: string;
  promise: string;
  operation: string;
  faults: string;
  counts: Readonly<Record<string, number>>;
  seed?: number;
  test: string;
}

export function keptCounts(): KeptCampaign[];
export function keepCounts(campaigns: readonly KeptCampaign[]): void;
export function recordedCounts(directory: string): KeptCampaign[];
export function keyOf(campaign: Pick<KeptCampaign, 'promise' | 'name'>): string;
export function stepOf(campaign: Pick<KeptCampaign, 'test'>): string;
export function countLines(campaigns: readonly KeptCampaign[]): string[];
export function faultsOf(
  kept: readonly KeptCampaign[],
  recorded: readonly KeptCampaign[],
  isAsked?: (campaign: KeptCampaign) => boolean
): string[];
export function unkeptOf(kept: readonly KeptCampaign[], recorded: readonly KeptCampaign[]): string[];
