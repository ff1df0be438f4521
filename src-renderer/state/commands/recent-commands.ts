/** The commands that a person used last, to offer them first. */
const RECENT_KEY = 'winnow.recentCommands';
const RECENT_KEPT = 5;

/** Their ids, newest first. */
export function recentCommandIds(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const ids = [id, ...recentCommandIds().filter((known) => known !== id)].slice(0, RECENT_KEPT);
  localStorage.setItem(RECENT_KEY, JSON.stringify(ids));
}
