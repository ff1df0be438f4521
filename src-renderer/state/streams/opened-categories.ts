/** Names of categories that a person has opened, by node: the tree goes when the window's form or the view changes. */
const opened = new Map<string, Set<string>>();

export function openedCategories(nodeId: string): ReadonlySet<string> {
  return opened.get(nodeId) ?? new Set();
}

export function noteCategory(nodeId: string, name: string, isOpen: boolean): void {
  const names = opened.get(nodeId) ?? new Set();
  opened.set(nodeId, names);
  if (isOpen) names.add(name);
  else names.delete(name);
}
