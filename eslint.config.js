import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const parserOptions = {
  // Each file belongs to the nearest tsconfig.json that includes it; that of test/e2e includes this one from below.
  projectService: { allowDefaultProject: ['playwright.config.ts'] },
  tsconfigRootDir: import.meta.dirname,
  extraFileExtensions: ['.svelte']
};

export default defineConfig(
  globalIgnores([
    '.svelte-check/',
    'src-wasm/',
    'out/',
    'dist/',
    'release/',
    'test-results/',
    'test/fixtures/'
  ]),
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  prettier,
  {
    languageOptions: { globals: globals.node, parserOptions },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      // Here a value that is forgotten is found, so no switch needs a branch that no value reaches.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true }
      ]
    }
  },
  {
    files: [
      'src-renderer/**',
      'test/renderer/**',
      'test/e2e/**',
      'test/package/**',
      'test/campaign/window-tour/**'
    ],
    languageOptions: { globals: globals.browser }
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { ...parserOptions, parser: ts.parser, svelteConfig } }
  },
  { files: ['**/*.js', '**/*.mjs'], extends: [ts.configs.disableTypeChecked] }
);
