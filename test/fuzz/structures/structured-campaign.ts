/** Cases of structured mutations one after the other: of databases, of states of scavenges, of our own documents. */
import fs from 'node:fs';
import { Prng } from '../../support/prng.ts';
import { runDocumentCase } from './document-case.ts';
import { documentWorlds, type DocumentWorld } from './document-worlds.ts';
import { stateRoot, structuredBases, type StructuredBase } from './structured-bases.ts';
import { runStructuredCase } from './structured-case.ts';

export interface CampaignCase {
  number: number;
  structure: string;
  /** What was done with the changed thing last, and how it ended. */
  outcome: string;
  steps: string[];
  faults: string[];
  /** A scavenge ran, and a reader that shares no line with the engine could judge it. */
  isJudged: boolean;
}

const DOCUMENT_SHARE = 0.25;

export class StructuredCampaign {
  readonly #seed: number;
  readonly #root: string;
  readonly #bases: StructuredBase[];
  readonly #worlds: DocumentWorld[];

  private constructor(
    seed: number,
    made: { root: string; bases: StructuredBase[]; worlds: DocumentWorld[] }
  ) {
    this.#seed = seed;
    this.#root = made.root;
    this.#bases = made.bases;
    this.#worlds = made.worlds;
  }

  static async open(seed: number): Promise<StructuredCampaign> {
    const root = stateRoot();
    return new StructuredCampaign(seed, {
      root,
      bases: await structuredBases(root),
      worlds: await documentWorlds(root)
    });
  }

  async run(number: number): Promise<CampaignCase> {
    const seed = this.#seed;
    const prng = new Prng(seed * 7_000_003 + number);
    if (prng.chance(DOCUMENT_SHARE)) {
      return { number, isJudged: false, ...(await runDocumentCase(this.#worlds, prng)) };
    }
    const result = await runStructuredCase({ seed, number, bases: this.#bases, root: this.#root });
    const { structure, scavenge, base, steps, faults, isJudged } = result;
    return { number, structure, outcome: `scavenge ${scavenge}`, steps: [base, ...steps], faults, isJudged };
  }

  close(): void {
    fs.rmSync(this.#root, { recursive: true, force: true });
  }
}
