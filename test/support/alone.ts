/**
 * Test files that leave behind what others would find: they replace a module, or load views in another language. Each has
 * a process of its own; all others share a few (docs/decisions/0063). By project; test/test-files.test.ts finds one that is
 * missing here.
 */
export const ALONE: Record<string, readonly string[]> = {
  main: [
    'test/main/cli/option-values.test.ts',
    'test/main/cli/wrong-input.test.ts',
    'test/main/operations/operation-table.test.ts'
  ],
  renderer: ['test/renderer/texts/language.test.ts']
};
