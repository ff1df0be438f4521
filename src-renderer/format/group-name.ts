/** How a category, type or stream of a count is called: records that belong to none are counted under names of their own. */
import { texts } from '../texts.ts';
import { visibleText } from './visible-text.ts';

/** The name under which the engine puts streams without a category. */
export const NO_CATEGORY = '(no category)';

export function groupName(name: string): string {
  const { groups } = texts.usage;
  return Object.hasOwn(groups, name) ? groups[name as keyof typeof groups] : visibleText(name);
}
