/** A list of pages: a title, and the files by their paths in the repository. */
export interface SitePart {
  text: string;
  files: string[];
}
export function siteParts(): SitePart[];
export function addressOf(file: string): string;
export function titleOf(file: string): string;
export function headingId(heading: string): string;
export function siteLink(file: string, href: string): string;
export const NO_PAGES: readonly string[];
