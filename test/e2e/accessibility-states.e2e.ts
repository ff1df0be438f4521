/**
 * axe in the states that the pictures show: views, dialogs and menus that are empty, filled, at work or at fault, light and
 * dark. What other tests lead through (plans, bytes, erasing in backups, other keys) they look at themselves.
 */
import { expectAccessible, expectAccessibleInThemes } from './axe.ts';
import { test } from './fixtures.ts';
import { takeApplication } from './pictures/application.ts';
import { takeBackups } from './pictures/backups.ts';
import { takeClusters } from './pictures/clusters.ts';
import { takeExtract } from './pictures/extract.ts';
import { takeScavenging } from './pictures/scavenging.ts';
import { takeStates } from './pictures/states.ts';
import { takeFleet } from './pictures/fleet.ts';
import { takeGerman } from './pictures/german.ts';
import type { Album } from './pictures/studio.ts';
import { takeUsage } from './pictures/usage.ts';
import { takeVerifying } from './pictures/verifying.ts';

const ALBUMS: Record<string, (album: Album) => Promise<void>> = {
  'settings, activity, about and documentation': takeApplication,
  'backups and a restore': takeBackups,
  'clusters and their schedules': takeClusters,
  'extracting, exporting and bundling': takeExtract,
  'a scavenge from its options to its result': takeScavenging,
  'what cannot be read or written': takeStates,
  usage: takeUsage,
  'check and repair': takeVerifying,
  'all nodes and clusters': takeFleet
};

for (const [states, take] of Object.entries(ALBUMS)) {
  test(`axe finds nothing in the states of ${states}`, async () => {
    await take((page, scene) => test.step(scene, () => expectAccessibleInThemes(page)));
  });
}

// Its colours are those of the English window.
test('axe finds nothing in the German window', async () => {
  await takeGerman((page, scene) => test.step(scene, () => expectAccessible(page)));
});
