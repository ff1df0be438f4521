/** Whether the tour is to be seen: beside the sample database, in a window that has its own list of nodes. */
import type { Workbench } from '../workbench.svelte.ts';

export function isOnTour({ tour, nodes, places, capabilities }: Workbench): boolean {
  return !tour.isOver && capabilities.isWindow && nodes.find(places.current.nodeId)?.isSample === true;
}
