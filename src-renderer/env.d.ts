/// <reference types="svelte" />
/// <reference types="vite/client" />
import '../src-main/contract/verbs/workbench-contract.ts';
