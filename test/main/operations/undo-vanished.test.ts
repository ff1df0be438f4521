/** What is kept of a scavenge is moved away, as a restore does, between two looks at it. */
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { afterEach, expect, it } from 'vitest';
import { NodeFileSystem } from '../../../src-core/index.ts';
import { requests } from '../../../src-main/contract/operations/operation-contract.ts';
import { runReportOperation } from '../../../src-main/operations/operation-table.ts';
import { extractionContext } from '../../support/extraction.ts';

afterEach(removeUnpacked);

/** Has nothing kept from the look of this number on. */
class Vanishing extends NodeFileSystem {
  #looks = 0;
  readonly #from: number;
  constructor(from: number) {
    super();
    this.#from = from;
  }
  override list(directory: string): ReturnType<NodeFileSystem['list']> {
    if (!directory.endsWith('winnow-replaced')) return super.list(directory);
    return ++this.#looks >= this.#from ? undefined : super.list(directory);
  }
}

it('an undo says that nothing is kept, at whichever look it is gone, and never that it is done', async () => {
  const dataDirectory = unpackDatabase({ name: 'rules', folder: 'before' });
  const scavenge = requests.runScavenge.parse({
    dataDirectory,
    singleNode: true,
    keepReplacedMs: 86_400_000
  });
  await runReportOperation('runScavenge', scavenge, extractionContext());
  const undo = requests.undoScavenge.parse({ dataDirectory });
  for (const from of [1, 2, 3]) {
    const ending = runReportOperation(
      'undoScavenge',
      undo,
      extractionContext({ fileSystem: new Vanishing(from) })
    );
    await expect(ending).rejects.toMatchObject({ code: 'InvalidRequest' });
  }
});
