/** Made while building, from the Markdown of the project (scripts/documentation-plugin.ts). */
declare module 'virtual:documentation' {
  export const pages: readonly import('./state/documentation/page-tree.ts').DocumentPage[];
}
