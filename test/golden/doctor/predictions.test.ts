/** The prediction of a start against what the server did, for every golden database. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { removeUnpacked } from '../../support/golden.ts';
import { serverStarts } from '../../support/server-starts.ts';
import { examineGolden, startTable } from '../../support/start-table.ts';

const PAGE = fileURLToPath(new URL('../../../docs/operations/doctor.md', import.meta.url));
afterEach(removeUnpacked);

describe('the prediction of a start', () => {
  it.each(serverStarts())('$title: $did', { timeout: 60_000 }, async (start) => {
    const { did, log } = start;
    const { dataDirectory, examination } = await examineGolden(start);
    const { prediction, findings } = examination;
    expect(prediction.then).toBe(did);
    expect(prediction.starts).toBe(did !== 'refuses' && did !== 'diesLater');
    const reason = findings.find(({ effect }) => effect !== 'none');
    const words = reason?.serverSays?.replaceAll(dataDirectory, 'DB').split('... ') ?? [];
    if (log !== '') for (const part of words) expect(log).toContain(part);
  });

  it('stands in the documentation as it is', { timeout: 120_000 }, async () => {
    expect(readFileSync(PAGE, 'utf8')).toContain(await startTable());
  });
});
