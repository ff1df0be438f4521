/** Takes a node off the list, and says so with a way back: nothing is asked before, since nothing is lost. */
import { texts } from '../../texts.ts';
import type { Workbench } from '../workbench.svelte.ts';

export async function forgetNode(workbench: Workbench, id: string): Promise<void> {
  const { nodes, places, toasts } = workbench;
  const node = nodes.find(id);
  if (!node) return;
  const place = places.current;
  await workbench.attempt(async () => {
    if (place.nodeId === id) places.go({ nodeId: null });
    await nodes.forget(id);
    toasts.say(
      texts.frame.forgotten(node.name),
      () =>
        void workbench.attempt(async () => {
          await nodes.recall(id);
          if (place.nodeId === id) places.go(place);
        })
    );
  });
}
